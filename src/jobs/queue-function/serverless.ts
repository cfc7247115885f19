import type { JobMessage } from '../record/job-queue.js';
import { KeyRing, parseMasterKeys, parseSigningSecrets } from '../../base/config/key-ring.js';
import { readKey, readUrl } from '../../base/config/variable.js';
import { readCommit, readVersion } from '../../base/package-file.js';
import { createMessageDelivery as createDeliverWith, type DeliverableMessage } from './deliver.js';
import type { DeliveryOutcome } from '../record/delivery-outcome.js';
import { lineLogger, writeToConsole, type WriteLine } from './log-lines.js';
import { FORMAT, isObject } from '../record/stored-fields.js';
import { isJobKind } from '../record/job-kinds.js';

/* Entry point for custom queue functions: the package `vehicle-location-gateway-deliver`. */

export type { JobMessage } from '../record/job-queue.js';
export type { DeliveryCode, DeliveryOutcome } from '../record/delivery-outcome.js';
export type { LogLine } from './log-lines.js';
export { createSqsHandler } from './sqs-handler.js';
export type { SqsBatchResponse, SqsCalls, SqsEvent, SqsHandlerOptions, SqsRecord } from './sqs-handler.js';

/** Delivery settings; secrets are those of the gateway's configuration. */
export interface ServerlessOptions {
  /** URL of the gateway, its base path included. */
  readonly gatewayUrl: string;
  /** `TASK_CALLBACK_API_KEY` of the gateway. */
  readonly apiKey: string;
  /** `JOB_ENCRYPTION_KEY` of the gateway: one key, or two separated by a comma. */
  readonly jobEncryptionKey: string;
  /** `CALLBACK_SIGNING_SECRET` of the gateway, if set: one secret, or two separated by a comma. */
  readonly signingSecret?: string | undefined;
  /** Maximum run time of a callback, in milliseconds: `JOB_DEADLINE_SECONDS` of the gateway, an hour by default. */
  readonly deadlineMs?: number | undefined;
  /** Time that a message waits because of other faults, in milliseconds: `QUEUE_PATIENCE_SECONDS`, a day by default. */
  readonly patienceMs?: number | undefined;
  /** Takes log lines of messages that could not be delivered; writes JSON to the console by default. */
  readonly log?: WriteLine | undefined;
  /** When aborted, running calls end and become delays: e.g. before the platform ends the function. */
  readonly stopping?: AbortSignal | undefined;
}

/**
 * Calls the callback of a job. Never throws: every failure is an outcome, also that of an invalid message.
 *
 * - `done`: the job was handled; delete the message.
 * - `delay`: deliver the message again after `delayMs`. This is not a failure and must not use up an attempt.
 * - `retry`: the attempt failed. Deliver the message again after a back-off; after the last attempt, move it to the
 * dead letters.
 * - `final`: a further attempt would be useless; move the message to the dead letters.
 *
 * @param times.since time when the message was put into its queue, or replayed, in milliseconds since 1970. A job that
 * has ended runs again only for a later message. Without it the job runs again, and patience counts from its id
 */
export type Deliver = (
  message: JobMessage,
  times?: { readonly since?: number | undefined },
) => Promise<DeliveryOutcome>;

/**
 * Creates the function that decrypts the message of a job and calls its callback. Create it once and use it for every
 * message, because it keeps its connections.
 *
 * A failure outside the message is a `delay` until `patienceMs` after the message was put into its queue, and `final`
 * from then on. A message of a newer format is a `delay` until the function is updated.
 *
 * @throws {TypeError} naming every option that is missing, unknown or cannot be used, without their values
 */
export function createDeliver(options: ServerlessOptions): Deliver {
  const { write, stopping, ...read } = readOptions(options);
  const deliver = createDeliverWith({
    ...read,
    logger: lineLogger(write, { service: 'queue-function', version: readVersion(), commit: readCommit() }),
    ...(stopping && { stopping }),
  });
  return async (held, times) => {
    const reading = readMessage(held);
    // A call by `messages.map(deliver)` passes an index here.
    const since = typeof times === 'object' ? times.since : undefined;
    return 'outcome' in reading ? reading.outcome : deliver(reading.message, { since });
  };
}

/** Pause before a message of a newer format may come again: the new version is probably being installed. */
const NEWER_FORMAT_PAUSE_MS = 60_000;

/** Status of an invalid message, for which no callback was called. */
const NO_MESSAGE_STATUS = 500;

type ReadMessage = { readonly message: DeliverableMessage } | { readonly outcome: DeliveryOutcome };

function readMessage(held: unknown): ReadMessage {
  if (typeof held === 'string') return noMessage('it is a text, to be parsed first');
  if (!isObject(held)) return noMessage(`it is ${held === null ? 'null' : typeof held}`);
  const { format, kind, org, jobId, payload, traceparent, failedAt } = held;
  if (typeof format === 'number' && format > FORMAT) {
    const reason = `The message is of format ${format}, and format ${FORMAT} is known. Update the function.`;
    const outcome = { kind: 'delay', delayMs: NEWER_FORMAT_PAUSE_MS, status: NO_MESSAGE_STATUS } as const;
    return { outcome: { ...outcome, code: 'newer_format', reason } };
  }
  if (typeof kind !== 'string' || !isJobKind(kind)) return noMessage('kind names no kind of job');
  if (org !== undefined && typeof org !== 'string') return noMessage('org is no text');
  if (typeof jobId !== 'string') return noMessage('jobId is no text');
  if (typeof payload !== 'string') return noMessage('payload is no text');
  const known = {
    ...(typeof traceparent === 'string' && { traceparent }),
    ...(typeof failedAt === 'number' && { failedAt }),
  };
  return { message: { kind, org, jobId, payload, ...known } };
}

function noMessage(fault: string): ReadMessage {
  const reason = `This is no message of a job: ${fault}. Hand over what the queue holds, as an object.`;
  return { outcome: { kind: 'final', code: 'unreadable', status: NO_MESSAGE_STATUS, reason } };
}

const DEADLINE_MS = 3_600_000;
const PATIENCE_MS = 86_400_000;

/** Maximum `JOB_DEADLINE_SECONDS` and `QUEUE_PATIENCE_SECONDS`. */
const MAX_DEADLINE_MS = 86_400_000;
const MAX_PATIENCE_MS = 604_800_000;

const MEANINGS: { readonly [Name in keyof ServerlessOptions]-?: string } = {
  gatewayUrl: 'where the gateway is, such as https://gateway.example.com',
  apiKey: 'TASK_CALLBACK_API_KEY of the gateway',
  jobEncryptionKey: 'JOB_ENCRYPTION_KEY of the gateway',
  signingSecret: 'CALLBACK_SIGNING_SECRET of the gateway, and to be left out where it has none',
  deadlineMs: 'JOB_DEADLINE_SECONDS of the gateway, in milliseconds',
  patienceMs: 'QUEUE_PATIENCE_SECONDS of the gateway, in milliseconds',
  log: 'a function that takes a line of the log',
  stopping: 'an AbortSignal',
};

/** Parses the options of untyped code. @throws {TypeError} naming all that cannot be used, without their values */
function readOptions(options: unknown) {
  const given = new Map<string, unknown>(Object.entries(options ?? {}));
  const faults: string[] = [];
  const fault = (text: string): undefined => void faults.push(text);

  /** Reads an option that is text. @param read parses it and reports its fault */
  function text<T>(name: Name, read: (text: string) => T | undefined): T | undefined {
    const value = given.get(name) ?? '';
    if (typeof value !== 'string') fault(`${name} must be a text: ${MEANINGS[name]}.`);
    else if (value.trim() === '') fault(`${name} is missing: ${MEANINGS[name]}.`);
    else return read(value.trim());
    return undefined;
  }

  function other<T>(name: Name, is: (value: unknown) => value is T, expected: string): T | undefined {
    const value = given.get(name);
    if (value === undefined || is(value)) return value;
    fault(`${name} must be ${MEANINGS[name]}, ${expected}.`);
    return undefined;
  }

  const milliseconds = (name: Name, max: number): number | undefined => {
    const isIn = (value: unknown): value is number =>
      Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max;
    return other(name, isIn, `from 1 to ${max}`);
  };

  const known = Object.keys(MEANINGS);
  for (const name of given.keys()) {
    if (!known.includes(name)) fault(`${name} is no option; there are ${known.join(', ')}.`);
  }
  // `production` makes no difference to these options.
  const reading = { production: true, fault };
  const gatewayUrl = text('gatewayUrl', (url) => readUrl(url, { ...reading, name: 'gatewayUrl' }));
  const apiKey = text('apiKey', (key) => readKey(key, { ...reading, name: 'apiKey' }));
  function pair<T>(name: Name, parse: (text: string) => T | undefined, entries: string): T | undefined {
    return text(name, (list) => parse(list) ?? fault(`${name} must be one or two ${entries}, separated by a comma.`));
  }

  const masterKeys = pair('jobEncryptionKey', parseMasterKeys, 'keys of 32 bytes in base64url');
  const hasSecret = given.get('signingSecret') !== undefined;
  const read = {
    signingSecrets: hasSecret
      ? pair('signingSecret', parseSigningSecrets, 'of whsec_ and base64 of 24 to 64 bytes')
      : undefined,
    deadlineMs: milliseconds('deadlineMs', MAX_DEADLINE_MS) ?? DEADLINE_MS,
    patienceMs: milliseconds('patienceMs', MAX_PATIENCE_MS) ?? PATIENCE_MS,
    write: other('log', isWriteLine, 'to be called with a line') ?? writeToConsole,
    stopping: other('stopping', (value) => value instanceof AbortSignal, 'the `signal` of an AbortController'),
  };
  if (faults.length > 0 || gatewayUrl === undefined || apiKey === undefined || masterKeys === undefined) {
    throw new TypeError(`createDeliver cannot use its options:\n${faults.map((text) => `- ${text}`).join('\n')}`);
  }
  return { ...read, gatewayUrl, apiKey, keyRing: new KeyRing(masterKeys) };
}

type Name = keyof ServerlessOptions;

function isWriteLine(value: unknown): value is WriteLine {
  return typeof value === 'function';
}

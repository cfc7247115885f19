import type { JobMessage } from '../job-record/job-queue.js';
import { readCommit, readVersion } from '../config/version.js';
import { createDeliver as createDeliverWith, type DeliverableMessage } from './deliver.js';
import type { DeliveryOutcome } from '../job-record/delivery-outcome.js';
import { lineLogger } from './log-lines.js';
import { readOptions, type ServerlessOptions } from './serverless-options.js';
import { FORMAT } from '../job-record/stored.js';
import { isJobKind } from '../job-record/job-kinds.js';

/* Entry point for custom queue functions: the package `vehicle-location-gateway-deliver`. */

export type { JobMessage } from '../job-record/job-queue.js';
export type { DeliveryCode, DeliveryOutcome } from '../job-record/delivery-outcome.js';
export type { LogLine } from './log-lines.js';
export type { ServerlessOptions } from './serverless-options.js';
export { createSqsHandler } from './sqs-handler.js';
export type { SqsBatchResponse, SqsCalls, SqsEvent, SqsHandlerOptions, SqsRecord } from './sqs-handler.js';

/**
 * Calls the callback of a job. Never throws: every failure is an outcome, also that of an invalid message.
 *
 * - `done`: the job was handled; delete the message.
 * - `delay`: deliver the message again after `delayMs`. This is not a failure and must not use up an attempt.
 * - `retry`: the attempt failed. Deliver the message again after a back-off; after the last attempt, move it to the
 * dead letters.
 * - `final`: a further attempt would be useless; move the message to the dead letters.
 *
 * @param times.since time when the message was put into its queue, or replayed, in milliseconds since 1970; by default
 * the creation time of the job's id
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

/** Message, or the outcome of one that cannot be delivered. */
type ReadMessage = { readonly message: DeliverableMessage } | { readonly outcome: DeliveryOutcome };

function readMessage(held: unknown): ReadMessage {
  if (typeof held === 'string') return noMessage('it is a text, to be parsed first');
  if (typeof held !== 'object' || held === null) return noMessage(`it is ${held === null ? 'null' : typeof held}`);
  const fields = new Map<string, unknown>(Object.entries(held));
  const format = fields.get('format') ?? FORMAT;
  if (typeof format === 'number' && format > FORMAT) {
    const reason = `The message is of format ${format}, and format ${FORMAT} is known. Update the function.`;
    const outcome = { kind: 'delay', delayMs: NEWER_FORMAT_PAUSE_MS, status: NO_MESSAGE_STATUS } as const;
    return { outcome: { ...outcome, code: 'newer_format', reason } };
  }
  const names = ['kind', 'org', 'jobId', 'payload', 'traceparent', 'failedAt'];
  const [kind, org, jobId, payload, traceparent, failedAt] = names.map((name) => fields.get(name));
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

import { KeyRing, parseMasterKeys, parseSigningSecrets } from '../config/key-ring.js';
import { readKey, readUrl } from '../config/variable.js';
import { writeToConsole, type WriteLine } from './log-lines.js';

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

const DEADLINE_MS = 3_600_000;
const PATIENCE_MS = 86_400_000;

/** Maximum `JOB_DEADLINE_SECONDS` and `QUEUE_PATIENCE_SECONDS`. */
const MAX_DEADLINE_MS = 86_400_000;
const MAX_PATIENCE_MS = 604_800_000;

/** Meaning of every option, for error messages. */
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
export function readOptions(options: unknown) {
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

  /** Reads any other option; undefined if not given. */
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
  /** Reads an option that lists one or two of something. */
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

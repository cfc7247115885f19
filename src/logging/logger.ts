import { types } from 'node:util';
import { pino, type DestinationStream, type Logger as Pino } from 'pino';
import { LOG_EVENTS, type Logger } from './log-events.js';

export type { Logger } from './log-events.js';

/** Names under which secrets could appear in a log entry, whatever the reason they got there. */
const SECRET_NAMES = [
  'authorization',
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'otp',
  'challenge',
  'apiKey',
  'x-api-key',
  'cookie',
];

const SECRET_KEYS: ReadonlySet<string> = new Set(SECRET_NAMES);

const CENSOR = '[redacted]';

/** What pino does with the fields of an entry that are secrets, so that they need not be looked for. */
const CENSORED = Object.fromEntries(SECRET_NAMES.map((name) => [name, () => CENSOR]));

/** Levels of nesting that are searched for secrets. */
const SEARCHED_LEVELS = 4;

/** How the process logs. */
export interface LoggerOptions {
  /** Least severe level that is written: `trace` to `fatal`, or `silent`. */
  readonly level: string;
  /** For people at a terminal instead of one JSON object a line. */
  readonly pretty: boolean;
  /** Who writes, on every line. */
  readonly program?: { readonly service: string; readonly version: string };
  /** Where entries go instead of standard output. */
  readonly destination?: DestinationStream;
}

/** What a line for people begins with, in this order, and how; what is absent, or 0, is left out. */
const IN_WORDS = {
  method: '{method}',
  path: '{path}',
  operation: '{operation}',
  rootFields: '({rootFields})',
  status: '{status}',
  errors: 'errors: {errors}',
  codes: '({codes})',
  durationMs: 'in {durationMs} ms',
};

/** One line an event, short enough for two of a narrow terminal. */
const FOR_PEOPLE = {
  translateTime: 'HH:MM:ss.l',
  messageKey: 'event',
  messageFormat: ['{event}', ...Object.entries(IN_WORDS).map(([field, words]) => `{if ${field}}${words}{end}`)].join(
    ' ',
  ),
  ignore: ['pid', 'hostname', 'service', 'version', ...Object.keys(IN_WORDS)].join(','),
  singleLine: true,
};

/**
 * Structured logger on standard output. Secrets (tokens, passwords, one-time passwords, keys, authorization
 * headers) are redacted wherever they appear up to three levels below the top; nothing may rely on that and log them.
 */
export function createLogger({ level, pretty, program, destination }: LoggerOptions): Logger {
  const options = {
    level,
    messageKey: 'event',
    formatters: { level: (word: string) => ({ level: word }) },
    serializers: { ...CENSORED, err: (error: unknown) => serializeError(error) },
  };
  const logOf = (lines: Pino): Logger => eventLogger(program === undefined ? lines : lines.child(program));
  if (destination !== undefined) return logOf(pino(options, destination));
  if (!pretty) return logOf(pino(options));
  const forPeople = { target: 'pino-pretty', options: FOR_PEOPLE };
  // A transport runs in a thread of its own and cannot have formatters.
  const { formatters: _inThisThread, ...transportable } = options;
  return logOf(pino({ ...transportable, transport: forPeople }));
}

function eventLogger(lines: Pino): Logger {
  return {
    event(name, fields = {}) {
      lines[LOG_EVENTS[name][0]](redacted(fields), name);
    },
    child: (fields) => childLogger(lines, fields),
  };
}

/** Most children are made for a request that has nothing to say. */
function childLogger(parent: Pino, fields: object): Logger {
  let own: Logger | undefined;
  const made = (): Logger => (own ??= eventLogger(parent.child(redacted(fields))));
  return { event: (name, more) => made().event(name, more), child: (more) => made().child(more) };
}

/** The same without the secrets in what its fields hold; a copy only where there are some. */
function redacted(fields: object): object {
  let copy: Record<string, unknown> | undefined;
  for (const name in fields) {
    const entry: unknown = fields[name as keyof typeof fields];
    if (typeof entry !== 'object' || entry === null) continue;
    const shown = searched(entry, 1);
    if (shown === entry) continue;
    copy ??= { ...fields };
    copy[name] = shown;
  }
  return copy ?? fields;
}

/** Of errors no more than their named parts is written, so they are not searched. */
function searched(value: object, level: number): object {
  if (level === SEARCHED_LEVELS || types.isNativeError(value)) return value;
  return Array.isArray(value) ? searchedList(value, level) : searchedFields(value, level);
}

function searchedList(list: readonly unknown[], level: number): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const entry = list[index];
    if (typeof entry !== 'object' || entry === null) continue;
    const shown = searched(entry, level + 1);
    if (shown === entry) continue;
    copy ??= [...list];
    copy[index] = shown;
  }
  return copy ?? list;
}

function searchedFields(value: object, level: number): object {
  let copy: Record<string, unknown> | undefined;
  for (const name in value) {
    const entry: unknown = value[name as keyof typeof value];
    const shown = SECRET_KEYS.has(name)
      ? CENSOR
      : typeof entry === 'object' && entry !== null
        ? searched(entry, level + 1)
        : entry;
    if (shown === entry) continue;
    copy ??= { ...value };
    copy[name] = shown;
  }
  return copy ?? value;
}

/** Causes that are followed; more are a sign of a circle. */
const MAX_CAUSES = 5;

/**
 * The named parts of an error and nothing else: libraries attach whole requests to theirs, with headers and raw
 * bytes.
 */
function serializeError(error: unknown, depth = 0): object {
  if (!types.isNativeError(error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message,
    ...('code' in error && { code: error.code }),
    stack,
    ...(cause !== undefined && depth < MAX_CAUSES && { cause: serializeError(cause, depth + 1) }),
  };
}

import { types } from 'node:util';
import { pino, type DestinationStream, type Logger as Pino } from 'pino';
import { LOG_EVENTS, type LogEvent, type Logger, type OnEvent, type WatchableLogger } from './log-events.js';

export type { Logger, WatchableLogger } from './log-events.js';

/** Settings of the logger. */
export interface LoggerOptions {
  /** Least severe level to write: `trace` to `fatal`, or `silent`. */
  readonly level: string;
  /** True for readable terminal output instead of one JSON object per line. */
  readonly pretty: boolean;
  /** Identity of the program, added to every line. */
  readonly program?: { readonly service: string; readonly version: string; readonly commit: string };
  /** Output instead of standard output. */
  readonly destination?: DestinationStream;
}

/** Fields at the beginning of a readable line, in this order, with their format; absent and 0 are omitted. */
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

/** Format with one line per event, short enough for two lines of a narrow terminal. */
const FOR_PEOPLE = {
  translateTime: 'mm-dd HH:MM:ss.l',
  messageKey: 'event',
  messageFormat: ['{event}', ...Object.entries(IN_WORDS).map(([field, words]) => `{if ${field}}${words}{end}`)].join(
    ' ',
  ),
  ignore: ['pid', 'hostname', 'service', 'version', 'commit', ...Object.keys(IN_WORDS)].join(','),
  singleLine: true,
};

/**
 * Creates a structured logger on standard output. Secrets (tokens, passwords, one-time passwords, keys, authorization
 * headers) are redacted up to three levels below the top; code must not rely on that and log them.
 */
export function createLogger({ level, pretty, program, destination }: LoggerOptions): WatchableLogger {
  const options = {
    level,
    messageKey: 'event',
    formatters: { level: (word: string) => ({ level: word }) },
    serializers: { ...CENSORED, err: (error: unknown) => serializeError(error) },
  };
  const logOf = (lines: Pino): WatchableLogger => new EventLogger(lines, program);
  if (destination !== undefined) return logOf(pino(options, destination));
  if (!pretty) return logOf(pino(options));
  const forPeople = { target: 'pino-pretty', options: FOR_PEOPLE };
  // A transport runs in a separate thread and cannot have formatters.
  const { formatters: _inThisThread, ...transportable } = options;
  return logOf(pino({ ...transportable, transport: forPeople }));
}

/**
 * One class for all loggers, because V8 calls methods faster on a single object shape. Most children belong to requests
 * that log nothing, so pino's child is created at the first event.
 */
class EventLogger implements WatchableLogger {
  #lines: Pino;
  /** Fields not yet added to the lines. */
  #fields: object | undefined;
  readonly #onEvent: OnEvent | undefined;

  constructor(lines: Pino, fields?: object, onEvent?: OnEvent) {
    this.#lines = lines;
    this.#fields = fields;
    this.#onEvent = onEvent;
  }

  event(name: LogEvent, fields: object = {}): void {
    this.#onEvent?.(name);
    this.#ownLines()[LOG_EVENTS[name][0]](redacted(fields), name);
  }

  child(fields: object): Logger {
    return new EventLogger(this.#ownLines(), fields, this.#onEvent);
  }

  watched(onEvent: OnEvent): Logger {
    return new EventLogger(this.#lines, this.#fields, onEvent);
  }

  #ownLines(): Pino {
    if (this.#fields !== undefined) {
      this.#lines = this.#lines.child(redacted(this.#fields));
      this.#fields = undefined;
    }
    return this.#lines;
  }
}

/** Limit of followed causes; more suggest a cycle. */
const MAX_CAUSES = 5;

/**
 * Serializes only the named parts of an error, because libraries attach whole requests with headers and raw bytes.
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

/** Names under which secrets could appear in a log entry by mistake. */
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

/** Serializers for pino that censor secret top-level fields without a search. */
const CENSORED = Object.fromEntries(SECRET_NAMES.map((name) => [name, () => CENSOR]));

/** Levels of nesting searched for secrets. */
const SEARCHED_LEVELS = 4;

/**
 * Removes secrets nested in the fields of an entry; copies only if there are any. Secret top-level fields are left to
 * {@link CENSORED}.
 */
function redacted(fields: object): object {
  let copy: Record<string, unknown> | undefined;
  for (const name in fields) {
    const entry: unknown = fields[name as keyof typeof fields];
    const shown = searched(entry, 1);
    if (shown === entry) continue;
    copy ??= { ...fields };
    copy[name] = shown;
  }
  return copy ?? fields;
}

/** Searches a value for secrets; skips errors, of which only the named parts are written. */
function searched(value: unknown, level: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (level === SEARCHED_LEVELS || types.isNativeError(value)) return value;
  return Array.isArray(value) ? searchedList(value, level) : searchedFields(value, level);
}

function searchedList(list: readonly unknown[], level: number): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const shown = searched(list[index], level + 1);
    if (shown === list[index]) continue;
    copy ??= [...list];
    copy[index] = shown;
  }
  return copy ?? list;
}

function searchedFields(value: object, level: number): object {
  let copy: Record<string, unknown> | undefined;
  for (const name in value) {
    const entry: unknown = value[name as keyof typeof value];
    const shown = SECRET_KEYS.has(name) ? CENSOR : searched(entry, level + 1);
    if (shown === entry) continue;
    copy ??= { ...value };
    copy[name] = shown;
  }
  return copy ?? value;
}

/** Logger interface of the AWS SDK. */
type AwsSdkLogger = Record<'trace' | 'debug' | 'info' | 'warn' | 'error', (...content: unknown[]) => void>;

/**
 * Logs warnings that the AWS SDK would write to the console. Other levels hold whole requests, and errors are thrown
 * as well.
 */
export function awsSdkLogger(logger: Logger): AwsSdkLogger {
  const ignore = (): void => undefined;
  return {
    trace: ignore,
    debug: ignore,
    info: ignore,
    warn: (text: unknown) => logger.event('process.warned', { reason: `AWS SDK: ${String(text)}` }),
    error: ignore,
  };
}

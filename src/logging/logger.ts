import { types } from 'node:util';
import { pino, type DestinationStream, type Logger as Pino } from 'pino';
import { LOG_EVENTS, type LogEvent, type Logger, type OnEvent, type WatchableLogger } from './log-events.js';
import { CENSORED, redacted } from './redaction.js';

export type { Logger, WatchableLogger } from './log-events.js';

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
  // A transport runs in a thread of its own and cannot have formatters.
  const { formatters: _inThisThread, ...transportable } = options;
  return logOf(pino({ ...transportable, transport: forPeople }));
}

/**
 * One class for all: what logs is called from everywhere, and V8 calls faster what has one shape. Most children are
 * made for a request that has nothing to say, so pino is asked for one when there is something.
 */
class EventLogger implements WatchableLogger {
  #lines: Pino;
  /** What the lines do not carry yet. */
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

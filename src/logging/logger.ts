import { types } from 'node:util';
import { pino, type DestinationStream, type Logger as Pino } from 'pino';
import { LOG_EVENTS, type LogEvent, type Logger } from './log-events.js';
import { CENSORED, redacted } from './redaction.js';

export type { Logger } from './log-events.js';

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
    child: (fields) => new ChildLogger(lines, fields),
  };
}

/** Most children are made for a request that has nothing to say, so pino is asked when there is something. */
class ChildLogger implements Logger {
  readonly #parent: Pino;
  readonly #fields: object;
  #own: Logger | undefined;

  constructor(parent: Pino, fields: object) {
    this.#parent = parent;
    this.#fields = fields;
  }

  event(name: LogEvent, fields?: object): void {
    this.#made().event(name, fields);
  }

  child(fields: object): Logger {
    return this.#made().child(fields);
  }

  #made(): Logger {
    return (this.#own ??= eventLogger(this.#parent.child(redacted(this.#fields))));
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

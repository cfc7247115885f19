import { types } from 'node:util';
import { pino, type DestinationStream, type Logger as Pino } from 'pino';
import { LOG_EVENTS, type LogEvent } from './log-events.js';

/** Writes events, one line each. */
export interface Logger {
  /**
   * Writes an event at its level.
   *
   * @param fields its particulars; an error goes under `err`, its text alone under `reason`
   */
  event(name: LogEvent, fields?: object): void;
  /** A logger whose events carry these fields as well. */
  child(fields: object): Logger;
}

/** Where secrets could appear in a log entry, whatever the reason it got there. */
const SECRET_KEYS = [
  'authorization',
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'otp',
  'challenge',
  'apiKey',
  '["x-api-key"]',
  'cookie',
];

const REDACTED_PATHS = SECRET_KEYS.flatMap((key) => {
  const nested = key.startsWith('[') ? key : `.${key}`;
  return [key, `*${nested}`, `*.*${nested}`, `*.*.*${nested}`];
});

/** How the process logs. */
export interface LoggerOptions {
  /** Least severe level that is written: `trace` to `fatal`, or `silent`. */
  readonly level: string;
  /** For people at a terminal instead of one JSON object a line. */
  readonly pretty: boolean;
  /** Where entries go instead of standard output. */
  readonly destination?: DestinationStream;
}

/**
 * Structured logger on standard output. Secrets (tokens, passwords, one-time passwords, keys, authorization
 * headers) are redacted wherever they appear up to three levels deep; nothing may rely on that and log them.
 */
export function createLogger({ level, pretty, destination }: LoggerOptions): Logger {
  const options = {
    level,
    messageKey: 'event',
    formatters: { level: (word: string) => ({ level: word }) },
    redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
    serializers: { err: (error: unknown) => serializeError(error) },
  };
  if (destination !== undefined) return eventLogger(pino(options, destination));
  if (!pretty) return eventLogger(pino(options));
  const forPeople = {
    target: 'pino-pretty',
    options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l', messageKey: 'event' },
  };
  // A transport runs in a thread of its own and cannot have formatters.
  const { formatters: _inThisThread, ...transportable } = options;
  return eventLogger(pino({ ...transportable, transport: forPeople }));
}

function eventLogger(lines: Pino): Logger {
  return {
    event(name, fields = {}) {
      lines[LOG_EVENTS[name][0]](fields, name);
    },
    child: (fields) => eventLogger(lines.child(fields)),
  };
}

/** Causes that are followed; more are a sign of a circle. */
const DEEPEST_CAUSE = 5;

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
    ...(cause !== undefined && depth < DEEPEST_CAUSE && { cause: serializeError(cause, depth + 1) }),
  };
}

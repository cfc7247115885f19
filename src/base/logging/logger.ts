import { hostname } from 'node:os';
import { pid } from 'node:process';
import { types } from 'node:util';
import {
  LOG_EVENTS,
  type LogDestination,
  type LogEvent,
  type Logger,
  type LogLevel,
  type OnEvent,
  type WatchableLogger,
} from './log-events.js';
import { inSources } from './source-positions.js';

export type { LogDestination, Logger, WatchableLogger } from './log-events.js';

export interface LoggerOptions {
  /** Least severe level to write: `trace` to `fatal`, or `silent`. */
  readonly level: string;
  /** Identity of the program, added to every line. */
  readonly program?: { readonly service: string; readonly version: string; readonly commit: string };
  /** Output; nothing is written without one. */
  readonly destination?: LogDestination;
}

/** Formats of the fields at the beginning of a readable line, in this order; absent fields and 0 are omitted. */
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

/** Levels by severity. */
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const satisfies readonly LogLevel[];

/** Texts of an event that are the same in each of its lines, and whether its lines are written at once. */
interface EventText {
  readonly head: string;
  readonly tail: string;
  readonly isUrgent: boolean;
}

type EventTexts = Partial<Record<LogEvent, EventText>>;

/**
 * Creates a structured logger that writes one JSON object per line. Secrets (tokens, passwords, one-time passwords,
 * keys, authorization headers) are redacted at any level; code must not rely on that and log them.
 */
export function createLogger({ level, program, destination = NOWHERE }: LoggerOptions): WatchableLogger {
  const least = LEVELS.findIndex((word) => word === level);
  const texts: EventTexts = {};
  for (const [event, [word]] of Object.entries(LOG_EVENTS)) {
    const severity = LEVELS.indexOf(word);
    if (least < 0 || severity < least) continue;
    // The key is one of the table.
    texts[event as LogEvent] = {
      head: `{"level":"${word}","time":`,
      tail: `,"event":"${event}"}\n`,
      isUrgent: severity >= LEVELS.indexOf('warn'),
    };
  }
  return new EventLogger(texts, membersOf({ pid, hostname: hostname(), ...program }), destination);
}

const NOWHERE: LogDestination = { write: () => undefined };

/** Makes lines readable for people on a terminal before they go to the output. */
export async function forPeople(output: LogDestination): Promise<LogDestination> {
  const { prettyFactory } = await import('pino-pretty');
  const prettify = prettyFactory(FOR_PEOPLE);
  return {
    write: (line, isUrgent) => output.write(prettify(line), isUrgent),
    get lostLines() {
      return output.lostLines ?? 0;
    },
  };
}

/**
 * Logger of events. It is one class for all loggers, because V8 calls methods faster on a single object shape. Most
 * child loggers belong to requests that log nothing, so the text of their fields is made at the first event.
 */
class EventLogger implements WatchableLogger {
  readonly #texts: EventTexts;
  /** Text of the fields in every line. */
  #text: string;
  /** Fields not yet added to the text. */
  #fields: object | undefined;
  readonly #destination: LogDestination;
  readonly #onEvent: OnEvent | undefined;

  constructor(texts: EventTexts, text: string, destination: LogDestination, fields?: object, onEvent?: OnEvent) {
    this.#texts = texts;
    this.#text = text;
    this.#destination = destination;
    this.#fields = fields;
    this.#onEvent = onEvent;
  }

  event(name: LogEvent, fields: object = {}): void {
    this.#onEvent?.(name);
    const text = this.#texts[name];
    if (text === undefined) return;
    this.#destination.write(
      `${text.head}${Date.now()}${this.#ownText()}${membersOf(fields)}${text.tail}`,
      text.isUrgent,
    );
  }

  child(fields: object): Logger {
    return new EventLogger(this.#texts, this.#ownText(), this.#destination, fields, this.#onEvent);
  }

  watched(onEvent: OnEvent): Logger {
    return new EventLogger(this.#texts, this.#text, this.#destination, this.#fields, onEvent);
  }

  get lostLines(): number {
    return this.#destination.lostLines ?? 0;
  }

  #ownText(): string {
    if (this.#fields !== undefined) {
      this.#text += membersOf(this.#fields);
      this.#fields = undefined;
    }
    return this.#text;
  }
}

/** Writes fields as the members of a JSON object, each after a comma, without secrets. */
function membersOf(fields: object): string {
  let text = '';
  for (const name in fields) {
    const value = valueOf(name, fields[name as keyof typeof fields]); // a name of its own
    if (value !== undefined) text += `,${quoted(name)}:${value}`;
  }
  return text;
}

/** Returns a value as JSON; undefined for one that JSON has no words for. */
function valueOf(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (SECRET_NAMES.has(name)) return quoted(CENSOR);
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  try {
    return JSON.stringify(name === 'err' ? serializeError(value) : value, censored);
  } catch {
    return '"[not serializable]"'; // a circle, for example
  }
}

/** Characters that JSON escapes; halves of pairs are left to the engine. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** Quotes a text, which costs a third of `JSON.stringify` for a text without such characters. */
function quoted(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

const MAX_CAUSES = 5;

/** Serializes only some parts of an error, because libraries attach whole requests, with headers and raw bytes. */
function serializeError(error: unknown, depth = 0): object {
  if (!types.isNativeError(error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message,
    ...('code' in error && { code: error.code }),
    stack: stack && inSources(stack),
    ...(cause !== undefined && depth < MAX_CAUSES && { cause: serializeError(cause, depth + 1) }),
  };
}

/** Names under which secrets could appear in a log entry by mistake. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
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
]);

const CENSOR = '[redacted]';

function censored(name: string, value: unknown): unknown {
  return SECRET_NAMES.has(name) ? CENSOR : value;
}

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

/**
 * Errors of the gateway. Each has a stable `code` and a text for people: what happened and what to do.
 * One function per transport turns them into output (`http/error-handler.ts`, `graphql/error-mapping.ts`);
 * anything that is not one of these is an `InternalError` there, and its text never leaves.
 */

/** Error codes of the GraphQL interface and of report entries, with the status each stands for. */
export const ERROR_STATUS = {
  UnAuthenticated: 400,
  Forbidden: 403,
  NotFound: 404,
  BadInput: 400,
  InvalidCredentials: 401,
  TooManyRequests: 429,
  ServiceUnavailable: 503,
  InternalError: 500,
} as const;

/** A stable error code. */
export type ErrorCode = keyof typeof ERROR_STATUS;

/** What the specification calls an error, ready to be shown: the message is written for the caller. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  /** Whole seconds after which it is worth trying again, where that is known. */
  readonly retryAfterSeconds: number | undefined = undefined;

  /**
   * @param code stable code; decides the status
   * @param message text for the caller; of `InternalError` it never leaves
   * @param options.cause what led to it, for the log only
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Status that the code stands for (specification, "Errors"). */
  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** Why authentication failed; no other texts exist (specification, "GraphQL authentication error"). */
export type AuthenticationFailure = 'Authorization header not set' | 'token is invalid';

/** The caller is not authenticated (specification, "GraphQL authentication error"). */
export function unauthenticated(message: AuthenticationFailure): GatewayError {
  return new GatewayError('UnAuthenticated', message);
}

/** The caller is known and may not do this. */
export function forbidden(message: string): GatewayError {
  return new GatewayError('Forbidden', message);
}

/** What was asked for does not exist, or the caller may not know that it does. */
export function notFound(message: string): GatewayError {
  return new GatewayError('NotFound', message);
}

/** The input cannot be used; the message names the field. */
export function badInput(message: string): GatewayError {
  return new GatewayError('BadInput', message);
}

/** A limit on attempts was reached. The message is read by people who know nothing of our configuration. */
export class TooManyRequestsError extends GatewayError {
  override readonly retryAfterSeconds: number;

  /**
   * @param what what there was too much of, as a sentence
   * @param retryAfterMs when it is worth trying again
   */
  constructor(what: string, retryAfterMs: number) {
    const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
    super('TooManyRequests', `${what} Try again in ${inWords(seconds)}.`);
    this.retryAfterSeconds = seconds;
  }
}

/** Longer waits are told in minutes. */
const MAX_SECONDS_IN_WORDS = 120;

function inWords(seconds: number): string {
  if (seconds > MAX_SECONDS_IN_WORDS) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

/** A dependency does not answer; trying again later may help. `dependency` is a name such as `geo-api`. */
export class ServiceUnavailableError extends GatewayError {
  constructor(
    readonly dependency: string,
    options?: ErrorOptions,
  ) {
    super('ServiceUnavailable', `${dependency} is temporarily unavailable. Try again later.`, options);
  }
}

/** Text of anything thrown, for the log. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  // A host with several addresses fails with an error for each, and no text of its own.
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0]);
  return error.name;
}

/** Causes of an error that are looked at. */
const MAX_CAUSES = 8;

/**
 * The codes and names that an error and its causes go by, the nearest first: of the operating system (`ENOENT`), of
 * TLS, of SQLite, of a service. By shape and not by class: errors of the system may come from another realm.
 */
export function codesOf(error: unknown): readonly string[] {
  const codes: unknown[] = [];
  let next = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof next === 'object' && next !== null; depth += 1) {
    const cause: object = next;
    codes.push(...['Code', 'code', 'name'].map((property): unknown => Reflect.get(cause, property)));
    next = Reflect.get(cause, 'cause');
  }
  return codes.filter((code) => typeof code === 'string');
}

/** Whether an error, or one of its causes, goes by one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codesOf(error).some((code) => codes.includes(code));
}

/** What an error of ours stands for, for the log: its cause, where it has one. */
export function causeOf(error: unknown): unknown {
  return error instanceof GatewayError ? (error.cause ?? error) : error;
}

/** Longest text that repeats something a caller sent, in characters: about a line. */
const MAX_LINE = 240;

/** Characters of each end that are kept of a longer one: what it is about, and what is wrong with it. */
const KEPT = 110;

/** A text that may repeat what a caller sent, as one line: its middle is left out where it is longer. */
export function toLine(text: string): string {
  const cut = text.length > MAX_LINE ? `${text.slice(0, KEPT)} … ${text.slice(-KEPT)}` : text;
  // A character may have been cut in two.
  return cut.toWellFormed();
}

/**
 * Errors of the gateway. Each has a stable `code` and a text for users with the problem and the remedy. One function
 * per transport turns them into output (`http/error-handler.ts`, `graphql/error-mapping.ts`). Any other error becomes
 * an `InternalError` there, and its text stays internal.
 */

/** Error codes of the GraphQL interface and of report entries, with their statuses. */
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

/** An error as in the specification, with a message written for the caller. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  /** Whole seconds until a retry makes sense, if known. */
  readonly retryAfterSeconds: number | undefined = undefined;

  /**
   * @param code stable code; decides the status
   * @param message text for the caller; with `InternalError` it stays internal
   * @param options.cause cause, for the log only
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Status of the code (specification, "Errors"). */
  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** The only texts of failed authentication (specification, "GraphQL authentication error"). */
export type AuthenticationFailure = 'Authorization header not set' | 'token is invalid';

/** The caller is not authenticated (specification, "GraphQL authentication error"). */
export function unauthenticated(message: AuthenticationFailure): GatewayError {
  return new GatewayError('UnAuthenticated', message);
}

/** The caller is known but lacks the permission. */
export function forbidden(message: string): GatewayError {
  return new GatewayError('Forbidden', message);
}

/** The object does not exist, or the caller may not know that it does. */
export function notFound(message: string): GatewayError {
  return new GatewayError('NotFound', message);
}

/** The input cannot be used; the message names the field. */
export function badInput(message: string): GatewayError {
  return new GatewayError('BadInput', message);
}

/** A limit on attempts was reached. The readers of the message do not know our configuration. */
export class TooManyRequestsError extends GatewayError {
  override readonly retryAfterSeconds: number;

  /**
   * @param what the reached limit, as a sentence
   * @param retryAfterMs time until a retry makes sense, in milliseconds
   */
  constructor(what: string, retryAfterMs: number) {
    const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
    super('TooManyRequests', `${what} Try again in ${inWords(seconds)}.`);
    this.retryAfterSeconds = seconds;
  }
}

/** Longest wait in seconds; longer ones are given in minutes. */
const MAX_SECONDS_IN_WORDS = 120;

function inWords(seconds: number): string {
  if (seconds > MAX_SECONDS_IN_WORDS) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

/** A dependency does not answer; a later retry may help. `dependency` is a name such as `geo-api`. */
export class ServiceUnavailableError extends GatewayError {
  constructor(
    readonly dependency: string,
    options?: ErrorOptions,
  ) {
    super('ServiceUnavailable', `${dependency} is temporarily unavailable. Try again later.`, options);
  }
}

/** Returns a text for any thrown value, for the log. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  // A host with several addresses fails with an error for each address, and without an overall text.
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0]);
  return error.name;
}

/** Limit of causes that are followed. */
const MAX_CAUSES = 8;

/**
 * Returns codes and names of an error and its causes, the nearest first: of the operating system (`ENOENT`), of TLS, of
 * SQLite, of a service. By shape and not by class: errors of the system may come from another realm.
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

/** Returns true if an error or one of its causes has one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codesOf(error).some((code) => codes.includes(code));
}

/** Returns the cause of a gateway error for the log, if any, else the error. */
export function causeOf(error: unknown): unknown {
  return error instanceof GatewayError ? (error.cause ?? error) : error;
}

/** Longest text that repeats input of a caller, in characters: about a line. */
const MAX_LINE = 240;

/** Characters kept at each end of a longer text: the subject and the fault. */
const KEPT = 110;

/** Shortens a text that may repeat a caller's input to one line, by omitting the middle. */
export function toLine(text: string): string {
  const cut = text.length > MAX_LINE ? `${text.slice(0, KEPT)} … ${text.slice(-KEPT)}` : text;
  // The cut may have split a character.
  return cut.toWellFormed();
}

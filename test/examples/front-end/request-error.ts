import type { ErrorCode } from 'vehicle-location-gateway-front-end';

/** A request that the gateway, or the way to it, refused. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly code: ErrorCode;
  /** Name of the text, for translations. */
  readonly reason: string | undefined;
  /** Whole seconds after which it is worth trying again, where that is known. */
  readonly retryAfterSeconds: number | undefined;
  /** Finds the request in the log of the gateway. */
  readonly requestId: string | undefined;

  constructor(code: ErrorCode, message: string, { reason, retryAfterSeconds, requestId, ...options }: Details = {}) {
    super(message, options);
    this.code = code;
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
    this.requestId = requestId;
  }
}

interface Details extends ErrorOptions {
  readonly reason?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly requestId?: string | undefined;
}

/** The page belongs to a log-in that is over, and must not act for another user. The message is for people. */
export class EarlierLogInError extends Error {
  override readonly name = 'EarlierLogInError';
}

/** Whether something was refused with one of these codes. */
export function isRefused(error: unknown, ...codes: readonly ErrorCode[]): error is RequestError {
  return error instanceof RequestError && codes.includes(error.code);
}

/** Returns the message for people. The compiler asks for a case when the gateway gets a new code. */
export function wordsFor(error: unknown): string {
  if (error instanceof EarlierLogInError) return error.message;
  if (!(error instanceof RequestError)) return 'This page made a mistake. Reload it and try again.';
  const { code, message, requestId } = error;
  switch (code) {
    case 'UnAuthenticated':
      return 'Your session has ended. Log in again.';
    case 'BadInput':
      return `This cannot be used as it is. ${message}`;
    case 'InternalError':
      return requestId === undefined ? message : `${message} If that does not help, tell us this number: ${requestId}`;
    case 'Forbidden':
    case 'NotFound':
    case 'InvalidCredentials':
    case 'TooManyRequests':
    case 'ServiceUnavailable':
      // Written for people already: what happened, and what to do.
      return message;
    default:
      // A later gateway has a code that this page does not know.
      return `The service refused this, and this page does not know why. Load the page again. It says: ${message}`;
  }
}

import { GatewayError, ServiceUnavailableError, type ErrorCode } from '../errors.js';

/** A backend understood a request and refused it. The message is the backend's own and is written for people. */
export class BackendRefusal extends GatewayError {
  /**
   * @param backend who refused, e.g. `backend-api`
   * @param httpStatus the 4xx status it answered
   * @param retryAfterMs the pause it asked for
   */
  constructor(
    readonly backend: string,
    readonly httpStatus: number,
    code: ErrorCode,
    message: string,
    readonly retryAfterMs?: number,
  ) {
    super(code, message);
  }
}

/** A backend answered that it cannot serve now (5xx). */
export class BackendOutage extends ServiceUnavailableError {
  /** @param retryAfterMs the pause it asked for */
  constructor(
    backend: string,
    httpStatus: number,
    readonly retryAfterMs?: number,
  ) {
    super(backend, { cause: new Error(`${backend} answered ${httpStatus}`) });
  }
}

/** We cut the call off ourselves, because its result is no longer wanted; it says nothing about the backend. */
export class CallCutOffError extends ServiceUnavailableError {}

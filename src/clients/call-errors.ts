import { GatewayError, ServiceUnavailableError, type ErrorCode } from '../errors.js';

/** A backend understood a request and refused it (4xx). The message is the backend's own and is written for people. */
export class BackendRefusal extends GatewayError {
  override readonly retryAfterSeconds: number | undefined;

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
    this.retryAfterSeconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000);
  }
}

/** What is known of an outage. */
export interface OutageDetails extends ErrorOptions {
  /** The 5xx status that was answered; absent when no answer came. */
  readonly httpStatus?: number | undefined;
  /** The pause that the backend asked for. */
  readonly retryAfterMs?: number | undefined;
  /** When a call through the same circuit was last answered with less than 500; milliseconds since 1970. */
  readonly servedAt?: number | undefined;
}

/**
 * A backend failed: the connection did, no answer came in time, or it answered 5xx. Whether it did what it was asked
 * for is in doubt. Nothing else counts against a circuit.
 */
export class BackendOutage extends ServiceUnavailableError {
  /** The 5xx status that was answered; undefined when no answer came. */
  readonly httpStatus: number | undefined;
  /** The pause that the backend asked for. */
  readonly retryAfterMs: number | undefined;
  /**
   * When a call through the same circuit was last answered with less than 500; milliseconds since 1970, undefined
   * when none was yet.
   */
  readonly servedAt: number | undefined;

  constructor(backend: string, { httpStatus, retryAfterMs, servedAt, cause }: OutageDetails = {}) {
    super(backend, { cause: cause ?? new Error(`${backend} answered ${httpStatus ?? 'nothing'}`) });
    this.httpStatus = httpStatus;
    this.retryAfterMs = retryAfterMs;
    this.servedAt = servedAt;
  }
}

/** We refused the call ourselves, by an open circuit or for want of a connection: it was never sent. */
export class CallRefusedError extends ServiceUnavailableError {}

/** A reply does not match its contract, or is no JSON. Asking again would bring the same. */
export class ContractBreach extends ServiceUnavailableError {
  /**
   * @param rule what the reply departs from, for the log
   * @param path of the field that does (JSON pointer); empty: the reply as a whole
   */
  constructor(
    backend: string,
    readonly rule: string,
    readonly path = '',
  ) {
    const what = `${path} ${rule}`.trim();
    super(backend, { cause: new Error(`${backend} sent what its contract does not allow: ${what}`) });
  }
}

/**
 * A backend hung up, without a reply, on a request larger than every server takes: it is too large for this one, and
 * asking again would bring the same. It says nothing about the backend.
 */
export class LargeRequestDroppedError extends ServiceUnavailableError {}

/**
 * We cut the call off ourselves, because its result is no longer wanted: the client went away, or the operation is
 * over. It says nothing about the backend.
 */
export class CallCutOffError extends ServiceUnavailableError {}

/**
 * A backend refused our service key (401): nobody's item has failed, and nothing was done. Somebody has to change the
 * key.
 */
export class KeyRefusedError extends ServiceUnavailableError {
  constructor(backend: string) {
    super(backend, { cause: new Error(`${backend} refused the service key`) });
  }
}

/** Whether the same call may succeed after a while: an outage, our own refusal, or a backend that is busy. */
export function isTransient(error: unknown): boolean {
  return error instanceof BackendOutage || error instanceof CallRefusedError || isBusy(error);
}

/** Statuses that speak of the moment: too slow, too early, too much (RFC 9110, 15.5.9; RFC 8470; RFC 6585). */
const BUSY: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether a backend refused a call because of the moment it came at. */
export function isBusy(error: unknown): error is BackendRefusal {
  return error instanceof BackendRefusal && BUSY.has(error.httpStatus);
}

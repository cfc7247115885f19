import type { ErrorCode } from '../error-table.js';
import { asSentence, GatewayError, ServiceUnavailableError, type Dependency } from '../errors.js';
import type {} from '../observation.js'; // for the declaration below
import type { Caller } from './caller.js';

/** Name of a backend. */
export type BackendName = Extract<Dependency, `${string}-api`>;

/** Code of a refusal. */
export type RefusalCode = Extract<
  ErrorCode,
  'UnAuthenticated' | 'Forbidden' | 'NotFound' | 'BadInput' | 'TooManyRequests'
>;

const REASON_OF_REFUSAL = {
  // Callers replace this error: a refused token is its owner's fault, and a refused key is ours.
  UnAuthenticated: 'RefusedByBackend',
  Forbidden: 'ForbiddenByBackend',
  NotFound: 'UnknownToBackend',
  BadInput: 'RefusedByBackend',
  TooManyRequests: 'TooManyForBackend',
} as const satisfies Record<RefusalCode, string>;

/** A backend understood a request and refused it (4xx). The message is the backend's own and written for people. */
export class BackendRefusal extends GatewayError<(typeof REASON_OF_REFUSAL)[RefusalCode]> {
  override readonly code: RefusalCode;
  override readonly retryAfterSeconds: number | undefined;

  /**
   * @param httpStatus its 4xx status
   * @param answer its own words
   * @param retryAfterMs its requested pause
   */
  constructor(
    readonly backend: BackendName,
    readonly httpStatus: number,
    code: RefusalCode,
    readonly answer: string,
    readonly retryAfterMs?: number,
  ) {
    super(REASON_OF_REFUSAL[code], { answer: asSentence(answer) });
    this.code = code;
    this.retryAfterSeconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000);
  }
}

/** Known details of an outage. */
export interface OutageDetails extends ErrorOptions {
  /** Answered 5xx status; absent without an answer. */
  readonly httpStatus?: number | undefined;
  /** Backend's requested pause. */
  readonly retryAfterMs?: number | undefined;
  /** Time when a call through the same circuit was last answered with less than 500; milliseconds since 1970. */
  readonly servedAt?: number | undefined;
}

/**
 * A backend failed: the connection did, no answer came in time, or it answered 5xx. The effect of the call is in doubt.
 * Only this error counts against a circuit.
 */
export class BackendOutage extends ServiceUnavailableError {
  /** Answered 5xx status; undefined without an answer. */
  readonly httpStatus: number | undefined;
  /** Backend's requested pause. */
  readonly retryAfterMs: number | undefined;
  /**
   * Time when a call through the same circuit was last answered with less than 500; milliseconds since 1970, undefined
   * if none was yet.
   */
  readonly servedAt: number | undefined;

  constructor(backend: BackendName, { httpStatus, retryAfterMs, servedAt, cause }: OutageDetails = {}) {
    super(backend, { cause: cause ?? new Error(`${backend} answered ${httpStatus ?? 'nothing'}`) });
    this.httpStatus = httpStatus;
    this.retryAfterMs = retryAfterMs;
    this.servedAt = servedAt;
  }
}

/** The gateway did not send a call, because of an open circuit or a lack of connections. */
export class CallRefusedError extends ServiceUnavailableError {}

/** A reply does not match its contract, or is not JSON. A repeated call would give the same. */
export class ContractBreach extends ServiceUnavailableError {
  /**
   * @param rule the broken rule, for the log
   * @param path JSON pointer of the field that breaks it; empty for the reply as a whole
   * @param ofAll number of invalid entries of a list, if this is the last one with an error of its own
   */
  constructor(
    backend: BackendName,
    readonly rule: string,
    readonly path = '',
    readonly ofAll?: number,
  ) {
    super(backend, { cause: new Error(`${backend} broke its contract: ${`${path} ${rule}`.trim()}`) });
  }
}

/**
 * A backend closed the connection, without a reply, on a request larger than some servers accept. The request is
 * probably too large, and would fail again. This says nothing about the backend's health.
 */
export class LargeRequestDroppedError extends ServiceUnavailableError {}

/**
 * The gateway cut a call off, because its result is no longer wanted: the client has disconnected, or the operation is
 * over. This says nothing about the backend's health.
 */
export class CallCutOffError extends ServiceUnavailableError {}

/** A backend refused the service key (401). No item has failed, and no change was made; an operator has to act. */
export class KeyRefusedError extends ServiceUnavailableError {
  constructor(backend: BackendName) {
    super(backend, { cause: new Error(`${backend} refused the service key`) });
  }
}

/** Returns true if the same call may succeed later: after an outage, our own refusal, or a busy backend. */
export function isTransient(error: unknown): boolean {
  return error instanceof BackendOutage || error instanceof CallRefusedError || isBusy(error);
}

/** Statuses for "too slow", "too early" and "too much" (RFC 9110, 15.5.9; RFC 8470; RFC 6585). */
const BUSY: ReadonlySet<number> = new Set([408, 425, 429]);

/** Returns true if a backend refused a call only for now. */
export function isBusy(error: unknown): error is BackendRefusal {
  return error instanceof BackendRefusal && BUSY.has(error.httpStatus);
}

/** Start of a backend call; a repeated one starts again. */
export interface StartedCall {
  /** Called backend, e.g. `backend-api`. */
  readonly backend: BackendName;
  /** Name of the call, from a small fixed set, e.g. `listMobiles`. */
  readonly call: string;
  /** Kind of caller; undefined for calls without one. */
  readonly caller: Caller['kind'] | undefined;
}

/**
 * Outcome of a call.
 *
 * - `ok`: answered according to its contract
 * - `refused`: answered 4xx
 * - `failed`: no connection, no answer in time, or 5xx
 * - `odd`: the answer breaks the contract
 * - `not_sent`: refused here, by an open circuit or for lack of a connection
 * - `cut_off`: its result was no longer wanted
 */
type CallOutcome = 'ok' | 'refused' | 'failed' | 'odd' | 'not_sent' | 'cut_off';

/** End of a call. */
export interface EndedCall {
  readonly outcome: CallOutcome;
  /** Absent if the outcome is `ok`. */
  readonly error?: unknown;
}

declare module '../observation.js' {
  interface ObservedWork {
    call: Observed<StartedCall, EndedCall>;
  }
}

/** Converts a call's error to its outcome. */
export function outcomeOf(error: unknown): CallOutcome {
  if (error instanceof BackendRefusal) return 'refused';
  if (error instanceof CallRefusedError) return 'not_sent';
  if (error instanceof CallCutOffError) return 'cut_off';
  if (error instanceof ContractBreach || error instanceof LargeRequestDroppedError) return 'odd';
  return 'failed';
}

/** Replaces a backend's refusal (4xx) by an error with its meaning here. */
export function reworded<T>(reply: Promise<T>, words: (refusal: BackendRefusal) => GatewayError): Promise<T> {
  return reply.catch((error: unknown) => {
    throw error instanceof BackendRefusal ? words(error) : error;
  });
}

/** Converts a refusal that is not the caller's fault, but a fault between the gateway and the backend. */
export function unavailable({ backend, httpStatus }: BackendRefusal): ServiceUnavailableError {
  // The cause is logged, so it omits the backend's own words, which may quote the request.
  return new ServiceUnavailableError(backend, { cause: new Error(`${backend} answered ${httpStatus}`) });
}

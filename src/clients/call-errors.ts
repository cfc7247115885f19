import type { REFUSALS } from '../../generated/refusals.js';
import type { ErrorCode } from '../base/error-table.js';
import { asSentence, GatewayError, ServiceUnavailableError, undisturbing, type Dependency } from '../base/errors.js';
import type {} from '../base/observation.js'; // for the declaration below
import type { Caller } from './caller.js';

export type BackendName = Extract<Dependency, `${string}-api`>;

/** Name of a call: an `operationId` of the backends' OpenAPI files. */
export type CallName = { [Name in BackendName]: keyof (typeof REFUSALS)[Name] }[BackendName];

const REASON_OF_REFUSAL = {
  // Callers replace this error: a refused token is its owner's fault, and a refused key is ours.
  UnAuthenticated: 'RefusedByBackend',
  Forbidden: 'ForbiddenByBackend',
  NotFound: 'UnknownToBackend',
  BadInput: 'RefusedByBackend',
  TooManyRequests: 'TooManyForBackend',
} as const satisfies Partial<Record<ErrorCode, string>>;

export type RefusalCode = keyof typeof REASON_OF_REFUSAL;

/** A backend understood a request and refused it: 4xx in the form of its contract, with its own words for people. */
export class BackendRefusal extends GatewayError<(typeof REASON_OF_REFUSAL)[RefusalCode]> {
  override readonly code: RefusalCode;
  override readonly retryAfterSeconds: number | undefined;

  /** @param retryAfterMs its requested pause */
  constructor(
    readonly backend: BackendName,
    readonly httpStatus: number,
    code: RefusalCode,
    /** Its own words. */
    readonly answer: string,
    readonly retryAfterMs?: number,
  ) {
    super(REASON_OF_REFUSAL[code], { backendText: asSentence(undisturbing(answer)) });
    this.code = code;
    this.retryAfterSeconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000);
  }
}

/** A backend refused our key (401), in any form: a fault of the configuration, and never the caller's. */
export class KeyRefusal extends BackendRefusal {}

/** Known details of an outage. */
export interface OutageDetails extends ErrorOptions {
  /** Answered 5xx status; absent without an answer. */
  readonly httpStatus?: number | undefined;
  /** Backend's requested pause. */
  readonly retryAfterMs?: number | undefined;
  /**
   * Time of the last answer ({@link isAnswer}) to a call through the same circuit; milliseconds of the monotonic
   * clock, absent before the first.
   */
  readonly servedAt?: number | undefined;
  /** False if no byte of the request was sent; true by default. */
  readonly isSent?: boolean | undefined;
}

/**
 * A backend failed: the connection did, no answer came in time, or it answered 5xx. If the request was sent, the effect
 * of the call is in doubt.
 */
export class BackendOutage extends ServiceUnavailableError implements OutageDetails {
  readonly httpStatus: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly servedAt: number | undefined;
  readonly isSent: boolean;

  constructor(backend: BackendName, { httpStatus, retryAfterMs, servedAt, isSent = true, cause }: OutageDetails = {}) {
    super(backend, { cause: cause ?? new Error(`${backend} answered ${httpStatus ?? 'nothing'}`) });
    this.httpStatus = httpStatus;
    this.retryAfterMs = retryAfterMs;
    this.servedAt = servedAt;
    this.isSent = isSent;
  }
}

/**
 * Something in front of a backend answered: 4xx in a form that the contract of the backend does not have. This says
 * nothing about the request, and does not count against a circuit.
 */
export class ForeignAnswer extends BackendOutage {
  constructor(
    backend: BackendName,
    override readonly httpStatus: number,
    /** Those that show its sender. */
    readonly headers: { readonly contentType: string; readonly server: string },
    details: OutageDetails,
  ) {
    const cause = new Error(`${backend} did not answer; something in front of it did, with ${httpStatus}`);
    super(backend, { ...details, httpStatus, cause });
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

/** Answer with 3xx, which no contract has, so that it need not be the backend's own. */
export class UnexpectedRedirection extends ContractBreach {}

/** A backend closed the connection, without a reply, on a request that is probably too large, and would fail again. */
export class LargeRequestDroppedError extends ServiceUnavailableError {}

/** The gateway cut a call off, because the client has disconnected or the operation is over. */
export class CallCutOffError extends ServiceUnavailableError {}

/** A backend refused the service key (401). No item has failed, and no change was made; an operator has to act. */
export class KeyRefusedError extends ServiceUnavailableError {
  constructor(backend: BackendName) {
    super(backend, { cause: new Error(`${backend} refused the service key`) });
  }
}

/**
 * Returns true if a failed call was answered by the backend itself: 2xx that breaks the contract, or 4xx in its form,
 * except refusals of our key, 408, 425 and 429.
 */
export function isAnswer(error: unknown): boolean {
  if (error instanceof BackendRefusal) return !(error instanceof KeyRefusal) && !isBusyStatus(error.httpStatus);
  if (error instanceof RefusedRequestError) return isAnswer(error.refusal);
  return error instanceof ContractBreach && !(error instanceof UnexpectedRedirection);
}

/** Returns true if a failed call may have had its effect: it was sent, and nothing says that it was refused. */
export function mayHaveEffect(error: unknown): boolean {
  return error instanceof BackendOutage ? error.isSent : error instanceof LargeRequestDroppedError;
}

/** Returns true if the same call may succeed later: after an outage, our own refusal, or a busy backend. */
export function isTransient(error: unknown): boolean {
  if (error instanceof RefusedRequestError) return isBusy(error.refusal);
  return error instanceof BackendOutage || error instanceof CallRefusedError || isBusy(error);
}

/** Returns the pause that a backend asked for, in milliseconds; 0 if none. */
export function askedPauseMs(error: unknown): number {
  if (error instanceof RefusedRequestError) return askedPauseMs(error.refusal);
  return error instanceof BackendOutage || error instanceof BackendRefusal ? (error.retryAfterMs ?? 0) : 0;
}

/** Statuses for "too slow", "too early" and "too much" (RFC 9110, 15.5.9; RFC 8470; RFC 6585). */
const BUSY: ReadonlySet<number> = new Set([408, 425, 429]);

/** Returns true for the status of a refusal that holds only for now. */
export function isBusyStatus(status: number): boolean {
  return BUSY.has(status);
}

/** Returns true if a backend refused a call only for now. */
export function isBusy(error: unknown): error is BackendRefusal {
  return error instanceof BackendRefusal && isBusyStatus(error.httpStatus);
}

interface StartedCall {
  readonly backend: BackendName;
  readonly call: CallName;
  /** Kind of caller; undefined for calls without one. */
  readonly caller: Caller['kind'] | undefined;
}

/**
 * Outcome of a call.
 *
 * - `ok`: answered according to its contract
 * - `refused`: answered 4xx, in the form of the contract
 * - `foreign`: answered 4xx by something in front of the backend
 * - `failed`: no connection, no answer in time, or 5xx
 * - `odd`: the answer breaks the contract
 * - `not_sent`: refused here, by an open circuit or for lack of a connection
 * - `cut_off`: its result was no longer wanted
 */
type CallOutcome = 'ok' | 'refused' | 'foreign' | 'failed' | 'odd' | 'not_sent' | 'cut_off';

interface EndedCall {
  readonly outcome: CallOutcome;
  /** Absent if the outcome is `ok`. */
  readonly error?: unknown;
}

declare module '../base/observation.js' {
  interface ObservedWork {
    call: Observed<StartedCall, EndedCall>;
  }
}

/** Converts a call's error to its outcome. */
export function outcomeOf(error: unknown): CallOutcome {
  if (error instanceof BackendRefusal) return 'refused';
  if (error instanceof ForeignAnswer) return 'foreign';
  if (error instanceof CallRefusedError) return 'not_sent';
  if (error instanceof CallCutOffError) return 'cut_off';
  if (error instanceof ContractBreach || error instanceof LargeRequestDroppedError) return 'odd';
  return 'failed';
}

/**
 * Replaces a backend's refusal (4xx) by an error with its meaning for a caller that does not wait. "Too slow" and "too
 * early" say to a user only that the backend is not available.
 */
export function mapRefusal<T>(reply: Promise<T>, words: (refusal: BackendRefusal) => GatewayError): Promise<T> {
  return reply.catch((error: unknown) => {
    if (!(error instanceof BackendRefusal)) throw error;
    throw [408, 425].includes(error.httpStatus) ? unavailable(error) : words(error);
  });
}

/** A backend refused a request for which the caller is not to blame. */
class RefusedRequestError extends ServiceUnavailableError {
  constructor(readonly refusal: BackendRefusal) {
    const { backend, httpStatus } = refusal;
    // The cause is logged, so it omits the backend's own words, which may quote the request.
    super(backend, { cause: new Error(`${backend} answered ${httpStatus}`) });
  }
}

/** Converts a refusal that is not the caller's fault, but a fault between the gateway and the backend. */
export function unavailable(refusal: BackendRefusal): ServiceUnavailableError {
  return new RefusedRequestError(refusal);
}

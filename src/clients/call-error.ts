import type { BACKEND_OPERATIONS } from '../../generated/backend-operations.js';
import { asSentence, GatewayError, ServiceUnavailableError, undisturbing, type Dependency } from '../base/errors.js';
import type {} from '../base/observation.js'; // for the declaration below
import type { Caller } from './caller.js';

export type BackendName = Extract<Dependency, `${string}-api`>;

/** Name of a call: an `operationId` of the backends' OpenAPI files. */
export type CallName = { [Name in BackendName]: keyof (typeof BACKEND_OPERATIONS)[Name] }[BackendName];

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

interface EndMeaning {
  readonly outcome: CallOutcome;
  /** Number that a circuit adds to: the backend itself answered, or it failed; none if absent. */
  readonly counts?: 'served' | 'failed';
  /** True if the same call may succeed later. */
  readonly isTransient?: true;
  /** True if the call may have had its effect: it was sent, and nothing says that it was refused. */
  readonly isInDoubt?: true;
  /** True if the call may have failed by itself, while the backend answers others. */
  readonly mayBeAlone?: true;
}

/**
 * Ends of a call without a result. Only the backend itself is believed: something in front of it may answer too.
 *
 * - `refused`: 4xx in the form of the contract; `busy`: 408, 425 or 429. `key refused`: 401 to our key
 * - `refused in doubt`: a repetition was refused, and an earlier try may have had its effect
 * - `unreadable`: 2xx that breaks the contract. `redirected`: 3xx, which no contract has
 * - `foreign`: any other 4xx; `foreign busy`: 408, 425 or 429. They say nothing about the request
 * - `failed`: 5xx, no connection, or no answer in time; `answered 500`: a status that may concern one call
 * - `unsent`: no connection, so that no byte of the request was sent
 * - `hung up`: no reply to a request so large that its size is the likely reason
 * - `held back`: refused here, by an open circuit or for lack of a connection
 * - `cut off`: the client has left, or the operation is over
 */
const ENDS = {
  refused: { outcome: 'refused', counts: 'served' },
  busy: { outcome: 'refused', isTransient: true },
  'refused in doubt': { outcome: 'refused', counts: 'served' },
  'key refused': { outcome: 'refused' },
  unreadable: { outcome: 'odd', counts: 'served' },
  redirected: { outcome: 'odd' },
  foreign: { outcome: 'foreign', isTransient: true, isInDoubt: true, mayBeAlone: true },
  'foreign busy': { outcome: 'foreign', isTransient: true, isInDoubt: true },
  failed: { outcome: 'failed', counts: 'failed', isTransient: true, isInDoubt: true },
  'answered 500': { outcome: 'failed', counts: 'failed', isTransient: true, isInDoubt: true, mayBeAlone: true },
  unsent: { outcome: 'failed', counts: 'failed', isTransient: true },
  'hung up': { outcome: 'odd', isInDoubt: true },
  'held back': { outcome: 'not_sent', isTransient: true },
  'cut off': { outcome: 'cut_off' },
} as const satisfies Readonly<Record<string, EndMeaning>>;

export type CallEnd = keyof typeof ENDS;

export interface CallErrorDetails {
  readonly httpStatus?: number;
  /** Pause that the backend asked for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** The backend's own words for people; they may quote the request, and are not for the log. */
  readonly answer?: string;
  /** True if an account with the login id of a create `refused in doubt` exists. */
  readonly exists?: boolean;
  /**
   * Broken rule, JSON pointer of the field that breaks it (empty for the reply as a whole), and the number of invalid
   * entries of a list if this is the last one with an error of its own.
   */
  readonly breach?: { readonly rule: string; readonly path: string; readonly ofAll?: number | undefined };
  /** Headers that show the sender of a foreign answer. */
  readonly sender?: { readonly contentType: string; readonly server: string };
}

/** A call without a result. Users see an absent backend, unless {@link mapRefusal} finds other words. */
export class CallError extends ServiceUnavailableError {
  /** Time of the last answer to a call through the same circuit, which sets it; of the monotonic clock. */
  servedAt: number | undefined;

  /** @param cause for the log; a text follows the name of the backend */
  constructor(
    backend: Dependency,
    readonly end: CallEnd,
    cause: unknown,
    readonly details: CallErrorDetails = {},
  ) {
    super(backend, typeof cause === 'string' ? `${backend} ${cause}` : { cause });
  }
}

/** Returns the meaning of an error. Any other error than one of a call says only that the call failed. */
export function meaningOf(error: unknown): EndMeaning {
  return error instanceof CallError ? ENDS[error.end] : { outcome: 'failed' };
}

export function endedBy(error: unknown, ...ends: readonly CallEnd[]): error is CallError {
  return error instanceof CallError && ends.includes(error.end);
}

/** Makes the error of a reply that breaks its contract. A repeated call would give the same. */
export function contractBreach(backend: Dependency, rule: string, path = '', ofAll?: number): CallError {
  const cause = `broke its contract: ${`${path} ${rule}`.trim()}`;
  return new CallError(backend, 'unreadable', cause, { breach: { rule, path, ofAll } });
}

/** A backend understood a request and refused it, with its own words for people. */
export interface Refusal extends CallError {
  readonly details: CallErrorDetails & { readonly httpStatus: number; readonly answer: string };
}

export function isRefusal(error: unknown): error is Refusal {
  return endedBy(error, 'refused', 'busy', 'refused in doubt');
}

/** Returns true for a 401 of the backend itself. To a token that the gateway has verified, it logs the user out. */
export function isUnauthorized(error: unknown): boolean {
  return isRefusal(error) && error.details.httpStatus === 401;
}

export function reasonOfRefusal({ details: { httpStatus } }: Refusal) {
  if (httpStatus === 403) return 'ForbiddenByBackend';
  if (httpStatus === 404) return 'UnknownToBackend';
  return httpStatus === 429 ? 'TooManyForBackend' : 'RefusedByBackend';
}

/** Makes the error of a refusal for the user whose request it was, in the backend's own words. */
export function inOwnWords(refusal: Refusal): GatewayError {
  const { answer, retryAfterMs } = refusal.details;
  const backendText = asSentence(undisturbing(answer));
  const retryAfterSeconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000);
  return new GatewayError(reasonOfRefusal(refusal), { backendText }, { retryAfterSeconds });
}

/**
 * Replaces a refusal by an error with its meaning for a user. "Too slow" and "too early" say to a user only that the
 * backend is not available.
 */
export function mapRefusal<T>(reply: Promise<T>, words: (refusal: Refusal) => GatewayError): Promise<T> {
  return reply.catch((error: unknown) => {
    throw isRefusal(error) && ![408, 425].includes(error.details.httpStatus) ? words(error) : error;
  });
}

declare module '../base/observation.js' {
  interface ObservedWork {
    call: Observed<
      {
        readonly backend: BackendName;
        readonly baseUrl: string;
        readonly call: CallName;
        /** Kind of caller; undefined for calls without one. */
        readonly caller: Caller['kind'] | undefined;
        readonly withToken: boolean;
      },
      /** The error is absent if the outcome is `ok`. */
      { readonly outcome: CallOutcome; readonly error?: unknown }
    >;
  }
}

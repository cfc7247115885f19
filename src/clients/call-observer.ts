import type { Observer } from '../observation.js';
import {
  BackendRefusal,
  CallCutOffError,
  CallRefusedError,
  ContractBreach,
  LargeRequestDroppedError,
  type BackendName,
} from './call-errors.js';
import type { Caller } from './caller.js';

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
export type CallOutcome = 'ok' | 'refused' | 'failed' | 'odd' | 'not_sent' | 'cut_off';

/** End of a call. */
export interface EndedCall {
  readonly outcome: CallOutcome;
  /** Absent if the outcome is `ok`. */
  readonly error?: unknown;
}

/** Observer of backend calls. */
export type CallObserver = Observer<StartedCall, EndedCall>;

/** Converts a call's error to its outcome. */
export function outcomeOf(error: unknown): CallOutcome {
  if (error instanceof BackendRefusal) return 'refused';
  if (error instanceof CallRefusedError) return 'not_sent';
  if (error instanceof CallCutOffError) return 'cut_off';
  if (error instanceof ContractBreach || error instanceof LargeRequestDroppedError) return 'odd';
  return 'failed';
}

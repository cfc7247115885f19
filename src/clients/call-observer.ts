import type { Observer } from '../observation.js';
import {
  BackendRefusal,
  CallCutOffError,
  CallRefusedError,
  ContractBreach,
  LargeRequestDroppedError,
} from './call-errors.js';
import type { Caller } from './caller.js';

/** A call of a backend that begins; one that is repeated begins again. */
export interface StartedCall {
  /** Who is called, e.g. `backend-api`. */
  readonly backend: string;
  /** Which call, of the few that there are, e.g. `listMobiles`. */
  readonly call: string;
  /** For whom; undefined: for nobody in particular. */
  readonly caller: Caller['kind'] | undefined;
}

/**
 * How a call ended.
 *
 * - `ok`: answered as its contract says
 * - `refused`: answered 4xx
 * - `failed`: no connection, no answer in time, or 5xx
 * - `odd`: answered as its contract does not allow
 * - `not_sent`: refused here, by an open circuit or for want of a connection
 * - `cut_off`: its result was no longer wanted
 */
export type CallOutcome = 'ok' | 'refused' | 'failed' | 'odd' | 'not_sent' | 'cut_off';

/** The end of a call. */
export interface EndedCall {
  readonly outcome: CallOutcome;
  /** Absent when the outcome is `ok`. */
  readonly error?: unknown;
}

/** Watches the calls of backends. */
export type CallObserver = Observer<StartedCall, EndedCall>;

/** What an error says about the call that threw it. */
export function outcomeOf(error: unknown): CallOutcome {
  if (error instanceof BackendRefusal) return 'refused';
  if (error instanceof CallRefusedError) return 'not_sent';
  if (error instanceof CallCutOffError) return 'cut_off';
  if (error instanceof ContractBreach || error instanceof LargeRequestDroppedError) return 'odd';
  return 'failed';
}

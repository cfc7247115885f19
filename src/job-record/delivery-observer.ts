import type { DeliveryCode } from './delivery-outcome.js';
import type { JobMessage } from './job-queue.js';
import type { Observer } from '../observation.js';

export interface StartedDelivery {
  readonly message: JobMessage;
  /** Number from 1; delays are not counted. */
  readonly attempt: number;
}

/**
 * Outcome of a delivery.
 *
 * - `done`: the callback answered 200
 * - `delayed`: not now; it comes again and uses up no attempt
 * - `held_back`: like `delayed`, without a call of its callback: its organisation has enough running
 * - `failed`: it comes again after a back-off
 * - `dead`: it went to the dead letters
 */
export type DeliveryEnd = 'done' | 'delayed' | 'held_back' | 'failed' | 'dead';

export interface EndedDelivery {
  readonly outcome: DeliveryEnd;
  /** Code of the reason, from the table of outcomes; absent without a call. */
  readonly reason?: DeliveryCode;
}

/** Observer of deliveries of job messages. */
export type DeliveryObserver = Observer<StartedDelivery, EndedDelivery>;

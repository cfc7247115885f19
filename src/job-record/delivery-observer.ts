import type { DeliveryCode } from './delivery-outcome.js';
import type { JobMessage } from './job-queue.js';
import type { Observer } from '../observation.js';

/** A message that was taken from the queue. */
export interface StartedDelivery {
  readonly message: JobMessage;
  /** From 1; delays are not counted. */
  readonly attempt: number;
}

/**
 * What became of it.
 *
 * - `done`: the callback answered 200
 * - `delayed`: not now; it comes again and uses up no attempt
 * - `held_back`: the same, and its callback was not even called: its organisation has enough under way
 * - `failed`: it comes again after a back-off
 * - `dead`: it went to the dead letters
 */
export type DeliveryEnd = 'done' | 'delayed' | 'held_back' | 'failed' | 'dead';

/** How a delivery ended. */
export interface EndedDelivery {
  readonly outcome: DeliveryEnd;
  /** The word for why, of the table of outcomes; absent where there was no call. */
  readonly reason?: DeliveryCode;
}

/** Watches deliveries of job messages. */
export type DeliveryObserver = Observer<StartedDelivery, EndedDelivery>;

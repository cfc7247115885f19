/** Name of the queue. */
export const QUEUE_NAME = 'jobs';

/** How messages are delivered again; times in milliseconds. */
export interface DeliverySettings {
  /** Deliveries before a message becomes a dead letter. */
  readonly maxAttempts: number;
  /** Wait after the given failed attempt, counted from 1; by default that of every queue. */
  readonly backOffMs?: (attempt: number) => number;
  /**
   * How long a message belongs to a consumer that gives no sign of life; 30,000 by default. A live consumer
   * renews it every half of that.
   */
  readonly lockMs?: number;
}

/** Default of {@link DeliverySettings.lockMs}. */
export const LOCK_MS = 30_000;

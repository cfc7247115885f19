import type { JobIdentity, JobRecord } from './job-record.js';
import type { NewJob } from './job-store.js';

export interface JobMessage extends JobIdentity {
  /** Encrypted request body of the callback (see `payload-encryption.ts`). */
  readonly payload: string;
  /** Trace in which the job was started (W3C Trace Context); absent without one. */
  readonly traceparent?: string;
  /** Time when its last failed attempt ended, milliseconds since 1970; absent if unknown. */
  readonly failedAt?: number;
  /** Data for the record of a message that becomes a dead letter before it had one. */
  readonly described: NewJob;
}

export interface Delivery {
  readonly message: JobMessage;
  /** Number of the attempt, from 1; delays are not counted. */
  readonly attempt: number;
  /** True if a failure of this attempt is final. */
  readonly lastAttempt: boolean;
  /** Time when the message was put into the queue, or was replayed, milliseconds since 1970; undefined if unknown. */
  readonly since?: number | undefined;
  /**
   * `only`: the queue holds one message of a job at most; `again`: it may hold copies, and this one was received
   * before, so it may be the one that ended its job; absent: it was not.
   */
  readonly copy?: 'only' | 'again';
}

/**
 * Outcome of a delivery.
 *
 * - `done`: the job was handled; the message is gone
 * - `delay`: the message comes again after the delay, and no attempt is used up
 * - `retry`: the message comes again after a back-off or, after the last attempt, goes to the dead letters
 * - `dead`: the message goes to the dead letters at once
 */
export type Disposition =
  | { readonly kind: 'done' }
  | { readonly kind: 'delay'; readonly delayMs: number }
  | { readonly kind: 'retry' | 'dead'; readonly reason: string };

/** Handles a delivery. It never throws for an expected failure; a thrown error is a `retry`. */
export type DeliveryHandler = (delivery: Delivery) => Promise<Disposition>;

/** Message that is not delivered any more. */
export interface DeadLetter {
  /** Job of the message; {@link JobQueue.deadMessage} reads its content. */
  readonly message: JobIdentity;
  readonly reason: string;
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly diedAt: number;
}

export interface QueueLoad {
  /** Messages that no consumer holds: due ones and delayed ones. */
  readonly waiting: number;
  /** Messages held by a consumer; Amazon SQS counts delayed ones among them. */
  readonly inHand: number;
  readonly deadLetters: number;
  /**
   * Time when the job of the oldest waiting message was ordered or replayed, milliseconds since 1970; undefined if none
   * waits. Only the next messages are searched, {@link MAX_LOOKED_AT} at most.
   */
  readonly oldestSince: number | undefined;
}

/** Maximum number of waiting messages searched for the oldest: a full search every second could be too slow. */
export const MAX_LOOKED_AT = 200;

/** Retention of dead letters, in milliseconds: 30 days. Amazon SQS keeps them for 14 at most. */
export const DEAD_LETTER_RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/** Maximum wait for a message or a job, in milliseconds. A wrong clock wrote a longer one, which is shortened. */
export const MAX_WAIT_MS = 5 * 60 * 1000;

/** Settings of the attempts at a message. */
export interface Attempts {
  /** Maximum number of deliveries before a message becomes a dead letter. */
  readonly maxAttempts: number;
  /** Returns the wait after the given failed attempt, counted from 1; by default that of every queue. */
  readonly backOffMs?: (attempt: number) => number;
}

export interface QueueConsumer {
  /** Stops taking messages. Resolves when the held ones are settled. */
  close(): Promise<void>;
}

export interface ConsumeOptions {
  /** Maximum number of messages held at the same time. */
  readonly concurrency: number;
}

/**
 * Durable queue with at-least-once delivery. A held message is leased: if its consumer dies, it is delivered again, and
 * an attempt is used up, except on Amazon SQS, which counts receives itself, and for embedded jobs that were running,
 * whose records count lost leases.
 */
export interface JobQueue {
  consume(handler: DeliveryHandler, options: ConsumeOptions): QueueConsumer;
  /** Returns the dead letters, oldest first. */
  deadLetters(): Promise<readonly DeadLetter[]>;
  /** Returns the message of a dead letter; undefined if the job has none. */
  deadMessage(job: JobIdentity): Promise<JobMessage | undefined>;
  /**
   * Makes the job of a dead letter pending again, and then moves the dead letter back into the queue, for its first
   * attempt. @returns false if the job has none, or another process replays it
   */
  replay(job: JobIdentity): Promise<boolean>;
  /** Removes a dead letter. @returns false if the job has none */
  drop(job: JobIdentity): Promise<boolean>;
  /** Returns the counts of the queue. @throws {ServiceUnavailableError} when it cannot be reached */
  load(): Promise<QueueLoad>;
}

export interface SubmittedJob {
  readonly record: JobRecord;
  /** False if the job had a record before, which stays unchanged. */
  readonly isNew: boolean;
}

/** Accepts jobs: pending record and message are written together, or not at all. */
export interface JobSubmission {
  /**
   * Counts the job for its organisation, with the bytes of its payload, writes the pending record and enqueues the
   * message. A job that has a record is neither counted nor enqueued, and one that fails here is not enqueued.
   *
   * @throws {OverLimitError} when its organisation is at a limit
   * @throws {ServiceUnavailableError} when store or queue cannot be reached
   */
  submit(message: JobMessage): Promise<SubmittedJob>;
  /** Enqueues a pending job again, unless it is known to have reached the queue. @throws {ServiceUnavailableError} */
  submitAgain(message: JobMessage): Promise<void>;
}

/** Message that the queue will still deliver, without its content. */
export interface QueuedMessage extends JobIdentity {
  /** `waiting`: due; `delayed`: due later; `in hand`: held by a consumer. */
  readonly state: 'waiting' | 'delayed' | 'in hand';
  /** Time when the job was accepted or replayed, milliseconds since 1970; undefined if unknown. */
  readonly acceptedAt: number | undefined;
  readonly attempts: number;
  /** Time when a delayed message comes due, milliseconds since 1970. */
  readonly dueAt?: number;
}

/**
 * Queries of operators, which read all data and must not run for every request or every second. Both throw
 * `ServiceUnavailableError` on failure.
 */
export interface JobInspection {
  /**
   * Returns the jobs of every kind and organisation with this id that have a record, or had one a moment ago. Without
   * an id, returns some of all jobs, and `enough` of them if there are so many.
   */
  find(jobId: string | undefined, enough?: number): Promise<readonly JobIdentity[]>;
  /** Returns every message in the queue, dead letters excluded; undefined if the queue only counts its messages. */
  queued(): Promise<readonly QueuedMessage[] | undefined>;
}

/** Returns the wait after a failed attempt, in milliseconds: 1 s after the first, doubled after each, at most 60 s. */
export function backOffMs(attempt: number): number {
  return Math.min(1_000 * 2 ** (attempt - 1), 60_000);
}

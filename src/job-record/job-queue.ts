import type { JobIdentity } from './job-record.js';
import type { NewJob } from './job-store.js';

/** Job on its way to its callback. */
export interface JobMessage extends JobIdentity {
  /** Callback's request body, encrypted (see `payload-encryption.ts`). */
  readonly payload: string;
  /** Trace in which the job was started (W3C Trace Context); none if absent. */
  readonly traceparent?: string;
  /** Data of the record, for a message that becomes a dead letter without one. */
  readonly described: NewJob;
}

export interface Delivery {
  readonly message: JobMessage;
  /** Number from 1; delays are not counted. */
  readonly attempt: number;
  /** True if a failure of this attempt is final. */
  readonly lastAttempt: boolean;
  /** Time when the message was put into the queue, also by a replay, milliseconds since 1970; undefined if unknown. */
  readonly since?: number | undefined;
}

export type Disposition =
  /** The job was handled; the message is gone. */
  | { readonly kind: 'done' }
  /** Not now; come again after the delay. Uses up no attempt. */
  | { readonly kind: 'delay'; readonly delayMs: number }
  /** Failed; come again after a back-off, or, after the last attempt, go to the dead letters. */
  | { readonly kind: 'retry'; readonly reason: string }
  /** Not to be tried again; goes to the dead letters. */
  | { readonly kind: 'dead'; readonly reason: string };

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
  /** Messages not held by a consumer: due ones and delayed ones. */
  readonly waiting: number;
  /** Messages held by a consumer; Amazon SQS counts delayed ones among them. */
  readonly inHand: number;
  readonly deadLetters: number;
  /**
   * Time when the job of the oldest waiting message was ordered, milliseconds since 1970; undefined if none waits. Only
   * the next messages are searched, {@link MAX_LOOKED_AT} at most.
   */
  readonly oldestSince: number | undefined;
}

/** Maximum number of waiting messages searched for the oldest: a full search every second could be too slow. */
export const MAX_LOOKED_AT = 200;

/** Retention of dead letters, in milliseconds: 30 days. Amazon SQS keeps them for 14 at most. */
export const DEAD_LETTER_RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Maximum wait until a message comes due, or a job is looked at again, in milliseconds. A wrong clock wrote longer
 * ones, and they are shortened.
 */
export const MAX_WAIT_MS = 5 * 60 * 1000;

export interface QueueConsumer {
  /** Stops taking messages and resolves when those in hand are settled. */
  close(): Promise<void>;
}

export interface ConsumeOptions {
  /** Maximum number of messages in hand at the same time. */
  readonly concurrency: number;
}

/**
 * Durable queue with at-least-once delivery. Messages in hand are leased; when their consumer dies they are delivered
 * again, which uses up an attempt, except on Amazon SQS, which counts receives itself. Attempts back off exponentially
 * from 1 s to 60 s.
 */
export interface JobQueue {
  /** Starts consuming. The handler never throws for an expected failure; a thrown error is a `retry`. */
  consume(handler: (delivery: Delivery) => Promise<Disposition>, options: ConsumeOptions): QueueConsumer;
  /** Returns the dead letters, oldest first. */
  deadLetters(): Promise<readonly DeadLetter[]>;
  /** Returns the message of a dead letter; undefined if the job has none. */
  deadMessage(job: JobIdentity): Promise<JobMessage | undefined>;
  /**
   * Moves a message from the dead letters back for delivery, from its first attempt. Its record stays unchanged until
   * the delivery claims the job: until then the job is not running, and a poller still sees the failure.
   *
   * @returns false if the job has no dead letter
   */
  replay(job: JobIdentity): Promise<boolean>;
  /** Returns the queue's counts. @throws {ServiceUnavailableError} it cannot be reached */
  load(): Promise<QueueLoad>;
}

/** Accepts jobs: the pending record and the queue entry are written together, or not at all. */
export interface JobSubmission {
  /**
   * Writes the pending record and enqueues the message. A dead letter of that job is replaced by the message, which is
   * delivered; a record that ended with it stays unchanged until the delivery claims the job.
   *
   * First of all the job counts for its organisation, with the bytes of the message's payload.
   *
   * @returns the time when the job was accepted, milliseconds since 1970
   * @throws {TooManyOpenJobsError} when its organisation is at its limit of open jobs
   * @throws {ServiceUnavailableError} when store or queue cannot be reached; the job is not enqueued then
   */
  submit(message: JobMessage): Promise<number>;
}

/** Message that the queue will still deliver, without its content. */
export interface QueuedMessage extends JobIdentity {
  /** `waiting`: it is due; `delayed`: it comes due later; `in hand`: a consumer has it. */
  readonly state: 'waiting' | 'delayed' | 'in hand';
  /** Time when the job was accepted, milliseconds since 1970; undefined if unknown. */
  readonly acceptedAt: number | undefined;
  readonly attempts: number;
  /** Time when a delayed one comes due, milliseconds since 1970. */
  readonly dueAt?: number;
}

/**
 * Operators' queries about jobs and their queue. Each method reads all data and changes none: do not call it per
 * request or every second. Both throw `ServiceUnavailableError` on failure.
 */
export interface JobInspection {
  /** Returns the jobs that have a record under an id, of every kind and organisation; it may have expired just now. */
  find(jobId: string): Promise<readonly JobIdentity[]>;
  /** Returns every message in the queue, without dead letters; undefined if the queue only counts its messages. */
  queued(): Promise<readonly QueuedMessage[] | undefined>;
}

const FIRST_MS = 1_000;
const MAX_MS = 60_000;

/** Returns the wait after a failed attempt, in milliseconds: 1 s after the first, doubled after each, at most 60 s. */
export function backOffMs(attempt: number): number {
  return Math.min(FIRST_MS * 2 ** (attempt - 1), MAX_MS);
}

import type { JobIdentity } from './job-record.js';
import type { NewJob } from './job-store.js';

/** A job on its way to its callback. */
export interface JobMessage extends JobIdentity {
  /** The callback's request body, encrypted (see `payload-encryption.ts`). */
  readonly payload: string;
  /** The trace that the job was started in (W3C Trace Context); absent: none. */
  readonly traceparent?: string;
  /** What the record is made of if none exists when the message becomes a dead letter. */
  readonly described: NewJob;
}

/** One delivery of a message. */
export interface Delivery {
  readonly message: JobMessage;
  /** 1 for the first attempt; delays are not counted. */
  readonly attempt: number;
  /** Whether a failure of this attempt is the end. */
  readonly lastAttempt: boolean;
  /** When the message was put into the queue, also by a replay, milliseconds since 1970; undefined: nobody knows. */
  readonly since?: number | undefined;
}

/** What became of a delivery. */
export type Disposition =
  /** The job was handled; the message is gone. */
  | { readonly kind: 'done' }
  /** Not now; come again after the delay. Uses up no attempt. */
  | { readonly kind: 'delay'; readonly delayMs: number }
  /** Failed; come again after a back-off, or, after the last attempt, go to the dead letters. */
  | { readonly kind: 'retry'; readonly reason: string }
  /** Never to be tried again; goes to the dead letters. */
  | { readonly kind: 'dead'; readonly reason: string };

/** A message that is not delivered any more. */
export interface DeadLetter {
  /** Which message; {@link JobQueue.deadMessage} reads what it carries. */
  readonly message: JobIdentity;
  readonly reason: string;
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly diedAt: number;
}

/** How much there is in a queue. */
export interface QueueLoad {
  /** Messages that nobody has in hand: those that may be taken, and those that come again later. */
  readonly waiting: number;
  /** Messages in the hand of a consumer; Amazon SQS counts those that come again later among them. */
  readonly inHand: number;
  readonly deadLetters: number;
  /**
   * When the job of the oldest waiting message was ordered, milliseconds since 1970; undefined when none waits. Looked
   * for among those that come up next, {@link MAX_LOOKED_AT} at most.
   */
  readonly oldestSince: number | undefined;
}

/** Waiting messages among which the oldest is looked for: there may be more than can be looked through every second. */
export const MAX_LOOKED_AT = 200;

/** How long dead letters are kept, in milliseconds: 30 days. Amazon SQS keeps them for 14 at most. */
export const DEAD_LETTER_RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/** A running consumer. */
export interface QueueConsumer {
  /** Takes no further message and resolves when those in hand are settled. */
  close(): Promise<void>;
}

/** How messages are consumed. */
export interface ConsumeOptions {
  /** Maximum number of messages in hand at the same time. */
  readonly concurrency: number;
}

/**
 * A durable queue with at-least-once delivery. Messages in hand are leased; when their consumer dies they are
 * delivered again, which uses up an attempt, but on Amazon SQS, which counts that by itself. Attempts back off
 * exponentially from 1 s to 60 s.
 */
export interface JobQueue {
  /** Starts consuming. The handler never throws for an expected failure; if it throws, that is a `retry`. */
  consume(handler: (delivery: Delivery) => Promise<Disposition>, options: ConsumeOptions): QueueConsumer;
  /** The dead letters, oldest first. */
  deadLetters(): Promise<readonly DeadLetter[]>;
  /** The message of a dead letter; undefined when there is none of that job. */
  deadMessage(job: JobIdentity): Promise<JobMessage | undefined>;
  /**
   * Takes a message out of the dead letters and delivers it again, from its first attempt. Its record stays as it
   * is until the delivery claims the job: until then nobody runs it, and a poller still learns that it failed.
   *
   * @returns false when there is no dead letter of that job
   */
  replay(job: JobIdentity): Promise<boolean>;
  /** How much there is in it. @throws {ServiceUnavailableError} it cannot be reached */
  load(): Promise<QueueLoad>;
}

/** Accepts jobs: the pending record and the queue entry come into being together, or not at all. */
export interface JobSubmission {
  /**
   * Writes the pending record and enqueues the message. When there is a dead letter of that job, the message takes its
   * place and is delivered; a record that ended with it stays as it is until the delivery claims the job.
   *
   * Before anything else the job counts as one of its organisation, and the message's payload for its bytes.
   *
   * @returns when the job was accepted, milliseconds since 1970
   * @throws {TooManyOpenJobsError} when its organisation has as many open jobs as it may
   * @throws {ServiceUnavailableError} when store or queue cannot be reached; nothing is enqueued then
   */
  submit(message: JobMessage): Promise<number>;
}

const FIRST_MS = 1_000;
const MAX_MS = 60_000;

/** Wait after a failed attempt, in milliseconds: 1 s after the first, doubled after each, at most 60 s. */
export function backOffMs(attempt: number): number {
  return Math.min(FIRST_MS * 2 ** (attempt - 1), MAX_MS);
}

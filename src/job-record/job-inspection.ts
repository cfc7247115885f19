import type { JobIdentity } from './job-record.js';

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

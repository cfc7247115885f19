import type { JobIdentity } from './job-record.js';

/** A message that the queue will still deliver, without what it carries. */
export interface QueuedMessage extends JobIdentity {
  /** `waiting`: it is due; `delayed`: it comes due later; `in hand`: a consumer has it. */
  readonly state: 'waiting' | 'delayed' | 'in hand';
  /** When the job was accepted, milliseconds since 1970; undefined where nothing says so any more. */
  readonly acceptedAt: number | undefined;
  /** Deliveries that were begun. */
  readonly attempts: number;
  /** When a delayed one comes due, milliseconds since 1970. */
  readonly dueAt?: number;
}

/**
 * What operators ask of jobs and their queue. Each method looks at all there is and changes nothing: nothing that is
 * asked for every request or every second may use it. Both throw `ServiceUnavailableError` when they cannot ask.
 */
export interface JobInspection {
  /** The jobs that have a record under an id, of every kind and organisation; it may have expired just now. */
  find(jobId: string): Promise<readonly JobIdentity[]>;
  /** Every message in the queue, without dead letters; undefined where the queue counts its messages and no more. */
  queued(): Promise<readonly QueuedMessage[] | undefined>;
}

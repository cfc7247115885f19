import type { ItemOutcome, JobIdentity, JobRecord, JobResult, Orderer } from './job-record.js';

export interface NewJob {
  readonly total: number;
  readonly fingerprint: string;
  readonly retentionMs: number;
  readonly orderedBy?: Orderer;
}

export interface ClaimRequest extends Pick<NewJob, 'total' | 'retentionMs'> {
  /** Fingerprints of the body, one per valid key, the current key's first. */
  readonly fingerprints: readonly [string, ...string[]];
  readonly leaseMs: number;
  readonly nonce: string;
  /** Makes the prefix of the keys of the items of a job that was not begun. @param createdAt when it was accepted */
  readonly keyPrefixAt?: (createdAt: number) => string;
  /** Number of lost leases at which a job is given up; unlimited if absent. */
  readonly maxLostLeases?: number;
  /** Time when the message was put into its queue, or was replayed, milliseconds since 1970; absent if unknown. */
  readonly queuedAt?: number;
  /** True if the job only fetches, so that its record has the time from which its data is. */
  readonly isFetching?: boolean;
  /** True if the claim only keeps others from running the job under this id. It does not count among running jobs. */
  readonly isPlaceholder?: boolean;
}

/** Result of a claim. `must wait` comes from the store, which knows the limits. */
export type ClaimOutcome =
  | {
      readonly outcome: 'claimed';
      readonly fencingToken: string;
      readonly record: JobRecord;
      /** Outcomes of the items that earlier attempts have done, in order. */
      readonly items: readonly ItemOutcome[];
    }
  | { readonly outcome: 'finished'; readonly result: JobResult }
  /**
   * The job has ended too many of its owners. The caller ends its record, unless that was done, and does not run it. A
   * later claim has the same result until the job is replayed.
   */
  | { readonly outcome: 'given up'; readonly record: JobRecord }
  | { readonly outcome: 'running'; readonly retryAfterMs: number }
  /** The organisation is at its limit of running jobs while another one has work. The job is not claimed. */
  | { readonly outcome: 'must wait'; readonly retryAfterMs: number }
  /**
   * The claimer does not know the key of the job yet, the body is another one, the start was refused, or the job has
   * ended as a dead letter after the message was queued.
   */
  | { readonly outcome: 'unknown key' | 'conflict' | 'refused' | 'outdated' };

/** Maximum time by which repeatable progress may be ahead of its durable state, in milliseconds. */
export const MAX_AHEAD_MS = 200;

export interface Progress {
  readonly done: number;
  /** Opaque JSON text, never with input data. */
  readonly checkpoint: string;
  /**
   * True if the items so far may be done again. The progress then has to outlive the process, but a store may lose the
   * last {@link MAX_AHEAD_MS} of it when its server or machine fails.
   */
  readonly repeatable?: boolean;
  /** Outcomes of the items done since the last progress; earlier outcomes are kept. */
  readonly items?: readonly ItemOutcome[];
}

/**
 * Result of a write by an owner. `held`: it still owns the job; `cancelled`: it does, and the job was cancelled;
 * `lost`: another process has taken the job over.
 */
export type LeaseState = 'held' | 'cancelled' | 'lost';

/** End of a job that is not running, as `job-ends.ts` makes it. It is written only if both numbers are unchanged. */
export interface Ending {
  /** Number of claims when the result was made. */
  readonly attempt: number;
  /** Number of handled items then. A former owner may save progress until another one has claimed the job. */
  readonly done: number;
  readonly result: JobResult;
}

/** Receives each written transition to another state, with the records before and after it. */
export type OnJobChange = (job: JobIdentity, before: JobRecord | undefined, after: JobRecord) => void;

export interface Cancelled extends Pick<JobRecord, 'createdAt' | 'state'> {
  /** True if the job was cancelled by this request or an earlier one. */
  readonly cancelled: boolean;
  /** True if the job was cancelled by this request. */
  readonly changed: boolean;
}

/**
 * Store of job status records. Every method makes one transition of `transitions.ts` atomically, and throws
 * `ServiceUnavailableError` when the store cannot be reached. An expired record counts as absent. `false` and `lost`
 * mean that the transition was refused and nothing was written.
 */
export interface JobStore {
  read(job: JobIdentity): Promise<JobRecord | undefined>;
  /** Reads a record with the remaining time of its lease, in milliseconds by the clock of the store; 0 without one. */
  look(job: JobIdentity): Promise<{ readonly record: JobRecord | undefined; readonly leaseLeftMs: number }>;
  /** Returns the outcomes of the items so far, in order; an empty list once the job was handled. */
  readItems(job: JobIdentity): Promise<readonly ItemOutcome[]>;
  claim(job: JobIdentity, request: ClaimRequest): Promise<ClaimOutcome>;
  renew(job: JobIdentity, fencingToken: string, leaseMs: number): Promise<LeaseState>;
  /** Saves progress. If it is repeatable, a store may return `held` for a moment after a cancellation. */
  checkpoint(job: JobIdentity, fencingToken: string, progress: Progress): Promise<LeaseState>;
  finish(job: JobIdentity, fencingToken: string, result: JobResult): Promise<boolean>;
  release(job: JobIdentity, fencingToken: string): Promise<boolean>;
  /**
   * Ends a job that goes to the dead letters, unless it has ended or is running. If it was ever begun, the end says
   * what is known of its items.
   */
  fail(job: JobIdentity, described: NewJob, delivery: Pick<JobResult, 'status' | 'body'>): Promise<boolean>;
  /** Cancels a job. Without an {@link Ending}, its next owner ends it. @returns undefined if the job has no record */
  cancel(job: JobIdentity, ending?: Ending): Promise<Cancelled | undefined>;
  /** Notes that the dead letter of a job was dropped, and why it had died. Refused unless the job ended as one. */
  drop(job: JobIdentity, reason: string): Promise<boolean>;
  /** Notes the code of the obstacle to its delivery, unless the job has ended or is running. */
  wait(job: JobIdentity, reason: string): Promise<boolean>;
  /** Returns true if a job was cancelled. It is the cheapest query, for the owner of a running job. */
  isCancelled(job: JobIdentity): Promise<boolean>;
  ping(): Promise<void>;
}

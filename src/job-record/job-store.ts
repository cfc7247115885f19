import type { ItemOutcome } from './item-outcome.js';
import type { JobIdentity, JobRecord, JobResult } from './job-record.js';
import type { Orderer } from './orderer.js';

/** A job that was accepted and is to be handled. */
export interface NewJob {
  readonly total: number;
  readonly fingerprint: string;
  readonly retentionMs: number;
  /** Absent where nobody did, or nobody knows any more. */
  readonly orderedBy?: Orderer;
}

/** What a claimer brings. */
export interface ClaimRequest {
  /** Fingerprints of the body, one per valid key, the current key's first. */
  readonly fingerprints: readonly [string, ...string[]];
  readonly total: number;
  readonly leaseMs: number;
  readonly retentionMs: number;
  /** Unique to this claim. */
  readonly nonce: string;
  /** The record is claimed to bar the way, and nothing is run under it: it does not count among running jobs. */
  readonly isBar?: boolean;
}

/** What a claim led to. Whether a job must wait, the store decides by the limits it was opened with. */
export type ClaimOutcome =
  | {
      readonly outcome: 'claimed';
      readonly fencingToken: string;
      readonly record: JobRecord;
      /** Of the items that earlier attempts have done, in their order. */
      readonly items: readonly ItemOutcome[];
    }
  | { readonly outcome: 'finished'; readonly result: JobResult }
  | { readonly outcome: 'running'; readonly retryAfterMs: number }
  /** Its organisation runs as many jobs as it may while another one has work; nothing was claimed. */
  | { readonly outcome: 'must wait'; readonly retryAfterMs: number }
  /** It was accepted under a key that the claimer does not know yet. */
  | { readonly outcome: 'unknown key' }
  | { readonly outcome: 'conflict' };

/**
 * How long progress that is repeatable may be ahead of what survives the failure of the store's server or machine, in
 * milliseconds.
 */
export const MAX_AHEAD_MS = 200;

/** How far the owner has come. */
export interface Progress {
  readonly done: number;
  /** Opaque JSON text, never with input data. */
  readonly checkpoint: string;
  /**
   * Whether the items so far may be done again. Then it is enough that this outlives the process, and a store may
   * forget the last {@link MAX_AHEAD_MS} of it when its server or machine fails, until something is written that is
   * not so.
   */
  readonly repeatable?: boolean;
  /** Of items done since the last progress; those noted before are kept. */
  readonly items?: readonly ItemOutcome[];
}

/** What an owner's write found: its claim stands, also of a job that was cancelled, or somebody else has taken over. */
export type Hold = 'held' | 'cancelled' | 'lost';

/** How a job ends that is cancelled while nobody runs it. */
export interface Ending {
  /** How many times it had been claimed when this was made of what was noted of it; anything else is not written. */
  readonly attempt: number;
  readonly result: JobResult;
}

/** What asking a job to end led to: what is known of it afterwards. */
export interface Cancelled extends Pick<JobRecord, 'createdAt' | 'state'> {
  /** Whether it was cancelled, now or before. */
  readonly cancelled: boolean;
  /** Whether that was now. */
  readonly changed: boolean;
}

/**
 * Where job status records are kept. Every method is one atomic transition of `transitions.ts`; every
 * method throws `ServiceUnavailableError` when the store cannot be reached. Records that have expired count
 * as absent. `false` and `lost` say that the transition was refused and nothing was written.
 */
export interface JobStore {
  /** The record, or undefined when there is none. */
  read(job: JobIdentity): Promise<JobRecord | undefined>;
  /** How long the lease on a job still lasts, in milliseconds by the clock of the store; 0 when nobody runs it. */
  leaseLeftMs(job: JobIdentity): Promise<number>;
  /** What became of the items so far, in their order; none once the job was handled. */
  readItems(job: JobIdentity): Promise<readonly ItemOutcome[]>;
  /** Claims the job for one owner, see {@link ClaimOutcome}. */
  claim(job: JobIdentity, request: ClaimRequest): Promise<ClaimOutcome>;
  /** Prolongs the lease of the owner with this fencing token. */
  renew(job: JobIdentity, fencingToken: string, leaseMs: number): Promise<Hold>;
  /**
   * Notes the owner's progress. Of progress that is repeatable a store may say `held` although the job was cancelled,
   * for a fraction of a second.
   */
  checkpoint(job: JobIdentity, fencingToken: string, progress: Progress): Promise<Hold>;
  /** Ends the job with its reply. */
  finish(job: JobIdentity, fencingToken: string, result: JobResult): Promise<boolean>;
  /** Gives the lease back without ending the job. */
  release(job: JobIdentity, fencingToken: string): Promise<boolean>;
  /** Ends a job that goes to the dead letters, unless it has ended or is running. */
  fail(job: JobIdentity, described: NewJob, result: JobResult): Promise<boolean>;
  /**
   * Asks a job to end with what was done until then, and ends it when nobody runs it and an ending is given. Undefined
   * when there is none.
   */
  cancel(job: JobIdentity, ending?: Ending): Promise<Cancelled | undefined>;
  /** Notes why a job cannot be delivered, unless it has ended or is running. */
  wait(job: JobIdentity, reason: string): Promise<boolean>;
  /** Whether a job was cancelled: the cheapest question there is, for whoever runs it. */
  isCancelled(job: JobIdentity): Promise<boolean>;
  /** Resolves when the store answers. */
  ping(): Promise<void>;
}

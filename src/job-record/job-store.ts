import type { ItemOutcome } from './item-outcome.js';
import type { JobIdentity, JobRecord, JobResult } from './job-record.js';
import type { ClaimOutcome, ClaimRequest, NewJob, Progress } from './transitions.js';

/**
 * Where job status records are kept. Every method is one atomic transition of `job-transitions.ts`; every
 * method throws `ServiceUnavailableError` when the store cannot be reached. Records that have expired count
 * as absent. `false` says that the transition was refused and nothing was written.
 */
export interface JobStore {
  /** The record, or undefined when there is none. */
  read(job: JobIdentity): Promise<JobRecord | undefined>;
  /** What became of the items so far, in their order; none once the job was handled. */
  readItems(job: JobIdentity): Promise<readonly ItemOutcome[]>;
  /** Claims the job for one owner, see {@link ClaimOutcome}. */
  claim(job: JobIdentity, request: ClaimRequest): Promise<ClaimOutcome>;
  /** Prolongs the lease of the owner with this fencing token. */
  renew(job: JobIdentity, fencingToken: string, leaseMs: number): Promise<boolean>;
  /** Notes the owner's progress. */
  checkpoint(job: JobIdentity, fencingToken: string, progress: Progress): Promise<boolean>;
  /** Ends the job with its reply. */
  finish(job: JobIdentity, fencingToken: string, result: JobResult): Promise<boolean>;
  /** Gives the lease back without ending the job. */
  release(job: JobIdentity, fencingToken: string): Promise<boolean>;
  /** Ends a job that goes to the dead letters, unless it has ended or is running. */
  fail(job: JobIdentity, described: NewJob, result: JobResult): Promise<boolean>;
  /** Resolves when the store answers. */
  ping(): Promise<void>;
}

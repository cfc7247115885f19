import type { KeyRing } from '../../config/key-ring.js';
import { derivedJobIds, fingerprintsOf } from '../../job-record/fingerprint.js';
import { RECORD_RETENTION_MS, type JobIdentity } from '../../job-record/job-record.js';
import type { ClaimOutcome, JobStore } from '../../job-record/job-store.js';
import type { Logger } from '../../logging/logger.js';
import { claimByContent } from './claim-by-content.js';
import type { Claims } from './claims.js';
import type { Job, Work } from '../job.js';

/** Job of a callback, with a checked body. */
export interface JobRequest {
  readonly job: Job;
  readonly org: string | undefined;
  /** Absent if the job is identified by its content. */
  readonly jobId: string | undefined;
  readonly body: unknown;
  readonly work: Work;
  /** Logger that carries the id of the request. */
  readonly log: Logger;
}

/** Dependencies and limits of a claim. */
export interface ClaimOptions {
  readonly claims: Claims;
  readonly jobStore: JobStore;
  readonly keyRing: KeyRing;
  /** In milliseconds. */
  readonly leaseMs: number;
  /** Maximum run time of a job, in milliseconds. */
  readonly deadlineMs: number;
}

/**
 * Claims a job for one owner, by its id or, without one, by its content.
 *
 * @throws {ServiceUnavailableError} when the store cannot be reached
 */
export async function claimJob(
  { job: { kind }, org, jobId, body, work }: JobRequest,
  { claims, jobStore, keyRing, leaseMs, deadlineMs }: ClaimOptions,
): Promise<{ readonly job: JobIdentity; readonly claim: ClaimOutcome }> {
  const wanted = { fingerprints: await fingerprintsOf(keyRing, body), total: work.total, leaseMs };
  if (jobId === undefined) {
    const ids = await derivedJobIds(keyRing, { kind, org, body });
    return claimByContent({ kind, org, ids }, { ...wanted, claims, jobStore, deadlineMs });
  }
  const job = { kind, org, jobId };
  return { job, claim: await claims.ask(job, { ...wanted, retentionMs: RECORD_RETENTION_MS }) };
}

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { KeyRing } from '../config/key-ring.js';
import { ServiceUnavailableError } from '../errors.js';
import { DERIVED_ID_RETENTION_MS, derivedJobIds, fingerprintsOf } from '../job-record/fingerprint.js';
import { RECORD_RETENTION_MS, type JobIdentity } from '../job-record/job-record.js';
import type { ClaimOutcome, ClaimRequest, JobStore } from '../job-record/job-store.js';
import type { Job, Work } from './job.js';

/** A job as a callback brings it, its body already checked. */
export interface JobRequest {
  readonly job: Job;
  readonly org: string | undefined;
  /** Absent: the job is identified by its content. */
  readonly jobId: string | undefined;
  readonly body: unknown;
  readonly work: Work;
}

/** What a claim is made with. */
export interface ClaimOptions {
  readonly jobStore: JobStore;
  readonly keyRing: KeyRing;
  /** In milliseconds. */
  readonly leaseMs: number;
}

/** How often a claim is asked for while the store does not answer, and the pause after the first time. */
const MAX_TRIES = 3;
const PAUSE_MS = 200;

/**
 * Claims a job for one owner, by its id or, without one, by its content.
 *
 * @throws {ServiceUnavailableError} when the store cannot be reached
 */
export async function claimJob(
  request: JobRequest,
  { jobStore, keyRing, leaseMs }: ClaimOptions,
): Promise<{ readonly job: JobIdentity; readonly claim: ClaimOutcome }> {
  const { job, retentionMs } = await identify(request, jobStore, keyRing);
  const claim = await askForClaim(jobStore, job, {
    fingerprints: await fingerprintsOf(keyRing, request.body),
    total: request.work.total,
    leaseMs,
    retentionMs,
    nonce: randomUUID(),
  });
  return { job, claim };
}

/** Asks again under the same nonce when the reply to a claim is lost: it may have been granted. */
async function askForClaim(jobStore: JobStore, job: JobIdentity, claim: ClaimRequest): Promise<ClaimOutcome> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await jobStore.claim(job, claim);
    } catch (error) {
      if (!(error instanceof ServiceUnavailableError) || tries === MAX_TRIES) throw error;
      await delay(PAUSE_MS * tries);
    }
  }
}

/** The given id, or the derived one: of a previous key when a record under it exists. */
async function identify(
  { job: { kind }, org, jobId, body }: JobRequest,
  jobStore: JobStore,
  keyRing: KeyRing,
): Promise<{ job: JobIdentity; retentionMs: number }> {
  if (jobId !== undefined) return { job: { kind, org, jobId }, retentionMs: RECORD_RETENTION_MS };
  const [current, ...previous] = await derivedJobIds(keyRing, { kind, org, body });
  const jobs = previous.map((id) => ({ kind, org, jobId: id }));
  const records = await Promise.all(jobs.map((candidate) => jobStore.read(candidate)));
  const known = jobs.find((_candidate, index) => records[index] !== undefined);
  return { job: known ?? { kind, org, jobId: current }, retentionMs: DERIVED_ID_RETENTION_MS };
}

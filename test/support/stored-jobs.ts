import { randomUUID } from 'node:crypto';
import type { JobMessage } from '../../src/jobs/record/job-queue.js';
import type { JobIdentity } from '../../src/jobs/record/job-record.js';
import type { ClaimOutcome, ClaimRequest, JobStore } from '../../src/jobs/record/job-store.js';

/** Message of a job of `acme`, with a payload that names the job. */
export function jobMessage(jobId: string, changes: Partial<JobMessage> = {}): JobMessage {
  const described = { total: 3, fingerprint: 'print', retentionMs: 600_000 };
  return { kind: 'mobiles', org: 'acme', jobId, payload: `payload of ${jobId}`, described, ...changes };
}

/** Claim of such a job for a minute. */
export function claimRequest(changes: Partial<ClaimRequest> = {}): ClaimRequest {
  return { fingerprints: ['print'], total: 3, leaseMs: 60_000, retentionMs: 600_000, nonce: randomUUID(), ...changes };
}

/** Claims a job. @throws {Error} when the claim is not granted */
export async function claimed(
  store: Pick<JobStore, 'claim'>,
  { kind, org, jobId }: JobIdentity,
  changes: Partial<ClaimRequest> = {},
): Promise<Extract<ClaimOutcome, { outcome: 'claimed' }>> {
  const outcome = await store.claim({ kind, org, jobId }, claimRequest(changes));
  if (outcome.outcome !== 'claimed') throw new Error(`The claim ended in ${outcome.outcome}.`);
  return outcome;
}

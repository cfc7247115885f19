import { splitFingerprint } from '../../job-record/fingerprint-key.js';
import { DERIVED_ID_RETENTION_MS, type DerivedJobId } from '../../job-record/fingerprint.js';
import type { JobIdentity } from '../../job-record/job-record.js';
import type { ClaimOutcome, ClaimRequest, JobStore } from '../../job-record/job-store.js';
import type { Claims } from './claims.js';

/** Job that is identified by its content only. */
export interface ContentOfJob extends Pick<JobIdentity, 'kind' | 'org'> {
  /** One id for each valid key. */
  readonly ids: readonly [DerivedJobId, ...DerivedJobId[]];
}

/** Options of a claim by content. */
export interface ContentClaim extends Pick<ClaimRequest, 'fingerprints' | 'total' | 'leaseMs'> {
  readonly claims: Claims;
  readonly jobStore: Pick<JobStore, 'release'>;
  /** Maximum run time of a job, in milliseconds. */
  readonly deadlineMs: number;
}

/**
 * Claims a job by its content. During a key rotation the job has an id under each key, and processes may know different
 * keys. It runs under one of the ids, the same for all processes with the same keys. A record under each other id is a
 * bar: its fingerprint is of another key, which a process that finds it has to know first. If a process that knows
 * fewer keys came first, its record is the job.
 *
 * @throws {ServiceUnavailableError} when the store cannot be reached
 */
export async function claimByContent(
  { kind, org, ids }: ContentOfJob,
  { claims, jobStore, deadlineMs, fingerprints, ...wanted }: ContentClaim,
): Promise<{ readonly job: JobIdentity; readonly claim: ClaimOutcome }> {
  const [first, ...rest] = ids;
  const own = rest.reduce((least, id) => (id.kid < least.kid ? id : least), first);
  const under = { ...wanted, fingerprints: ownFirst(fingerprints, own.kid) };
  const barred: { readonly job: JobIdentity; readonly fencingToken: string }[] = [];
  try {
    for (const { jobId, kid } of ids.filter((id) => id !== own)) {
      const job = { kind, org, jobId };
      const retentionMs = deadlineMs + DERIVED_ID_RETENTION_MS;
      const claim = await claims.ask(job, { ...under, retentionMs, isBar: true });
      if (claim.outcome !== 'claimed' || !isBar(claim.record.fingerprint, kid)) return { job, claim };
      // Held until the job itself is claimed: of two simultaneous claims one continues.
      barred.push({ job, fencingToken: claim.fencingToken });
    }
    const job = { kind, org, jobId: own.jobId };
    return { job, claim: await claims.ask(job, { ...under, retentionMs: DERIVED_ID_RETENTION_MS }) };
  } finally {
    // A lease that is not released expires.
    await Promise.allSettled(barred.map(({ job, fencingToken }) => jobStore.release(job, fencingToken)));
  }
}

/** Returns true if a record is only a bar: a job itself has the fingerprint of its id's key, or no key id. */
function isBar(fingerprint: string, kidOfId: string): boolean {
  const { kid } = splitFingerprint(fingerprint);
  return kid !== undefined && kid !== kidOfId;
}

/** Puts the fingerprint of a new record first. */
function ownFirst(fingerprints: ClaimRequest['fingerprints'], kid: string): ClaimRequest['fingerprints'] {
  const [current] = fingerprints;
  const own = fingerprints.find((fingerprint) => splitFingerprint(fingerprint).kid === kid) ?? current;
  return [own, ...fingerprints.filter((fingerprint) => fingerprint !== own)];
}

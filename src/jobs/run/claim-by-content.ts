import { splitFingerprint } from '../../job-record/fingerprint-key.js';
import { DERIVED_ID_RETENTION_MS, type DerivedJobId } from '../../job-record/fingerprint.js';
import type { JobIdentity } from '../../job-record/job-record.js';
import type { ClaimOutcome, ClaimRequest, JobStore } from '../../job-record/job-store.js';
import type { Claims } from './claims.js';

/** A job that has no id but those made of its content. */
export interface ContentOfJob extends Pick<JobIdentity, 'kind' | 'org'> {
  /** One for each valid key. */
  readonly ids: readonly [DerivedJobId, ...DerivedJobId[]];
}

/** What a claim by content is made with. */
export interface ContentClaim extends Pick<ClaimRequest, 'fingerprints' | 'total' | 'leaseMs'> {
  readonly claims: Claims;
  readonly jobStore: Pick<JobStore, 'release'>;
  /** Longest time the job may run, in milliseconds. */
  readonly deadlineMs: number;
}

/**
 * Claims a job by what it is made of. While keys are rolled it has an id under each of them, and not everybody knows
 * them all. It then runs under one of the ids, the same for all who know the same keys. Under the others a record bars
 * the way: by its fingerprint it is of another key, which whoever comes there has to know first. Where somebody who
 * knows fewer keys was there before, that is the job.
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
      // Held until the job itself is claimed: of two who come at once, one goes on.
      barred.push({ job, fencingToken: claim.fencingToken });
    }
    const job = { kind, org, jobId: own.jobId };
    return { job, claim: await claims.ask(job, { ...under, retentionMs: DERIVED_ID_RETENTION_MS }) };
  } finally {
    // A lease that is not given back runs out.
    await Promise.allSettled(barred.map(({ job, fencingToken }) => jobStore.release(job, fencingToken)));
  }
}

/** Whether a record only bars the way: a job itself has the fingerprint of its id's key, or names none. */
function isBar(fingerprint: string, kidOfId: string): boolean {
  const { kid } = splitFingerprint(fingerprint);
  return kid !== undefined && kid !== kidOfId;
}

/** The fingerprint that a new record gets comes first. */
function ownFirst(fingerprints: ClaimRequest['fingerprints'], kid: string): ClaimRequest['fingerprints'] {
  const [current] = fingerprints;
  const own = fingerprints.find((fingerprint) => splitFingerprint(fingerprint).kid === kid) ?? current;
  return [own, ...fingerprints.filter((fingerprint) => fingerprint !== own)];
}

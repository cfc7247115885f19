import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { KeyRing } from '../../base/config/key-ring.js';
import { ServiceUnavailableError } from '../../base/errors.js';
import { DERIVED_ID_RETENTION_MS, derivedJobIds, fingerprintsOf, splitFingerprint } from '../record/fingerprint.js';
import { keyPrefixOf } from '../record/keyed-job-id.js';
import { jobRecordKey, recordRetentionMs, type JobIdentity } from '../record/job-record.js';
import type { ClaimOutcome, ClaimRequest, JobStore } from '../record/job-store.js';
import { present } from '../record/stored-fields.js';
import type { Logger } from '../../base/logging/logger.js';
import type { Job, Work } from '../job.js';

export interface JobRequest {
  readonly job: Job;
  readonly org: string | undefined;
  /** Absent if the job is identified by its content. */
  readonly jobId: string | undefined;
  /** Time when its message was put into its queue, or was replayed, milliseconds since 1970; undefined if unknown. */
  readonly queuedAt?: number | undefined;
  readonly body: unknown;
  readonly work: Work;
  readonly log: Logger;
}

/** Dependencies and limits of claims. Times are milliseconds. */
export interface ClaimsOptions {
  readonly jobStore: Pick<JobStore, 'claim' | 'release'>;
  readonly keyRing: KeyRing;
  /** Time after which a lease expires whose grant was not received. */
  readonly leaseMs: number;
  readonly deadlineMs: number;
  /** Number of owners without progress after which a job is given up (`QUEUE_MAX_ATTEMPTS`). */
  readonly maxAttempts: number;
}

/** Number of tries of a claim while the store does not answer, and the pause after the first one. */
const MAX_TRIES = 3;
const PAUSE_MS = 200;

const MAX_UNANSWERED = 1_000;

interface Claimed {
  readonly job: JobIdentity;
  readonly claim: ClaimOutcome;
}

/**
 * Claims jobs. A claim may have been granted although its answer was lost. It is repeated under the same nonce, at once
 * and by the next delivery to this process, so that the lease is unused for no longer than the store is away.
 */
export class Claims {
  readonly #options: ClaimsOptions;
  /** Nonces by the key of the record. */
  readonly #unanswered: LRUCache<string, string>;

  constructor(options: ClaimsOptions) {
    this.#options = options;
    this.#unanswered = new LRUCache({ max: MAX_UNANSWERED, ttl: options.leaseMs });
  }

  /** Returns true if the last claim of a job had no answer, so that this process may hold its lease. */
  isUnanswered(job: JobIdentity): boolean {
    return this.#unanswered.has(jobRecordKey(job));
  }

  /** Claims a job for one owner, by its id or else by its content. @throws {ServiceUnavailableError} of the store */
  async claim({ job: { kind }, org, jobId, queuedAt, body, work }: JobRequest): Promise<Claimed> {
    const { keyRing, leaseMs, maxAttempts } = this.#options;
    const fingerprints = await fingerprintsOf(keyRing, body);
    const { total, resumes } = work;
    const limits = { leaseMs, maxLostLeases: maxAttempts };
    const wanted = { fingerprints, total, isFetching: !resumes, ...limits, ...present({ queuedAt }) };
    if (jobId === undefined) return this.#claimByContent({ kind, org, body }, wanted);
    const job = { kind, org, jobId };
    return { job, claim: await this.#ask(job, { ...wanted, retentionMs: recordRetentionMs(job) }) };
  }

  /**
   * Claims a job by its content. During a rotation of keys the job has an id under each key, and processes may know
   * different keys. The job runs under one of these ids, which is the same for all processes with the same keys. Under
   * each other id the process claims a record that keeps others from running the job: its fingerprint is of a key that
   * they have to know first. If a process that knows fewer keys came first, its record is the job.
   */
  async #claimByContent(
    content: Pick<JobIdentity, 'kind' | 'org'> & { readonly body: unknown },
    { fingerprints, ...wanted }: Omit<ClaimRequest, 'nonce' | 'retentionMs'>,
  ): Promise<Claimed> {
    const { jobStore, keyRing, deadlineMs } = this.#options;
    const { kind, org } = content;
    const ids = await derivedJobIds(keyRing, content);
    const own = ids.reduce((least, id) => (id.kid < least.kid ? id : least));
    const under = { ...wanted, fingerprints: ownFirst(fingerprints, own.kid) };
    const placeholders: { readonly job: JobIdentity; readonly fencingToken: string }[] = [];
    try {
      for (const { jobId, kid } of ids.filter((id) => id !== own)) {
        const job = { kind, org, jobId };
        const retentionMs = deadlineMs + DERIVED_ID_RETENTION_MS;
        const claim = await this.#ask(job, { ...under, retentionMs, isPlaceholder: true }, true);
        if (claim.outcome !== 'claimed' || !isPlaceholder(claim.record.fingerprint, kid)) return { job, claim };
        // The record is held until the job is claimed, so that only one of two simultaneous claims continues.
        placeholders.push({ job, fencingToken: claim.fencingToken });
      }
      const job = { kind, org, jobId: own.jobId };
      return { job, claim: await this.#ask(job, { ...under, retentionMs: DERIVED_ID_RETENTION_MS }, true) };
    } finally {
      // A lease that could not be released expires.
      await Promise.allSettled(placeholders.map(({ job, fencingToken }) => jobStore.release(job, fencingToken)));
    }
  }

  async #ask(job: JobIdentity, wanted: Omit<ClaimRequest, 'nonce'>, isDerived = false): Promise<ClaimOutcome> {
    const keyPrefixAt = (createdAt: number): string => keyPrefixOf(job, createdAt, isDerived);
    const key = jobRecordKey(job);
    const nonce = this.#unanswered.get(key) ?? randomUUID();
    // The nonce is removed, because a concurrent claim must not use it.
    this.#unanswered.delete(key);
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#options.jobStore.claim(job, { ...wanted, nonce, keyPrefixAt });
      } catch (error) {
        if (!(error instanceof ServiceUnavailableError)) throw error;
        if (tries === MAX_TRIES) {
          this.#unanswered.set(key, nonce);
          throw error;
        }
        await delay(PAUSE_MS * tries);
      }
    }
  }
}

/** Returns true if a record only bars the way: that of a job has no named key, or the key of its id. */
function isPlaceholder(fingerprint: string, kidOfId: string): boolean {
  const { kid } = splitFingerprint(fingerprint);
  return kid !== undefined && kid !== kidOfId;
}

function ownFirst(fingerprints: ClaimRequest['fingerprints'], kid: string): ClaimRequest['fingerprints'] {
  const [current] = fingerprints;
  const own = fingerprints.find((fingerprint) => splitFingerprint(fingerprint).kid === kid) ?? current;
  return [own, ...fingerprints.filter((fingerprint) => fingerprint !== own)];
}

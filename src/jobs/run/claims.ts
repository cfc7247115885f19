import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { ServiceUnavailableError } from '../../errors.js';
import { jobRecordKey, type JobIdentity } from '../../job-record/job-record.js';
import type { ClaimOutcome, ClaimRequest, JobStore } from '../../job-record/job-store.js';

/** Number of tries of a claim while the store does not answer, and the pause after the first one. */
const MAX_TRIES = 3;
const PAUSE_MS = 200;

/** Maximum number of remembered unanswered claims. */
const MAX_UNANSWERED = 1_000;

/**
 * Claims jobs. A claim whose answer is lost may have been granted. It is repeated under the same nonce, at once and by
 * the next delivery to this process, so that the lease is orphaned for no longer than the store is away.
 */
export class Claims {
  readonly #jobStore: Pick<JobStore, 'claim'>;
  /** Nonces by the key of the record. */
  readonly #unanswered: LRUCache<string, string>;

  /** @param leaseMs time after which an unanswered grant expires */
  constructor(jobStore: Pick<JobStore, 'claim'>, leaseMs: number) {
    this.#jobStore = jobStore;
    this.#unanswered = new LRUCache({ max: MAX_UNANSWERED, ttl: leaseMs });
  }

  /** Returns true if a claim of a job was not answered, so that this process may hold its lease. */
  isUnanswered(job: JobIdentity): boolean {
    return this.#unanswered.has(jobRecordKey(job));
  }

  /** @throws {ServiceUnavailableError} when the store cannot be reached */
  async ask(job: JobIdentity, wanted: Omit<ClaimRequest, 'nonce'>): Promise<ClaimOutcome> {
    const key = jobRecordKey(job);
    const nonce = this.#unanswered.get(key) ?? randomUUID();
    // A concurrent claim must not use the same nonce.
    this.#unanswered.delete(key);
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#jobStore.claim(job, { ...wanted, nonce });
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

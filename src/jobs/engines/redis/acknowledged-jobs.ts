import { LRUCache } from 'lru-cache';
import { ServiceUnavailableError } from '../../../base/errors.js';
import type { Logger } from '../../../base/logging/logger.js';
import { jobRecordKey, type JobIdentity } from '../../record/job-record.js';
import type { RedisConnection } from './connection.js';

/** Time for which a job is remembered, in milliseconds: sentinels leave a former primary writable for ten seconds. */
const REMEMBERED_MS = 15_000;

/** Limit of remembered jobs; beyond it, the oldest are forgotten. */
const MAX_REMEMBERED = 10_000;

/** Limit of job ids in one line of the log. */
const MAX_NAMED = 20;

/** Jobs that this process has acknowledged within the last seconds. After each reconnection, they are looked for. */
export class AcknowledgedJobs {
  readonly #redis: RedisConnection;
  readonly #logger: Logger;
  /** Ids of jobs by the key of their record. */
  readonly #jobs = new LRUCache<string, string>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: () => 1,
    ttl: REMEMBERED_MS,
  });

  constructor(redis: RedisConnection, logger: Logger) {
    this.#redis = redis;
    this.#logger = logger;
  }

  note(job: JobIdentity): void {
    this.#jobs.set(jobRecordKey(job), job.jobId);
  }

  /** Logs the jobs that a new primary, or one that restarted, does not have. Never rejects. */
  async look(): Promise<void> {
    const keys = [...this.#jobs.rkeys()];
    if (keys.length === 0) return;
    const { client } = this.#redis;
    try {
      const found = await this.#redis.run(() => Promise.all(keys.map((key) => client.exists(key))));
      const missing = keys.filter((_, index) => found[index] === 0);
      if (missing.length === 0) return;
      const jobIds = missing.slice(0, MAX_NAMED).flatMap((key) => this.#jobs.peek(key) ?? []);
      for (const key of missing) this.#jobs.delete(key);
      this.#logger.event('store.forgot', { missing: missing.length, jobIds });
    } catch (error) {
      // The connection has logged it, and the next reconnection looks again.
      if (!(error instanceof ServiceUnavailableError)) this.#logger.event('store.mark_unknown', { err: error });
    }
  }
}

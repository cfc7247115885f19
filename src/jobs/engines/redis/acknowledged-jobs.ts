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
  /** Jobs by the key of their record, the oldest first, with the monotonic time of the acknowledgement. */
  readonly #jobs = new Map<string, { readonly jobId: string; readonly at: number }>();

  constructor(redis: RedisConnection, logger: Logger) {
    this.#redis = redis;
    this.#logger = logger;
  }

  note(job: JobIdentity): void {
    this.#forgetOld(MAX_REMEMBERED - 1);
    this.#jobs.set(jobRecordKey(job), { jobId: job.jobId, at: performance.now() });
  }

  /** Logs the jobs that a new primary, or one that restarted, does not have. Never rejects. */
  async look(): Promise<void> {
    this.#forgetOld(MAX_REMEMBERED);
    const jobs = [...this.#jobs];
    if (jobs.length === 0) return;
    const { client } = this.#redis;
    try {
      const found = await this.#redis.run(() => Promise.all(jobs.map(([key]) => client.exists(key))));
      const missing = jobs.filter((_, index) => found[index] === 0);
      for (const [key] of missing) this.#jobs.delete(key);
      if (missing.length === 0) return;
      const jobIds = missing.slice(0, MAX_NAMED).map(([, { jobId }]) => jobId);
      this.#logger.event('store.forgot', { missing: missing.length, jobIds });
    } catch (error) {
      // The connection has logged it, and the next reconnection looks again.
      if (!(error instanceof ServiceUnavailableError)) this.#logger.event('store.mark_unknown', { err: error });
    }
  }

  #forgetOld(max: number): void {
    const since = performance.now() - REMEMBERED_MS;
    for (const [key, { at }] of this.#jobs) {
      if (at >= since && this.#jobs.size <= max) return;
      this.#jobs.delete(key);
    }
  }
}

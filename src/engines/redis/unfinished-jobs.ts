import type { JobIdentity } from '../../job-record/job-record.js';
import { parseIdentity } from '../../job-record/stored-message.js';
import { describeError } from '../../errors.js';
import type { Logger } from '../../logging/logger.js';
import type { RedisClient } from './clients.js';
import { KEY_PREFIX } from './key-prefix.js';

/** In the slot of the queue: records lie in slots of their own, so no script could keep both in step. */
const KEY = `${KEY_PREFIX}:unfinished`;

/** Entries that one look returns at most. */
const BATCH = 200;

/** A job that was submitted, and its place in the index. */
export interface UnfinishedJob extends JobIdentity {
  readonly member: string;
}

/**
 * Index of submitted jobs by the time they were last looked at. It is written before record and queue entry,
 * so that whatever a crash leaves half done is found; a job leaves it when a look finds it finished.
 */
export class UnfinishedJobs {
  readonly #client: RedisClient;
  readonly #logger: Logger;

  constructor(client: RedisClient, logger: Logger) {
    this.#client = client;
    this.#logger = logger;
  }

  /** Enters a job. @param now milliseconds since 1970 */
  async add({ kind, org, jobId }: JobIdentity, now: number): Promise<void> {
    await this.#client.zadd(KEY, now, JSON.stringify({ kind, org, jobId }));
  }

  /** Jobs last looked at before a time, longest ago first, a few hundred at most. What names no job is removed. */
  async notSeenSince(time: number): Promise<UnfinishedJob[]> {
    for (;;) {
      const members = await this.#client.zrangebyscore(KEY, '-inf', time, 'LIMIT', 0, BATCH);
      const jobs = members.flatMap((member) => this.#read(member) ?? []);
      if (jobs.length === members.length) return jobs;
      const readable = new Set(jobs.map(({ member }) => member));
      await this.#client.zrem(KEY, ...members.filter((member) => !readable.has(member)));
    }
  }

  /** Notes that jobs were looked at and are on their way. */
  async seen(jobs: readonly UnfinishedJob[], now: number): Promise<void> {
    if (jobs.length > 0) await this.#client.zadd(KEY, 'XX', ...jobs.flatMap(({ member }) => [now, member]));
  }

  /** Forgets jobs. */
  async remove(jobs: readonly UnfinishedJob[]): Promise<void> {
    if (jobs.length > 0) await this.#client.zrem(KEY, ...jobs.map(({ member }) => member));
  }

  #read(member: string): UnfinishedJob | undefined {
    try {
      return { ...parseIdentity(JSON.parse(member)), member };
    } catch (error) {
      this.#logger.event('queue.orphan_unreadable', { reason: describeError(error) });
      return undefined;
    }
  }
}

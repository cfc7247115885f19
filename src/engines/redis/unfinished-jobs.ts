import type { Redis } from 'ioredis';
import type { JobIdentity } from '../../job-record/job-record.js';
import { parseIdentity } from '../stored-message.js';
import { KEY_PREFIX } from './bullmq-settings.js';

/** In the slot of the queue: records lie in slots of their own, so no script could keep both in step. */
const KEY = `${KEY_PREFIX}:unfinished`;

/** Entries that one look returns at most. */
const BATCH = 500;

/** A job that was submitted, and its place in the index. */
export interface UnfinishedJob extends JobIdentity {
  readonly member: string;
}

/**
 * Index of submitted jobs by the time they were last looked at. It is written before record and queue entry,
 * so that whatever a crash leaves half done is found; a job leaves it when a look finds it finished.
 */
export class UnfinishedJobs {
  readonly #client: Redis;

  constructor(client: Redis) {
    this.#client = client;
  }

  /** Enters a job. @param now milliseconds since 1970 */
  async add({ kind, org, jobId }: JobIdentity, now: number): Promise<void> {
    await this.#client.zadd(KEY, now, JSON.stringify({ kind, org, jobId }));
  }

  /** Jobs last looked at before a time, longest ago first, a few hundred at most. */
  async notSeenSince(time: number): Promise<UnfinishedJob[]> {
    const members = await this.#client.zrangebyscore(KEY, '-inf', time, 'LIMIT', 0, BATCH);
    return members.map((member) => ({ ...parseIdentity(JSON.parse(member)), member }));
  }

  /** Notes that a job was looked at and is on its way. */
  async seen({ member }: UnfinishedJob, now: number): Promise<void> {
    await this.#client.zadd(KEY, 'XX', now, member);
  }

  /** Forgets a job. */
  async remove({ member }: UnfinishedJob): Promise<void> {
    await this.#client.zrem(KEY, member);
  }
}

import { describeError } from '../../errors.js';
import { MAX_WAIT_MS } from '../../job-record/job-queue.js';
import type { JobIdentity } from '../../job-record/job-record.js';
import { parseIdentity } from '../../job-record/stored-message.js';
import type { Logger } from '../../logging/logger.js';
import type { RedisClient } from './clients.js';
import { KEY_PREFIX } from './script.js';

/** Key of the index. It is in the slot of the queue, because the records have separate slots. */
const UNFINISHED = `${KEY_PREFIX}:unfinished`;

const BATCH = 200;

export interface UnfinishedJob extends JobIdentity {
  readonly member: string;
}

/**
 * Creates the index of submitted jobs by the time of their last check, milliseconds since 1970. A job enters it before
 * its record and its queue entry are written, so that whatever a crash leaves is found. It leaves when a check finds it
 * finished.
 */
export function createUnfinishedJobs(client: RedisClient, logger: Logger) {
  function read(member: string): UnfinishedJob | undefined {
    try {
      return { ...parseIdentity(JSON.parse(member)), member };
    } catch (error) {
      logger.event('queue.orphan_unreadable', { reason: describeError(error) });
      return undefined;
    }
  }

  return {
    async add({ kind, org, jobId }: JobIdentity): Promise<void> {
      await client.zadd(UNFINISHED, Date.now(), JSON.stringify({ kind, org, jobId }));
    },

    /** Returns jobs last checked before a time, oldest first, a few hundred at most. Invalid members are removed. */
    async notSeenSince(time: number): Promise<readonly UnfinishedJob[]> {
      for (;;) {
        const members = await client.zrangebyscore(UNFINISHED, '-inf', time, 'LIMIT', 0, BATCH);
        const jobs = members.flatMap((member) => read(member) ?? []);
        if (jobs.length === members.length) return jobs;
        const readable = new Set(jobs.map(({ member }) => member));
        await client.zrem(UNFINISHED, ...members.filter((member) => !readable.has(member)));
      }
    },

    /** Makes jobs due that a wrong clock entered with a future time. */
    async capTimes(now: number): Promise<void> {
      const ahead = await client.zrangebyscore(UNFINISHED, now + MAX_WAIT_MS, '+inf', 'LIMIT', 0, BATCH);
      if (ahead.length > 0) await client.zadd(UNFINISHED, 'XX', ...ahead.flatMap((member) => [now, member]));
    },

    /** Notes that jobs were checked and will be delivered. */
    async seen(jobs: readonly UnfinishedJob[], now: number): Promise<void> {
      if (jobs.length > 0) await client.zadd(UNFINISHED, 'XX', ...jobs.flatMap(({ member }) => [now, member]));
    },

    async remove(jobs: readonly UnfinishedJob[]): Promise<void> {
      if (jobs.length > 0) await client.zrem(UNFINISHED, ...jobs.map(({ member }) => member));
    },
  };
}

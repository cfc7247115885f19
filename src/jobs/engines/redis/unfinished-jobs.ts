import { describeError } from '../../../base/errors.js';
import { MAX_WAIT_MS } from '../../record/job-queue.js';
import type { JobIdentity } from '../../record/job-record.js';
import { parseIdentity } from '../../record/message-fields.js';
import type { Logger } from '../../../base/logging/logger.js';
import type { RedisClient } from './clients.js';
import { KEY_PREFIX } from './script.js';

/**
 * Key of the index of submitted jobs by the time of their last check, milliseconds since 1970. A job enters it before
 * its record and its queue entry are written, so that whatever a crash leaves is found. It leaves when a check finds it
 * finished. It is in the slot of the queue, because the records have separate slots.
 */
const UNFINISHED = `${KEY_PREFIX}:unfinished`;

const BATCH = 200;

export interface UnfinishedJob extends JobIdentity {
  readonly member: string;
}

export function entryOf({ kind, org, jobId }: JobIdentity): UnfinishedJob {
  return { kind, org, jobId, member: JSON.stringify({ kind, org, jobId }) };
}

export async function add(client: RedisClient, job: JobIdentity): Promise<void> {
  await client.zadd(UNFINISHED, Date.now(), entryOf(job).member);
}

/** Returns jobs last checked before a time, oldest first, a few hundred at most. Invalid members are removed. */
export async function notSeenSince(client: RedisClient, time: number, log: Logger): Promise<readonly UnfinishedJob[]> {
  for (;;) {
    const members = await client.zrangebyscore(UNFINISHED, '-inf', time, 'LIMIT', 0, BATCH);
    const jobs = members.flatMap((member) => read(member, log) ?? []);
    if (jobs.length === members.length) return jobs;
    const readable = new Set(jobs.map(({ member }) => member));
    await client.zrem(UNFINISHED, ...members.filter((member) => !readable.has(member)));
  }
}

/** Makes jobs due that a wrong clock entered with a future time. */
export async function capTimes(client: RedisClient, now: number): Promise<void> {
  const ahead = await client.zrangebyscore(UNFINISHED, now + MAX_WAIT_MS, '+inf', 'LIMIT', 0, BATCH);
  if (ahead.length > 0) await client.zadd(UNFINISHED, 'XX', ...ahead.flatMap((member) => [now, member]));
}

/** Notes that jobs were checked and will be delivered. */
export async function seen(client: RedisClient, jobs: readonly UnfinishedJob[], now: number): Promise<void> {
  if (jobs.length > 0) await client.zadd(UNFINISHED, 'XX', ...jobs.flatMap(({ member }) => [now, member]));
}

export async function remove(client: RedisClient, jobs: readonly UnfinishedJob[]): Promise<void> {
  if (jobs.length > 0) await client.zrem(UNFINISHED, ...jobs.map(({ member }) => member));
}

function read(member: string, logger: Logger): UnfinishedJob | undefined {
  try {
    return { ...parseIdentity(JSON.parse(member)), member };
  } catch (error) {
    logger.event('queue.orphan_unreadable', { reason: describeError(error) });
    return undefined;
  }
}

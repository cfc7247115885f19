import type { Queue } from 'bullmq';
import { MAX_LOOKED_AT, type QueueLoad } from '../../job-record/job-queue.js';
import type { RedisClient } from './clients.js';

/** Where BullMQ keeps what waits: a list by arrival, and a set by the time at which it comes again. */
const WAITING = ['wait', 'delayed'] as const;

/** How much there is in a queue of BullMQ. */
export async function bullMqLoad(queue: Queue<unknown>, client: RedisClient): Promise<QueueLoad> {
  const [counts, ...next] = await Promise.all([
    queue.getJobCounts(...WAITING, 'active', 'failed'),
    ...WAITING.map((state) => queue.getRanges([state], 0, MAX_LOOKED_AT / WAITING.length, true)),
  ]);
  // Sent one after the other without waiting: one round trip.
  const times = await Promise.all(next.flat().map((id) => client.hget(queue.toKey(id), 'timestamp')));
  // Some may have been taken since their ids were read.
  const known = times.filter((time) => time !== null).map(Number);
  return {
    waiting: WAITING.reduce((sum, state) => sum + (counts[state] ?? 0), 0),
    inHand: counts['active'] ?? 0,
    deadLetters: counts['failed'] ?? 0,
    oldestSince: known.length > 0 ? Math.min(...known) : undefined,
  };
}

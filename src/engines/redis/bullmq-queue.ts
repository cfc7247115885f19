import { Queue } from 'bullmq';
import type { Logger } from '../../logging/logger.js';
import type { JobIdentity } from '../../job-record/job-record.js';
import type { RedisConnection } from './connection.js';
import type { RedisJobStore } from './job-store.js';
import { startBullMqConsumer } from './bullmq-consumer.js';
import { BullMqDeadLetters } from './bullmq-dead-letters.js';
import { listEntries } from './bullmq-entries.js';
import { queueEntryId } from './queue-entry-id.js';
import { QUEUE_NAME, type DeliverySettings } from './bullmq-settings.js';
import { storedMessage } from '../../job-record/stored-message.js';
import { KEY_PREFIX } from './key-prefix.js';
import { RecordedJobs } from './recorded-jobs.js';
import type { SharedQueue } from './shared-queue.js';
import {
  DEAD_LETTER_RETENTION_MS,
  type ConsumeOptions,
  type Delivery,
  type Disposition,
  type JobMessage,
  MAX_LOOKED_AT,
  type QueueLoad,
} from '../../job-record/job-queue.js';
import type { RedisClient } from './clients.js';

/** What the queue is made of. */
export interface BullMqQueueOptions {
  readonly redis: RedisConnection;
  /** Where pending records are written; on the same Redis. */
  readonly store: RedisJobStore;
  readonly logger: Logger;
  readonly delivery: DeliverySettings;
}

/** Dead letters are kept this long, in seconds. */
const DEAD_LETTER_AGE_SECONDS = DEAD_LETTER_RETENTION_MS / 1000;

/** States in which BullMQ does not deliver a job any more. */
const UNDELIVERABLE = new Set(['failed', 'completed', 'unknown']);

/** Where BullMQ keeps what waits: a list by arrival, and a set by the time at which it comes again. */
const WAITING = ['wait', 'delayed'] as const;

/**
 * The queue on BullMQ. Records and queue entries lie in different slots of a Cluster, so they cannot be
 * written in one transaction; instead a failed enqueue ends the record, and a sweep ends what a crash left
 * behind.
 */
export function createBullMqQueue(options: BullMqQueueOptions): SharedQueue {
  const { redis, store, logger, delivery } = options;
  const queue = new Queue<unknown>(QUEUE_NAME, {
    connection: redis.client,
    prefix: KEY_PREFIX,
    // Both would make the first command wait for the connection instead of failing.
    skipVersionCheck: true,
    skipWaitingForReady: true,
    defaultJobOptions: {
      attempts: delivery.maxAttempts,
      backoff: { type: 'capped-exponential' },
      removeOnComplete: true,
      removeOnFail: { age: DEAD_LETTER_AGE_SECONDS },
      // Errors of a handler are for people; where they arose is not.
      stackTraceLimit: 0,
    },
  });
  // Connection errors; the connection has logged them already.
  queue.on('error', (error) => redis.report(error));

  const dead = new BullMqDeadLetters(queue, redis.client, logger);
  const isDeliverable = async (job: JobIdentity): Promise<boolean> =>
    !UNDELIVERABLE.has(await queue.getJobState(queueEntryId(job)));

  const recorded = new RecordedJobs({ redis, store, logger, isDeliverable });

  /** BullMQ ignores an entry whose id it knows; a dead letter has to be revived. */
  async function enqueue(message: JobMessage): Promise<void> {
    const jobId = queueEntryId(message);
    // Sent one after the other without waiting: one round trip.
    const [, state] = await Promise.all([
      queue.add(message.kind, storedMessage(message), { jobId }),
      queue.getJobState(jobId),
    ]);
    if (state === 'failed') await dead.revive(message, message);
  }

  return {
    submit: (message) =>
      recorded.submit(message, async () => {
        try {
          await redis.write(() => enqueue(message));
        } catch (error) {
          // It may have got there nevertheless.
          if (!(await isDeliverable(message).catch(() => false))) throw error;
        }
      }),
    consume: (handler: (delivery: Delivery) => Promise<Disposition>, { concurrency }: ConsumeOptions) =>
      startBullMqConsumer({ redis, logger, delivery, handler, concurrency }),
    deadLetters: () => redis.run(() => dead.list()),
    deadMessage: (job) => redis.run(() => dead.message(job)),
    replay: (job) =>
      redis.run(async () => {
        if (!(await dead.has(job))) return false;
        await recorded.reopen(job);
        return dead.revive(job);
      }),
    queued: () => redis.run(() => listEntries(queue, redis.client)),
    load: () => redis.run(() => bullMqLoad(queue, redis.client)),
    sweepOrphans: (options) => recorded.sweep(options),
    close: () => queue.close(),
  };
}

/** How much there is in a queue of BullMQ. */
async function bullMqLoad(queue: Queue<unknown>, client: RedisClient): Promise<QueueLoad> {
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

import { Queue } from 'bullmq';
import type { RedisJobStore } from './job-store.js';
import { BullMqConsumer, QUEUE_NAME, type BullMqConsumerOptions } from './bullmq-consumer.js';
import * as entries from './bullmq-entries.js';
import { isReply } from './redis-faults.js';
import { storedMessage } from '../../record/message-fields.js';
import { KEY_PREFIX } from './script.js';
import { RecordedJobs, type SharedQueue } from './recorded-jobs.js';
import { DEAD_LETTER_RETENTION_MS, type JobMessage } from '../../record/job-queue.js';

export interface BullMqQueueOptions extends Pick<BullMqConsumerOptions, 'redis' | 'logger' | 'delivery'> {
  readonly store: RedisJobStore;
}

/**
 * Creates the queue on BullMQ. Records and queue entries are in different slots of a Cluster and cannot share a
 * transaction. Instead a failed enqueue ends the record, and a sweep ends the records of jobs that a crash left without
 * an entry.
 */
export function createBullMqQueue(options: BullMqQueueOptions): SharedQueue {
  const { redis, logger, delivery } = options;
  const queue = new Queue<unknown>(QUEUE_NAME, {
    connection: redis.client,
    prefix: KEY_PREFIX,
    // Both defaults would make the first command wait for the connection instead of failing.
    skipVersionCheck: true,
    skipWaitingForReady: true,
    defaultJobOptions: {
      attempts: delivery.maxAttempts,
      backoff: { type: 'capped-exponential' },
      removeOnComplete: true,
      removeOnFail: { age: DEAD_LETTER_RETENTION_MS / 1000 },
      // The errors of a handler are written for people, who do not need the stack.
      stackTraceLimit: 0,
    },
  });
  // These are errors of the connection, which logs each of them once.
  queue.on('error', (error) => redis.report(error));

  const parts = { redis, queue, logger };
  const recorded = new RecordedJobs({ ...options, isDeliverable: (job) => entries.isDeliverable(parts, job) });

  return {
    submit: (message) => recorded.submit(message, () => enqueueEntry(parts, message)),
    submitAgain: (message) => enqueueEntry(parts, message),
    consume: (handler, { concurrency }) => new BullMqConsumer({ ...options, handler, concurrency }),
    deadLetters: () => redis.run(() => entries.deadLetters(parts)),
    deadMessage: (job) => redis.run(() => entries.deadMessage(parts, job)),
    replay: (job) => redis.run(() => entries.replayEntry(parts, job, (held) => recorded.reopen(held))),
    drop: (job) => redis.run(() => entries.dropEntry(parts, job)),
    queued: () => redis.run(() => entries.queued(parts)),
    load: () => redis.run(() => entries.load(parts)),
    sweepOrphans: (options) => recorded.sweep(options, () => entries.capDueTimes(parts)),
    close: () => queue.close(),
  };
}

/** Enqueues a message. @throws {ServiceUnavailableError} only if it surely is not in the queue */
async function enqueueEntry(parts: entries.BullMqParts, message: JobMessage): Promise<void> {
  const { redis, logger } = parts;
  let isRefused = false as boolean; // set in a callback
  const notingRefusal = (error: unknown): never => {
    isRefused = isReply(error);
    throw error;
  };
  try {
    await redis.run(() => addEntry(parts, message).catch(notingRefusal), 'writing');
  } catch (error) {
    // The message may have arrived although the reply is missing, or from a repetition of the start.
    const isThere = await entries.isDeliverable(parts, message).catch(() => (isRefused ? false : undefined));
    if (isThere === false) throw error;
    if (isThere === undefined)
      logger.event('queue.enqueue_in_doubt', { jobId: message.jobId, kind: message.kind, org: message.org });
  }
}

/**
 * Adds a message. BullMQ ignores an entry whose id it knows, so a dead letter is revived instead, and one that is in no
 * list, because Redis has lost that, is replaced. One that is gone was done at once, and a dead letter of the same
 * time has died at once.
 */
async function addEntry(parts: entries.BullMqParts, message: JobMessage): Promise<void> {
  const { queue } = parts;
  const jobId = entries.queueEntryId(message);
  const add = () => queue.add(message.kind, storedMessage(message), { jobId });
  // The commands are pipelined: they take one round trip.
  const [added, state] = await Promise.all([add(), queue.getJobState(jobId)]);
  if (state !== 'unknown' && state !== 'failed') return;
  const known = await queue.getJob(jobId);
  if (state === 'unknown' && known !== undefined && (await queue.remove(jobId)) === 1) await add();
  if (state === 'failed' && known?.timestamp !== added.timestamp) {
    await entries.revive(parts, message, Date.now(), message);
  }
}

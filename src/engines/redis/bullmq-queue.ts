import { Queue } from 'bullmq';
import type { Logger } from '../../logger.js';
import type { JobInspection } from '../../job-record/job-inspection.js';
import type { JobIdentity } from '../../job-record/job-record.js';
import type { RedisConnection } from './connection.js';
import type { RedisJobStore } from './job-store.js';
import { startBullMqConsumer } from './bullmq-consumer.js';
import { BullMqDeadLetters } from './bullmq-dead-letters.js';
import { listEntries } from './bullmq-entries.js';
import { bullMqJobId } from './bullmq-job-id.js';
import { bullMqLoad } from './bullmq-load.js';
import { QUEUE_NAME, type DeliverySettings } from './bullmq-settings.js';
import { storedMessage } from '../stored-message.js';
import { KEY_PREFIX } from './key-prefix.js';
import { ORPHANED_JOB, SWEEP_EVERY_MS, sweepOrphans, type SweepOptions } from './orphan-sweep.js';
import { SweepLease } from './sweep-lease.js';
import { UnfinishedJobs, type UnfinishedJob } from './unfinished-jobs.js';
import {
  DEAD_LETTER_RETENTION_MS,
  type ConsumeOptions,
  type Delivery,
  type Disposition,
  type JobMessage,
  type JobQueue,
  type JobSubmission,
} from '../../job-record/job-queue.js';

/** What the queue is made of. */
export interface BullMqQueueOptions {
  readonly redis: RedisConnection;
  /** Where pending records are written; on the same Redis. */
  readonly store: RedisJobStore;
  readonly logger: Logger;
  readonly delivery: DeliverySettings;
}

/** A queue and what keeps it in order. */
export interface BullMqQueue extends JobQueue, JobSubmission, Pick<JobInspection, 'queued'> {
  /**
   * Ends unfinished records that the queue does not know, or knows only as dead letters. Of all processes one sweeps
   * at a time, and again when its lease has run out.
   *
   * @param options.olderThanMs the deadline of a job is a good value
   * @returns how many records were ended; 0 when somebody else sweeps
   * @throws {ServiceUnavailableError} when Redis cannot be reached
   */
  sweepOrphans(options: SweepOptions): Promise<number>;
  /** Lets go of the connection, which stays open; consumers are closed by themselves. */
  close(): Promise<void>;
}

/** Dead letters are kept this long, in seconds. */
const DEAD_LETTER_AGE_SECONDS = DEAD_LETTER_RETENTION_MS / 1000;

/** States in which BullMQ does not deliver a job any more. */
const UNDELIVERABLE = new Set(['failed', 'completed', 'unknown']);

/**
 * The queue on BullMQ. Records and queue entries lie in different slots of a Cluster, so they cannot be
 * written in one transaction; instead a failed enqueue ends the record, and a sweep ends what a crash left
 * behind.
 */
export function createBullMqQueue(options: BullMqQueueOptions): BullMqQueue {
  const { redis, store, logger, delivery } = options;
  const { organisations } = store;
  const unfinished = new UnfinishedJobs(redis.client, logger);
  const lease = new SweepLease(redis.client, SWEEP_EVERY_MS);
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
    !UNDELIVERABLE.has(await queue.getJobState(bullMqJobId(job)));

  /** Whether a job whose enqueuing failed got there nevertheless; if it did not, its record is ended. */
  async function arrived(message: JobMessage): Promise<boolean> {
    if (await isDeliverable(message).catch(() => false)) return true;
    // If Redis is still away, the sweep ends it. Should the message be there after all, its delivery takes
    // the record up again.
    await store.fail(message, message.described, ORPHANED_JOB).catch(() => undefined);
    return false;
  }

  /** BullMQ ignores an entry whose id it knows; a dead letter has to be revived. */
  async function enqueue(message: JobMessage): Promise<void> {
    const jobId = bullMqJobId(message);
    // Sent one after the other without waiting: one round trip.
    const [, state] = await Promise.all([
      queue.add(message.kind, storedMessage(message), { jobId }),
      queue.getJobState(jobId),
    ]);
    if (state === 'failed') await dead.revive(message, message);
  }

  /** What sweeps find ended need not be counted any more. */
  const swept = {
    notSeenSince: (time: number) => unfinished.notSeenSince(time),
    seen: (jobs: readonly UnfinishedJob[], now: number) => unfinished.seen(jobs, now),
    async remove(jobs: readonly UnfinishedJob[]) {
      await Promise.all(jobs.map((job) => organisations.leave(job, true)));
      await unfinished.remove(jobs);
    },
  };

  /** @returns when the record was written; undefined when there was one already */
  async function writePending(message: JobMessage, openedAt: number): Promise<number | undefined> {
    try {
      // First, and by itself: the rest goes to other servers of a Cluster, and what a crash leaves of it is swept.
      await redis.run(() => unfinished.add(message, Date.now()));
      const [, createdAt] = await Promise.all([
        redis.run(() => organisations.index(message, openedAt)),
        store.enqueue(message, message.described),
      ]);
      return createdAt;
    } catch (error) {
      // If Redis is away, it is found when the limit is reached that there is no such job.
      await organisations.leave(message, true).catch(() => undefined);
      throw error;
    }
  }

  return {
    async submit(message) {
      const openedAt = await redis.run(() => organisations.open(message, message.payload.length));
      const createdAt = await writePending(message, openedAt);
      try {
        await redis.run(() => enqueue(message));
      } catch (error) {
        if (!(await arrived(message))) throw error;
      }
      return createdAt ?? (await store.read(message))?.createdAt ?? Date.now();
    },
    consume: (handler: (delivery: Delivery) => Promise<Disposition>, { concurrency }: ConsumeOptions) =>
      startBullMqConsumer({ redis, logger, delivery, handler, concurrency }),
    deadLetters: () => redis.run(() => dead.list()),
    deadMessage: (job) => redis.run(() => dead.message(job)),
    replay: (job) =>
      redis.run(async () => {
        if (!(await dead.has(job))) return false;
        await unfinished.add(job, Date.now());
        await organisations.openAgain(job);
        return dead.revive(job);
      }),
    queued: () => redis.run(() => listEntries(queue, redis.client)),
    load: () => redis.run(() => bullMqLoad(queue, redis.client)),
    sweepOrphans: (options) =>
      redis.run(async () => {
        const goOn = (): Promise<boolean> => lease.hold();
        const ended = await sweepOrphans({ store, unfinished: swept, isDeliverable, goOn, logger }, options);
        // Nobody else need wait to finish what was stopped.
        if (options.stopping?.aborted) await lease.release();
        return ended;
      }),
    close: () => queue.close(),
  };
}

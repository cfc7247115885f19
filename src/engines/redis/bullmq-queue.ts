import { Queue, type Job } from 'bullmq';
import { describeError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import type { JobIdentity } from '../../job-record/job-record.js';
import type { RedisConnection } from './connection.js';
import type { RedisJobStore } from './job-store.js';
import { attemptsOf, startBullMqConsumer } from './bullmq-consumer.js';
import { bullMqJobId, parseMessage } from './bullmq-message.js';
import { ORPHANED_JOB, sweepOrphans } from './orphan-sweep.js';
import { KEY_PREFIX, QUEUE_NAME, type DeliverySettings } from './bullmq-settings.js';
import { UnfinishedJobs } from './unfinished-jobs.js';
import type {
  ConsumeOptions,
  DeadLetter,
  Delivery,
  Disposition,
  JobMessage,
  JobQueue,
  JobSubmission,
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
export interface BullMqQueue extends JobQueue, JobSubmission {
  /**
   * Ends unfinished records that the queue does not know, or knows only as dead letters.
   *
   * @param options.olderThanMs jobs submitted more recently are left alone; the deadline of a job is a good
   * value
   * @returns how many records were ended
   * @throws {ServiceUnavailableError} when Redis cannot be reached
   */
  sweepOrphans(options: { readonly olderThanMs: number }): Promise<number>;
  /** Lets go of the connection, which stays open; consumers are closed by themselves. */
  close(): Promise<void>;
}

/** Dead letters are kept this long, in seconds. */
const DEAD_LETTER_AGE_SECONDS = 30 * 24 * 60 * 60;

/** States in which BullMQ does not deliver a job any more. */
const UNDELIVERABLE = new Set(['failed', 'completed', 'unknown']);

/**
 * The queue on BullMQ. Records and queue entries lie in different slots of a Cluster, so they cannot be
 * written in one transaction; instead a failed enqueue ends the record, and a sweep ends what a crash left
 * behind.
 */
export function createBullMqQueue(options: BullMqQueueOptions): BullMqQueue {
  const { redis, store, logger, delivery } = options;
  const unfinished = new UnfinishedJobs(redis.client);
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

  return {
    async submit(message) {
      const [, createdAt] = await Promise.all([
        redis.run(() => unfinished.add(message, Date.now())),
        store.enqueue(message, message.described),
      ]);
      try {
        await redis.run(() => queue.add(message.kind, message, { jobId: bullMqJobId(message) }));
      } catch (error) {
        if (!(await arrived(message))) throw error;
      }
      return createdAt ?? (await store.read(message))?.createdAt ?? Date.now();
    },
    consume: (handler: (delivery: Delivery) => Promise<Disposition>, { concurrency }: ConsumeOptions) =>
      startBullMqConsumer({ redis, logger, delivery, handler, concurrency }),
    deadLetters: () =>
      redis.run(async () => {
        const jobs = await queue.getJobs(['failed'], 0, -1, true);
        return jobs.flatMap((job) => readLetter(job, logger) ?? []);
      }),
    replay: (job) =>
      redis.run(async () => {
        const id = bullMqJobId(job);
        const entry = await queue.getJob(id);
        if (entry === undefined || !(await entry.isFailed())) return false;
        await unfinished.add(job, Date.now());
        // BullMQ resets the attempts that failed, and never the consumers that died; both count here.
        await redis.client.hdel(queue.toKey(id), 'stc');
        try {
          await entry.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true });
          return true;
        } catch (error) {
          // Somebody else replayed it meanwhile.
          if (!(await entry.isFailed())) return false;
          throw error;
        }
      }),
    sweepOrphans: ({ olderThanMs }) => redis.run(() => sweepOrphans({ store, unfinished, isDeliverable }, olderThanMs)),
    close: () => queue.close(),
  };
}

/** A dead letter; undefined, with a line in the log, when what is stored is no message and nothing can be done. */
function readLetter(job: Job<unknown>, logger: Logger): DeadLetter | undefined {
  try {
    const diedAt = job.finishedOn ?? job.timestamp;
    return { message: parseMessage(job.data), reason: job.failedReason, attempts: attemptsOf(job), diedAt };
  } catch (error) {
    logger.event('queue.dead_letter_unreadable', { entry: job.id, reason: describeError(error) });
    return undefined;
  }
}

import { randomUUID } from 'node:crypto';
import type { JobIdentity } from '../../job-record/job-record.js';
import type { JobInspection, JobMessage, JobQueue, JobSubmission, SubmittedJob } from '../../job-record/job-queue.js';
import type { Logger } from '../../logging/logger.js';
import type { RedisConnection } from './connection.js';
import type { RedisJobStore } from './job-store.js';
import { TooManyOpenJobsError } from '../../job-record/organisation-jobs.js';
import { KEY_PREFIX } from './script.js';
import {
  createUnfinishedJobs,
  ORPHANED_JOB,
  SWEEP_EVERY_MS,
  sweepOrphans,
  type SweepOptions,
  type UnfinishedJob,
} from './orphan-sweep.js';

const SWEEPING = `${KEY_PREFIX}:sweep`;

export interface RecordedJobsOptions {
  readonly redis: RedisConnection;
  readonly store: RedisJobStore;
  readonly logger: Logger;
  /** Returns true if the queue will deliver a job. @throws {ServiceUnavailableError} when it cannot be reached */
  readonly isDeliverable: (job: JobIdentity) => Promise<boolean>;
}

/** Queue that several processes share, with its clean-up. Its records are in Redis. */
export interface SharedQueue extends JobQueue, JobSubmission, Pick<JobInspection, 'queued'> {
  /**
   * Ends unfinished records that the queue does not know, or knows only as dead letters. One process sweeps at a time;
   * another one may when its lease has expired.
   *
   * @param options.olderThanMs the maximum run time of a job is a good value
   * @returns number of ended records; 0 if another process sweeps
   * @throws {ServiceUnavailableError} when Redis, or the queue, cannot be reached
   */
  sweepOrphans(options: SweepOptions): Promise<number>;
  /** Releases the connection, which stays open; consumers close separately. */
  close(): Promise<void>;
}

/**
 * Creates the records of jobs for a queue that cannot share a transaction with them. A failed enqueue ends the record,
 * and a sweep ends the records of jobs that a crash left without a message.
 */
export function createRecordedJobs({ redis, store, logger, isDeliverable }: RecordedJobsOptions) {
  const { client } = redis;
  const { organisations } = store;
  const token = randomUUID();
  const unfinished = createUnfinishedJobs(client, logger);

  /** Removes jobs from the index and from the counts of their organisations. */
  async function remove(jobs: readonly UnfinishedJob[]): Promise<void> {
    await Promise.all(jobs.map((job) => organisations.leave(job, true)));
    await unfinished.remove(jobs);
  }

  /** Takes or keeps the right to sweep, which one process has at a time. It expires when its process has died. */
  async function goOn(): Promise<boolean> {
    const holder = await client.set(SWEEPING, token, 'PX', SWEEP_EVERY_MS, 'NX', 'GET');
    if (holder === token) await client.pexpire(SWEEPING, SWEEP_EVERY_MS);
    return holder === null || holder === token;
  }

  async function writePending(message: JobMessage, openedAt: number): Promise<SubmittedJob> {
    try {
      // This comes first and alone. Everything else goes to other servers of a Cluster, and the sweep covers a crash in
      // between.
      await redis.run(() => unfinished.add(message, Date.now()));
      const [, submitted] = await Promise.all([
        redis.run(() => organisations.index(message, openedAt, message.described)),
        store.enqueue(message, message.described),
      ]);
      return submitted;
    } catch (error) {
      // If Redis is away, the count is corrected when the limit is reached.
      await organisations.leave(message, true).catch(() => undefined);
      throw error;
    }
  }

  /** Counts a job, and writes its pending record. A job that has a record needs no place. */
  async function accept(message: JobMessage): Promise<SubmittedJob & { readonly openedAt: number }> {
    let openedAt;
    try {
      openedAt = await redis.run(() => organisations.open(message, message.payload.length));
    } catch (error) {
      const record = error instanceof TooManyOpenJobsError ? await store.read(message) : undefined;
      if (record === undefined) throw error;
      return { record, isNew: false, openedAt: record.createdAt };
    }
    const submitted = await writePending(message, openedAt);
    if (!submitted.isNew && submitted.record.state === 'finished')
      await redis.run(() => organisations.leave(message, true));
    return { ...submitted, openedAt };
  }

  return {
    /**
     * Counts a job for its organisation, writes its pending record and enqueues it.
     *
     * @param enqueue receives the time of the acceptance by the clock of the organisation, in milliseconds since 1970;
     * throws only if the message has surely not been sent
     * @throws {TooManyOpenJobsError} when its organisation is at its limit
     * @throws errors of `enqueue`; a note that the start was refused replaces the record then
     */
    async submit(message: JobMessage, enqueue: (acceptedAt: number) => Promise<void>): Promise<SubmittedJob> {
      const { openedAt, ...submitted } = await accept(message);
      if (!submitted.isNew) return submitted;
      try {
        await enqueue(openedAt);
      } catch (error) {
        // If Redis is away, the sweep ends the record.
        const isRefused = await store.refuse(message, message.described, ORPHANED_JOB).catch(() => true);
        if (isRefused) throw error;
      }
      return submitted;
    },
    /** Counts a job as open again that ended with its dead letter, without a check of limits. */
    async reopen(job: JobIdentity): Promise<void> {
      await unfinished.add(job, Date.now());
      await organisations.openAgain(job);
    },
    /** Notes that the message of a job was delivered, so that it does not count as lost. */
    seen: (job: JobIdentity): Promise<void> => redis.run(() => unfinished.add(job, Date.now())),
    /**
     * Returns the time when the oldest job that does not run was accepted, milliseconds since 1970; undefined without
     * one. It reads the first few hundred jobs, and removes ended ones from the index.
     */
    oldestWaiting: (): Promise<number | undefined> =>
      redis.run(async () => {
        const now = Date.now();
        const jobs = await unfinished.notSeenSince(now);
        // An unreadable record is left to a process that can read it.
        const records = await Promise.all(jobs.map((job) => store.read(job).catch(() => undefined)));
        await remove(jobs.filter((_, index) => records[index]?.state === 'finished'));
        const times = records
          .filter((record) => record !== undefined)
          .filter(({ state, lease }) => state !== 'finished' && (lease?.expiresAt ?? 0) <= now)
          .map(({ createdAt }) => createdAt);
        return times.length === 0 ? undefined : Math.min(...times);
      }),
    /**
     * Ends unfinished records like {@link SharedQueue.sweepOrphans}.
     *
     * @param before further clean-up, which comes first
     */
    sweep: (options: SweepOptions, before: () => Promise<void>): Promise<number> =>
      redis.run(async () => {
        if (await goOn()) {
          await unfinished.capTimes(Date.now());
          await before();
        }
        const ended = await sweepOrphans(
          { store, unfinished: { ...unfinished, remove }, isDeliverable, goOn, logger },
          options,
        );
        // Another process may then finish a stopped sweep at once.
        if (options.stopping?.aborted && (await goOn())) await client.del(SWEEPING);
        return ended;
      }),
  };
}

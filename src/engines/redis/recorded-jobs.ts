import { randomUUID } from 'node:crypto';
import type { JobIdentity } from '../../job-record/job-record.js';
import type { JobMessage } from '../../job-record/job-queue.js';
import type { Logger } from '../../logging/logger.js';
import type { RedisConnection } from './connection.js';
import type { RedisJobStore } from './job-store.js';
import { KEY_PREFIX } from './key-prefix.js';
import {
  ORPHANED_JOB,
  SWEEP_EVERY_MS,
  sweepOrphans,
  UnfinishedJobs,
  type SweepOptions,
  type UnfinishedJob,
} from './orphan-sweep.js';

/** Which process sweeps, until its time has run out. */
const SWEEPING = `${KEY_PREFIX}:sweep`;

/** What the records of queued jobs are kept with. */
export interface RecordedJobsOptions {
  readonly redis: RedisConnection;
  readonly store: RedisJobStore;
  readonly logger: Logger;
  /** Whether the queue will deliver a job. @throws {ServiceUnavailableError} when it cannot be asked */
  readonly isDeliverable: (job: JobIdentity) => Promise<boolean>;
}

/** A job that was accepted. */
export interface Acceptance {
  /** Whether it had no record before. */
  readonly isNew: boolean;
  /** When that was, milliseconds since 1970, by the clock of its record. */
  readonly acceptedAt: number;
}

/**
 * The records of jobs whose messages lie in a queue that no transaction reaches: a failed enqueue ends the record, and
 * a sweep ends what a crash left behind.
 */
export class RecordedJobs {
  readonly #options: RecordedJobsOptions;
  readonly #unfinished: UnfinishedJobs;
  readonly #token = randomUUID();

  constructor(options: RecordedJobsOptions) {
    const { redis, logger } = options;
    this.#options = options;
    this.#unfinished = new UnfinishedJobs(redis.client, logger);
  }

  /**
   * Counts a job for its organisation, writes its pending record and enqueues it.
   *
   * @param enqueue throws only when the job is not in the queue, or nobody knows
   * @returns when the job was accepted, milliseconds since 1970
   * @throws {TooManyOpenJobsError} when its organisation may have no further one
   * @throws what `enqueue` throws; the record is ended then
   */
  async submit(message: JobMessage, enqueue: (acceptance: Acceptance) => Promise<void>): Promise<number> {
    const { redis, store } = this.#options;
    const openedAt = await redis.run(() => store.organisations.open(message, message.payload.length));
    const createdAt = await this.#writePending(message, openedAt);
    try {
      await enqueue({ isNew: createdAt !== undefined, acceptedAt: openedAt });
    } catch (error) {
      // If Redis is still away, the sweep ends it. Should the message be there after all, its delivery takes
      // the record up again.
      await store.fail(message, message.described, ORPHANED_JOB).catch(() => undefined);
      throw error;
    }
    return createdAt ?? (await store.read(message))?.createdAt ?? Date.now();
  }

  /** A job that ended with its dead letter is delivered again, whatever its organisation may have open. */
  async reopen(job: JobIdentity): Promise<void> {
    await this.#unfinished.add(job, Date.now());
    await this.#options.store.organisations.openAgain(job);
  }

  /** The message of a job was delivered, so that it is not lost. */
  async seen(job: JobIdentity): Promise<void> {
    await this.#options.redis.run(() => this.#unfinished.add(job, Date.now()));
  }

  /**
   * When the oldest job was accepted that nobody runs, milliseconds since 1970, among the first few hundred; undefined
   * when there is none. Those that have ended need not be looked at again.
   */
  oldestWaiting(): Promise<number | undefined> {
    const { redis, store } = this.#options;
    return redis.run(async () => {
      const now = Date.now();
      const jobs = await this.#unfinished.notSeenSince(now);
      // One that cannot be read is for somebody who can.
      const records = await Promise.all(jobs.map((job) => store.read(job).catch(() => undefined)));
      await this.#swept.remove(jobs.filter((_, index) => records[index]?.state === 'finished'));
      const times = records.flatMap((record) =>
        record === undefined || record.state === 'finished' || (record.lease?.expiresAt ?? 0) > now
          ? []
          : [record.createdAt],
      );
      return times.length === 0 ? undefined : Math.min(...times);
    });
  }

  /**
   * Ends unfinished records that the queue will not deliver. Of all processes one sweeps at a time, and again when its
   * lease has run out.
   *
   * @param before what else there is to put in order, done first by whoever sweeps
   * @returns how many records were ended; 0 when somebody else sweeps
   * @throws {ServiceUnavailableError} when Redis, or the queue, cannot be reached
   */
  sweep(options: SweepOptions, before?: () => Promise<void>): Promise<number> {
    const { redis, store, logger, isDeliverable } = this.#options;
    return redis.run(async () => {
      const goOn = (): Promise<boolean> => this.#mayGoOn();
      if (await goOn()) {
        await this.#unfinished.capTimes(Date.now());
        await before?.();
      }
      const ended = await sweepOrphans({ store, unfinished: this.#swept, isDeliverable, goOn, logger }, options);
      // Nobody else need wait to finish what was stopped.
      if (options.stopping?.aborted && (await goOn())) await redis.client.del(SWEEPING);
      return ended;
    });
  }

  /** Of all processes one has the right to sweep at a time. One that dies loses it by time. */
  async #mayGoOn(): Promise<boolean> {
    const { client } = this.#options.redis;
    const holder = await client.set(SWEEPING, this.#token, 'PX', SWEEP_EVERY_MS, 'NX', 'GET');
    if (holder === this.#token) await client.pexpire(SWEEPING, SWEEP_EVERY_MS);
    return holder === null || holder === this.#token;
  }

  /** What sweeps find ended need not be counted any more. */
  get #swept(): Pick<UnfinishedJobs, 'notSeenSince' | 'seen' | 'remove'> {
    const unfinished = this.#unfinished;
    const { store } = this.#options;
    return {
      notSeenSince: (time: number) => unfinished.notSeenSince(time),
      seen: (jobs: readonly UnfinishedJob[], now: number) => unfinished.seen(jobs, now),
      async remove(jobs: readonly UnfinishedJob[]) {
        await Promise.all(jobs.map((job) => store.organisations.leave(job, true)));
        await unfinished.remove(jobs);
      },
    };
  }

  /** @returns when the record was written; undefined when there was one already */
  async #writePending(message: JobMessage, openedAt: number): Promise<number | undefined> {
    const { redis, store } = this.#options;
    const { organisations } = store;
    try {
      // First, and by itself: the rest goes to other servers of a Cluster, and what a crash leaves of it is swept.
      await redis.run(() => this.#unfinished.add(message, Date.now()));
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
}

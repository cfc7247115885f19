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

/** Lease of the sweeping process. */
const SWEEPING = `${KEY_PREFIX}:sweep`;

/** Dependencies of the records of queued jobs. */
export interface RecordedJobsOptions {
  readonly redis: RedisConnection;
  readonly store: RedisJobStore;
  readonly logger: Logger;
  /** Returns true if the queue will deliver a job. @throws {ServiceUnavailableError} when it cannot be reached */
  readonly isDeliverable: (job: JobIdentity) => Promise<boolean>;
}

/** Acceptance of a job. */
export interface Acceptance {
  /** True if it had no record before. */
  readonly isNew: boolean;
  /** Time of that, milliseconds since 1970, by the clock of its record. */
  readonly acceptedAt: number;
}

/**
 * Records of jobs whose messages are in a queue outside of any transaction: a failed enqueue ends the record, and a
 * sweep ends orphans of a crash.
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
   * @param enqueue throws only if the job is not in the queue, or this is unknown
   * @returns time when the job was accepted, milliseconds since 1970
   * @throws {TooManyOpenJobsError} when its organisation is at its limit
   * @throws errors of `enqueue`; the record is ended then
   */
  async submit(message: JobMessage, enqueue: (acceptance: Acceptance) => Promise<void>): Promise<number> {
    const { redis, store } = this.#options;
    const openedAt = await redis.run(() => store.organisations.open(message, message.payload.length));
    const createdAt = await this.#writePending(message, openedAt);
    try {
      await enqueue({ isNew: createdAt !== undefined, acceptedAt: openedAt });
    } catch (error) {
      // If Redis is still away, the sweep ends it. If the message was enqueued after all, its delivery continues the
      // record.
      await store.fail(message, message.described, ORPHANED_JOB).catch(() => undefined);
      throw error;
    }
    return createdAt ?? (await store.read(message))?.createdAt ?? Date.now();
  }

  /** Opens a job again that ended with its dead letter, without the limits of its organisation. */
  async reopen(job: JobIdentity): Promise<void> {
    await this.#unfinished.add(job, Date.now());
    await this.#options.store.organisations.openAgain(job);
  }

  /** Notes that a job's message was delivered, so that it is not lost. */
  async seen(job: JobIdentity): Promise<void> {
    await this.#options.redis.run(() => this.#unfinished.add(job, Date.now()));
  }

  /**
   * Returns the time when the oldest job without a run was accepted, milliseconds since 1970, among the first few
   * hundred; undefined without one. Ended jobs are removed from the index.
   */
  oldestWaiting(): Promise<number | undefined> {
    const { redis, store } = this.#options;
    return redis.run(async () => {
      const now = Date.now();
      const jobs = await this.#unfinished.notSeenSince(now);
      // An unreadable one is left to a process that can read it.
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
   * Ends unfinished records that the queue will not deliver. One process sweeps at a time, and again when its lease has
   * expired.
   *
   * @param before further clean-up, done first by the sweeping process
   * @returns number of ended records; 0 if another process sweeps
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
      // Lets another process finish a stopped sweep at once.
      if (options.stopping?.aborted && (await goOn())) await redis.client.del(SWEEPING);
      return ended;
    });
  }

  /** Takes or keeps the right to sweep, for one process at a time. A dead process loses it by expiry. */
  async #mayGoOn(): Promise<boolean> {
    const { client } = this.#options.redis;
    const holder = await client.set(SWEEPING, this.#token, 'PX', SWEEP_EVERY_MS, 'NX', 'GET');
    if (holder === this.#token) await client.pexpire(SWEEPING, SWEEP_EVERY_MS);
    return holder === null || holder === this.#token;
  }

  /** Index view for sweeps: removed jobs also leave their organisation's counts. */
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

  /** @returns time when the record was written; undefined if it existed already */
  async #writePending(message: JobMessage, openedAt: number): Promise<number | undefined> {
    const { redis, store } = this.#options;
    const { organisations } = store;
    try {
      // Alone and first: the rest goes to other Cluster servers, and the sweep covers a crash in between.
      await redis.run(() => this.#unfinished.add(message, Date.now()));
      const [, createdAt] = await Promise.all([
        redis.run(() => organisations.index(message, openedAt)),
        store.enqueue(message, message.described),
      ]);
      return createdAt;
    } catch (error) {
      // If Redis is away, the missing job is found when the limit is reached.
      await organisations.leave(message, true).catch(() => undefined);
      throw error;
    }
  }
}

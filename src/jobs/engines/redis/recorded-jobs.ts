import { randomUUID } from 'node:crypto';
import { describeError, ServiceUnavailableError } from '../../../base/errors.js';
import { recordRetentionMs, type JobIdentity, type JobResult } from '../../record/job-record.js';
import type { JobInspection, JobMessage, JobQueue, JobSubmission, SubmittedJob } from '../../record/job-queue.js';
import type { Logger } from '../../../base/logging/logger.js';
import type { RedisConnection } from './connection.js';
import type { RedisJobStore } from './job-store.js';
import { OverLimitError } from '../../record/organisation-jobs.js';
import { KEY_PREFIX } from './script.js';
import * as unfinished from './unfinished-jobs.js';

const SWEEPING = `${KEY_PREFIX}:sweep`;

/** Pause between two sweeps of any process, in milliseconds. */
export const SWEEP_EVERY_MS = 5 * 60 * 1000;

const ORPHANED_JOB: JobResult = {
  status: 503,
  body: JSON.stringify({
    message: 'The job was lost before it was finished. See what it did before starting it again.',
  }),
};

export interface SweepOptions {
  /** Jobs submitted or checked more recently are left alone. The maximum run time of a job is a good value. */
  readonly olderThanMs: number;
  /** Ends the sweep before its next step. */
  readonly stopping?: AbortSignal;
}

/** Queue that several processes share, with its clean-up. Its records are in Redis. */
export interface SharedQueue extends JobQueue, JobSubmission, Pick<JobInspection, 'queued'> {
  /**
   * Ends unfinished records that the queue does not know, or knows only as dead letters. One process sweeps at a time;
   * another one may when its lease has expired.
   *
   * @returns number of ended records; 0 if another process sweeps
   * @throws {ServiceUnavailableError} when Redis, or the queue, cannot be reached
   */
  sweepOrphans(options: SweepOptions): Promise<number>;
  /** Releases the connection, which stays open; consumers close separately. */
  close(): Promise<void>;
}

interface RecordedJobsOptions {
  readonly redis: RedisConnection;
  readonly store: RedisJobStore;
  readonly logger: Logger;
  /** Returns true if the queue will deliver a job. @throws {ServiceUnavailableError} when it cannot be reached */
  readonly isDeliverable: (job: JobIdentity) => Promise<boolean>;
}

/**
 * Records of jobs for a queue that cannot share a transaction with them. A failed enqueue ends the record, and a sweep
 * ends the records of jobs that a crash left without a message.
 */
export class RecordedJobs {
  readonly #options: RecordedJobsOptions;
  /** Value of the sweep's lease by which this process knows its own. */
  readonly #token = randomUUID();

  constructor(options: RecordedJobsOptions) {
    this.#options = options;
  }

  /**
   * Counts a job for its organisation, writes its pending record and enqueues it.
   *
   * @param enqueue receives the time of the acceptance by the clock of the organisation, in milliseconds since 1970;
   * throws only if the message has surely not been sent
   * @throws {OverLimitError} when its organisation is at a limit
   * @throws errors of `enqueue`; a note that the start was refused replaces the record then
   */
  async submit(message: JobMessage, enqueue: (acceptedAt: number) => Promise<void>): Promise<SubmittedJob> {
    const { openedAt, ...submitted } = await this.#accept(message);
    if (!submitted.isNew) return submitted;
    try {
      await enqueue(openedAt);
    } catch (error) {
      // If Redis is away, the sweep ends the record.
      const refusal = this.#options.store.refuse(message, message.described, ORPHANED_JOB);
      if (await refusal.catch(() => true)) throw error;
    }
    return submitted;
  }

  /**
   * Makes a job that ended with its dead letter pending again, and counts it as open without a check of limits. Call it
   * while the dead letter is held, before it is put back. @returns its new time
   */
  async reopen(job: JobIdentity): Promise<number> {
    const { redis, store } = this.#options;
    await unfinished.add(redis.client, job);
    const record = await store.read(job);
    await store.organisations.openAgain(job, record?.retentionMs ?? recordRetentionMs(job));
    return store.replay(job);
  }

  /** Notes that the message of a job was delivered, so that it does not count as lost. */
  seen(job: JobIdentity): Promise<void> {
    const { redis } = this.#options;
    return redis.run(() => unfinished.add(redis.client, job));
  }

  /**
   * Returns the time when the oldest job that does not run was accepted or replayed, milliseconds since 1970; undefined
   * without one. It reads the first few hundred jobs, and removes ended ones from the index.
   */
  oldestWaiting(): Promise<number | undefined> {
    const { redis, store, logger } = this.#options;
    return redis.run(async () => {
      const now = Date.now();
      const jobs = await unfinished.notSeenSince(redis.client, now, logger);
      // An unreadable record is left to a process that can read it.
      const records = await Promise.all(jobs.map((job) => store.read(job).catch(() => undefined)));
      await this.#remove(jobs.filter((_, index) => records[index]?.state === 'finished'));
      const times = records
        .filter((record) => record !== undefined)
        .filter(({ state, lease }) => state !== 'finished' && (lease?.expiresAt ?? 0) <= now)
        .map(({ createdAt, replayedAt = createdAt }) => replayedAt);
      return times.length === 0 ? undefined : Math.min(...times);
    });
  }

  /** Works like {@link SharedQueue.sweepOrphans}. @param before further clean-up, which comes first */
  sweep({ olderThanMs, stopping }: SweepOptions, before: () => Promise<void>): Promise<number> {
    const { redis, logger } = this.#options;
    return redis.run(async () => {
      const startedAt = Date.now();
      let ended = 0;
      if (await this.#holdsSweepLease()) {
        await unfinished.capTimes(redis.client, startedAt);
        await before();
      }
      while (!stopping?.aborted && (await this.#holdsSweepLease())) {
        const jobs = await unfinished.notSeenSince(redis.client, startedAt - olderThanMs, logger);
        if (jobs.length === 0) break;
        // Those of a batch are read and ended together.
        const outcomes = await Promise.all(jobs.map((job) => this.#endIfLost(job, stopping)));
        ended += outcomes.filter((outcome) => outcome === 'ended').length;
        if (stopping?.aborted) break;
        await this.#remove(jobs.filter((_, index) => outcomes[index] !== 'open'));
        const open = jobs.filter((_, index) => outcomes[index] === 'open');
        // With a time after the start of this sweep, they are not checked again.
        await unfinished.seen(redis.client, open, Date.now() + 1);
      }
      // Another process may then finish a stopped sweep at once.
      if (stopping?.aborted && (await this.#holdsSweepLease())) await redis.client.del(SWEEPING);
      return ended;
    });
  }

  /** Counts a job, and writes its pending record. A job that has a record needs no place. */
  async #accept(message: JobMessage): Promise<SubmittedJob & { readonly openedAt: number }> {
    const { redis, store } = this.#options;
    const { organisations } = store;
    const opened = redis.run(() => organisations.open(message));
    try {
      // The record is read while the job is counted.
      const [openedAt, submitted] = await Promise.all([
        opened,
        store.enqueue(
          message,
          message.described,
          opened.then(() => this.#enter(message)),
        ),
        opened.then((at) => redis.run(() => organisations.index(message, at, message.described))),
      ]);
      if (!submitted.isNew && submitted.record.state === 'finished')
        await redis.run(() => organisations.leave(message, true));
      return { ...submitted, openedAt };
    } catch (error) {
      const isOpen = await opened.then(
        () => true,
        () => false,
      );
      // If Redis is away, the count is corrected when the limit is reached.
      if (isOpen) await organisations.leave(message, true).catch(() => undefined);
      const record = error instanceof OverLimitError ? await store.read(message) : undefined;
      if (record === undefined) throw error;
      return { record, isNew: false, openedAt: record.createdAt };
    }
  }

  /**
   * Enters a job into the index of unfinished jobs before its record is written, so that the sweep covers a crash in
   * between. One server keeps the order of commands; in a Cluster, the record goes to another one.
   */
  async #enter(message: JobMessage): Promise<void> {
    const { redis } = this.#options;
    const entered = redis.run(() => unfinished.add(redis.client, message));
    entered.catch(() => undefined);
    if (redis.isCluster) await entered;
  }

  /** Takes or renews the lease of the sweep, which one process has at a time. It expires when its process has died. */
  async #holdsSweepLease(): Promise<boolean> {
    const { client } = this.#options.redis;
    const holder = await client.set(SWEEPING, this.#token, 'PX', SWEEP_EVERY_MS, 'NX', 'GET');
    if (holder === this.#token) await client.pexpire(SWEEPING, SWEEP_EVERY_MS);
    return holder === null || holder === this.#token;
  }

  /** Ends the record of a job that the queue will not deliver. */
  async #endIfLost(job: unfinished.UnfinishedJob, stopping?: AbortSignal): Promise<'over' | 'ended' | 'open'> {
    const { store, logger, isDeliverable } = this.#options;
    try {
      const [record, willCome] = await Promise.all([store.read(job), isDeliverable(job)]);
      if (record === undefined || record.state === 'finished') return 'over';
      if (willCome || stopping?.aborted) return 'open';
      return (await store.failLost(job, record, ORPHANED_JOB, record)) ? 'ended' : 'open';
    } catch (error) {
      if (error instanceof ServiceUnavailableError) throw error;
      // A damaged record concerns its own job, not the sweep.
      logger.event('queue.orphan_unreadable', { jobId: job.jobId, kind: job.kind, reason: describeError(error) });
      return 'open';
    }
  }

  /** Removes jobs from the index and from the counts of their organisations. */
  async #remove(jobs: readonly unfinished.UnfinishedJob[]): Promise<void> {
    const { redis, store } = this.#options;
    await Promise.all(jobs.map((job) => store.organisations.leave(job, true)));
    await unfinished.remove(redis.client, jobs);
  }
}

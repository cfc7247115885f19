import { jobRecordKey, recordRetentionMs, type JobIdentity } from '../../job-record/job-record.js';
import {
  IndexScan,
  isAtBound,
  memberOf,
  organisationTag,
  shareUsed,
  beyondLimit,
  TooManyOpenJobsError,
  waitBehind,
  type IndexedJobs,
  type IndexPage,
  type IndexPosition,
  type OrganisationJobs,
  type OrganisationLimits,
} from '../../job-record/organisation-jobs.js';
import type { RedisConnection } from './connection.js';
import { OrganisationCounts, type Look } from './organisation-counts.js';

const BATCH = 50;

const INDEX_BATCH = 200;

/** Maximum time for which an open job may have no record yet, in milliseconds. */
const WITHOUT_RECORD_MS = 60_000;

/** Minimum interval between checks of the records of an organisation's open jobs while others wait, in milliseconds. */
const RECONCILE_EVERY_MS = 60_000;

/**
 * Jobs of each organisation in Redis. They are in other slots of a Cluster than the records, so the two may differ for
 * a moment: a job is opened before its record is written, and leaves after its record has ended. After a crash they are
 * corrected from the records: when a limit is reached, when other organisations have to wait, and by the sweep for
 * orphans. A running job whose process died leaves when its lease expires.
 */
export class RedisOrganisationJobs extends OrganisationCounts implements OrganisationJobs {
  readonly #redis: RedisConnection;
  readonly #limits: OrganisationLimits;
  /** Time of the last check of an organisation's records while others waited; those of the last minute. */
  readonly #reconciledAt = new Map<string, number>();

  /** @param clockOffsetMs milliseconds added to the server's time; for tests */
  constructor(redis: RedisConnection, limits: OrganisationLimits, clockOffsetMs: () => number) {
    super(redis, clockOffsetMs);
    this.#redis = redis;
    this.#limits = limits;
  }

  /**
   * Counts a job as open. This comes before the check of the limits, so that simultaneous calls count each other. A job
   * that another start counts at this moment stays counted when it is refused here.
   *
   * @returns time of that, milliseconds since 1970
   * @throws {TooManyOpenJobsError} when its organisation is at its limit
   */
  async open(job: JobIdentity, bytes: number): Promise<number> {
    for (let isReconciled = false; ; isReconciled = true) {
      const { now, wasOpen, others } = await this.countOpen(job, bytes);
      const share = shareUsed(others, bytes, this.#limits);
      const isDecided = share <= 1 || isReconciled;
      if (isDecided && !wasOpen) this.#limits.onOrder?.(share);
      if (share <= 1) return now;
      if (!wasOpen) await this.leave(job, true);
      if (isDecided) throw new TooManyOpenJobsError();
      await this.#reconcile(organisationTag(job.org), now);
    }
  }

  /** Counts a job as open without a check of limits, because an operator has decided to run it again. */
  async openAgain(job: JobIdentity): Promise<void> {
    const { now } = await this.countOpen(job, 0);
    await this.hasWork(job.org, now, recordRetentionMs(job));
  }

  /** Counts a job as running, like {@link open}. @returns false if its organisation is at its limit of running jobs */
  async run(job: JobIdentity, leaseMs: number): Promise<boolean> {
    const { ran, others } = await this.countRunning(job, leaseMs);
    if (ran || !isAtBound(others, this.#limits)) return true;
    if (!(await this.#othersHave(organisationTag(job.org), hasWork))) return true;
    await this.leave(job, false);
    return false;
  }

  waitMs({ kind, org, jobId }: Parameters<OrganisationJobs['waitMs']>[0]): Promise<number> {
    return this.#redis.run(async () => {
      const tag = organisationTag(org);
      const { running, older } = await this.look(tag, jobId === undefined ? undefined : { kind, jobId });
      if (!isAtBound(running.length, this.#limits) || !(await this.#othersHave(tag, hasWork))) return 0;
      return waitBehind(older - running.length);
    });
  }

  jobsToPreempt(org: string | undefined): Promise<readonly JobIdentity[]> {
    return this.#redis.run(async () => {
      const tag = organisationTag(org);
      const jobsToPreempt = beyondLimit((await this.look(tag)).running, this.#limits);
      return jobsToPreempt.length > 0 && (await this.#othersHave(tag, ({ waiting }) => waiting)) ? jobsToPreempt : [];
    });
  }

  list(org: string | undefined, page: IndexPage): Promise<IndexedJobs> {
    return this.#redis.run(async () => {
      const scan = new IndexScan(page);
      const tag = organisationTag(org);
      let from = page.after;
      let offset = 0;
      // One entry more shows whether another page follows, and one is the entry at the position itself.
      const withOrderers = page.orderer !== undefined;
      for (let count = Math.min(page.limit + 2, INDEX_BATCH); ; count = INDEX_BATCH) {
        const { jobs, isCutOff } = await this.indexed(tag, from?.createdAt, { offset, count, withOrderers });
        for (const job of jobs.filter((each) => isBehind(each, from))) {
          if (!scan.offer(job)) return scan.end(true);
        }
        if (!isCutOff) return scan.end(false);
        const last = jobs.at(-1);
        // Entries of the same millisecond are read again, unless they fill whole batches, which are skipped.
        offset = last === undefined || last.createdAt === from?.createdAt ? offset + count : 0;
        if (last !== undefined && isBehind(last, from)) from = last;
      }
    });
  }

  /** Returns true if any other organisation has work, counted by `what`. Organisations without any work are dropped. */
  async #othersHave(tag: string, what: (look: Look) => number): Promise<boolean> {
    for (let start = 0; ; start += BATCH) {
      const others = await this.organisations(start, BATCH);
      const looks = await Promise.all(
        others.filter((other) => other !== tag).map(async (other) => ({ other, look: await this.look(other) })),
      );
      for (const { other, look } of looks) {
        if (what(look) > 0 && (await this.#stillHas(other, look, what))) return true;
        if (hasWork(look) === 0) await this.hasNone(other, look.now);
      }
      if (others.length < BATCH) return false;
    }
  }

  /** Repeats the check after a comparison with the records, if the last one was a while ago. */
  async #stillHas(tag: string, seen: Look, what: (look: Look) => number): Promise<boolean> {
    if (seen.now - (this.#reconciledAt.get(tag) ?? -Infinity) < RECONCILE_EVERY_MS) return true;
    for (const [other, at] of this.#reconciledAt) {
      if (seen.now - at >= RECONCILE_EVERY_MS) this.#reconciledAt.delete(other);
    }
    this.#reconciledAt.set(tag, seen.now);
    const closed = await this.#reconcile(tag, seen.now);
    return closed === 0 || what(await this.look(tag)) > 0;
  }

  /** Closes open jobs whose records have ended or do not exist. @returns their number */
  async #reconcile(tag: string, now: number): Promise<number> {
    const jobs = await this.openJobs(tag);
    const states = await Promise.all(jobs.map((job) => this.#redis.client.hget(jobRecordKey(job), 'state')));
    const ended = jobs.filter(({ createdAt }, index) => {
      const state = states[index];
      return state === 'finished' || (state === null && now - createdAt > WITHOUT_RECORD_MS);
    });
    await Promise.all(ended.map((job) => this.leave(job, true)));
    return ended.length;
  }
}

/** Returns the number of an organisation's open and running jobs. */
function hasWork({ open, running }: Look): number {
  return open + running.length;
}

function isBehind(job: IndexPosition, position: IndexPosition | undefined): boolean {
  if (position === undefined || job.createdAt < position.createdAt) return true;
  return job.createdAt === position.createdAt && memberOf(job) < memberOf(position);
}

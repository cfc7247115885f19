import { OnceInAWhile } from '../../../base/once-in-a-while.js';
import { jobRecordKey, type JobIdentity } from '../../record/job-record.js';
import type { NewJob } from '../../record/job-store.js';
import {
  beyondLimit,
  IndexScan,
  isAtLimit,
  jobOfMember,
  memberOf,
  organisationTag,
  orderedItems,
  limitErrorOf,
  sharesUsed,
  waitBehind,
  type IndexedJob,
  type IndexedJobs,
  type IndexPage,
  type IndexPosition,
  type OrganisationJobs,
  type OrganisationLimits,
  type OrganisationLoad,
} from '../../record/organisation-jobs.js';
import type { JobMessage } from '../../record/job-queue.js';
import { maxMemoryReader } from './check.js';
import type { RedisConnection } from './connection.js';
import {
  HAS_NONE,
  HAS_WORK,
  INDEX,
  LEAVE,
  LOOK,
  OPEN,
  ORGANISATIONS,
  orgKeys,
  RUN,
  userFieldOf,
  TAKE_BACK,
  UNLIST,
} from './organisation-scripts.js';
import { listIn, type Script } from './script.js';

const BATCH = 50;
const INDEX_BATCH = 200;

/** Maximum time for which an open job may have no record yet, in milliseconds. */
const WITHOUT_RECORD_MS = 60_000;

/** Minimum interval between checks of the records of an organisation's open jobs while others wait, in milliseconds. */
const RECONCILE_EVERY_MS = 60_000;

/** Largest share of `maxmemory` for the ended jobs of one organisation. */
const MEMORY_SHARE = 1 / 8;

interface Look {
  readonly now: number;
  readonly open: number;
  /** Number of open jobs that are not running. */
  readonly waiting: number;
  /** Number of open jobs older than the given one. */
  readonly older: number;
  /** Running jobs, in the order of their claims. */
  readonly running: readonly JobIdentity[];
}

/**
 * Jobs of each organisation in Redis. They are in other slots of a Cluster than the records, so the two may differ for
 * a moment: a job is opened before its record is written, and leaves after its record has ended. After a crash they are
 * corrected from the records: when a limit is reached, when other organisations have to wait, and by the sweep for
 * orphans. A running job whose process died leaves when its lease expires.
 */
export class RedisOrganisationJobs implements OrganisationJobs {
  readonly #redis: RedisConnection;
  readonly #limits: OrganisationLimits;
  readonly #clockOffsetMs: () => number;
  readonly #reconciled: OnceInAWhile;
  readonly #maxMemory: () => Promise<number>;

  /** @param clockOffsetMs milliseconds added to the time; for tests */
  constructor(redis: RedisConnection, limits: OrganisationLimits, clockOffsetMs: () => number) {
    this.#redis = redis;
    this.#limits = limits;
    this.#maxMemory = maxMemoryReader(redis);
    this.#clockOffsetMs = clockOffsetMs;
    const now = (): number => performance.now() + clockOffsetMs();
    this.#reconciled = new OnceInAWhile({ everyMs: RECONCILE_EVERY_MS, now });
  }

  /**
   * Counts a job as open. This comes before the check of the limits, so that simultaneous calls count each other. A job
   * that another start counts at this moment stays counted when it is refused here.
   *
   * @returns time of that, milliseconds since 1970
   * @throws {OverLimitError} when its organisation is at a limit
   */
  async open(message: JobMessage): Promise<number> {
    const { org, payload, described } = message;
    const [user, items] = [userFieldOf(described.orderedBy?.BackendUser), orderedItems(message)];
    const readMaxMemory = this.#maxMemory();
    for (let isReconciled = false; ; isReconciled = true) {
      const [now, wasOpen, load] = await this.#countOpen(message, payload.length, described.retentionMs, user, items);
      const maxKeptBytes = Math.min(this.#limits.maxKeptBytes, (await readMaxMemory) * MEMORY_SHARE);
      const limits = { ...this.#limits, maxKeptBytes };
      const shares = sharesUsed(load, message, limits);
      const refusal = limitErrorOf(shares, load);
      const isDecided = isReconciled || refusal?.reason !== 'TooManyOpenJobs';
      if (isDecided && !wasOpen) limits.onOrder?.(org, shares);
      if (refusal === undefined) return now;
      if (!wasOpen) await this.#ask(TAKE_BACK, organisationTag(org), memberOf(message), user, items);
      if (isDecided) throw refusal;
      await this.#reconcile(organisationTag(org), now);
    }
  }

  /** Counts a job as open without a check of limits, because an operator has decided to run it again. */
  async openAgain(job: JobIdentity, retentionMs: number): Promise<void> {
    const [now] = await this.#countOpen(job, 0, retentionMs, userFieldOf(), 0);
    await this.#noteWork(job.org, now, retentionMs);
  }

  /** Adds a job to the index. @param createdAt time returned by {@link open} */
  async index(job: JobIdentity, createdAt: number, { retentionMs, orderedBy }: NewJob): Promise<void> {
    await Promise.all([
      this.#ask(INDEX, organisationTag(job.org), memberOf(job), createdAt, orderedBy?.BackendUser ?? '', retentionMs),
      this.#noteWork(job.org, createdAt, retentionMs),
    ]);
  }

  async unlist(job: JobIdentity): Promise<void> {
    await this.#ask(UNLIST, organisationTag(job.org), memberOf(job));
  }

  /** Counts a job as running, like {@link open}. @returns false if its organisation is at its limit of running jobs */
  async run(job: JobIdentity, leaseMs: number, retentionMs: number): Promise<boolean> {
    const { ranBefore, others } = await this.countRunning(job, leaseMs, retentionMs);
    if (ranBefore || !isAtLimit(others, this.#limits)) return true;
    if (!(await this.#othersHave(organisationTag(job.org), hasWork))) return true;
    await this.leave(job, false);
    return false;
  }

  /** Counts a job as running, or renews it. @param retentionMs time for which its record outlives the lease */
  async countRunning(job: JobIdentity, leaseMs: number, retentionMs: number) {
    const reply = await this.#ask(RUN, organisationTag(job.org), memberOf(job), leaseMs, leaseMs + retentionMs);
    const [now = 0, ran, others = 0, isOpen] = numbersIn(reply);
    // That of an open job was noted when it was opened. This comes second, so that its readers find the running job.
    if (isOpen === 0) await this.#noteWork(job.org, now, leaseMs);
    return { ranBefore: ran === 1, others };
  }

  /**
   * Stops counting a job as running.
   *
   * @param ended true if it is not open either
   * @param keptMs time for which its record is kept from now on, in milliseconds; unchanged if absent
   * @param bytes size of the record; unchanged if absent
   */
  async leave(job: JobIdentity, ended: boolean, keptMs = 0, bytes = 0): Promise<void> {
    const tag = organisationTag(job.org);
    const [now = 0, left] = numbersIn(await this.#ask(LEAVE, tag, memberOf(job), ended ? 1 : 0, keptMs, bytes));
    if (left === 0) await HAS_NONE(this.#redis.client, [ORGANISATIONS], now, tag);
  }

  waitMs({ kind, org, jobId }: Parameters<OrganisationJobs['waitMs']>[0]): Promise<number> {
    return this.#redis.run(async () => {
      const tag = organisationTag(org);
      const { running, older } = await this.#look(tag, jobId === undefined ? '' : memberOf({ kind, jobId }));
      if (!isAtLimit(running.length, this.#limits) || !(await this.#othersHave(tag, hasWork))) return 0;
      return waitBehind(older - running.length);
    });
  }

  jobsToPreempt(org: string | undefined): Promise<readonly JobIdentity[]> {
    return this.#redis.run(async () => {
      const tag = organisationTag(org);
      const jobsToPreempt = beyondLimit((await this.#look(tag)).running, this.#limits);
      return jobsToPreempt.length > 0 && (await this.#othersHave(tag, ({ waiting }) => waiting)) ? jobsToPreempt : [];
    });
  }

  list(org: string | undefined, page: IndexPage): Promise<IndexedJobs> {
    return this.#redis.run(async () => {
      const scan = new IndexScan(page);
      const tag = organisationTag(org);
      const { client } = this.#redis;
      const { index, orderers } = orgKeys(tag);
      let from = page.after;
      let offset = 0;
      // One entry more shows whether another page follows, and one is the entry at the position itself.
      for (let count = Math.min(page.limit + 2, INDEX_BATCH); ; count = INDEX_BATCH) {
        const range = [from?.createdAt ?? '+inf', '-inf', 'WITHSCORES', 'LIMIT', offset, count] as const;
        const entries = await client.zrevrangebyscore(index, ...range);
        const jobs = entriesOf(tag, entries);
        const readsOrderers = page.orderer !== undefined && jobs.length > 0;
        const known = readsOrderers ? await client.hmget(orderers, ...jobs.map(memberOf)) : [];
        for (const [at, job] of jobs.entries()) {
          if (isBehind(job, from) && !scan.offer({ ...job, orderer: known[at] ?? undefined })) return scan.end(true);
        }
        if (entries.length < 2 * count) return scan.end(false);
        const last = jobs.at(-1);
        // Entries of the same millisecond are read again, unless they fill whole batches, which are skipped.
        offset = last === undefined || last.createdAt === from?.createdAt ? offset + count : 0;
        if (last !== undefined && isBehind(last, from)) from = last;
      }
    });
  }

  /** Counts a job as open. @param args those of `OPEN` @returns the time, and the load without the job */
  async #countOpen(
    job: JobIdentity,
    ...args: [bytes: number, retentionMs: number, user: string, items: number]
  ): Promise<readonly [now: number, wasOpen: boolean, load: OrganisationLoad]> {
    const reply = numbersIn(await this.#ask(OPEN, organisationTag(job.org), memberOf(job), ...args));
    const [now = 0, wasOpen, open = 0, openBytes = 0, keptBytes = 0, ownBytes = 0, keptMs = 0] = reply;
    const [items = 0, ownItems = 0, minuteMs = 0, others = 0] = reply.slice(7);
    const kept = { all: keptBytes, own: ownBytes, freeInMs: keptMs };
    const ordered = { all: items, own: ownItems, freeInMs: minuteMs };
    return [now, wasOpen === 1, { open, openBytes, kept, ordered, hasOthers: others > 0 }];
  }

  /** Reads the load of an organisation. @param job the job for `older`, as of `memberOf` */
  async #look(tag: string, job = ''): Promise<Look> {
    const reply = await this.#ask(LOOK, tag, job);
    const [now = 0, open = 0, waiting = 0, older = 0] = numbersIn(reply);
    const running = listIn(listIn(reply)[4]).flatMap((member) => jobOfMember(tag, String(member)) ?? []);
    return { now, open, waiting, older, running };
  }

  /** Notes that an organisation has work, by its own clock, and keeps the note for a time in milliseconds. */
  async #noteWork(org: string | undefined, at: number, keptMs: number): Promise<void> {
    await HAS_WORK(this.#redis.client, [ORGANISATIONS], at, organisationTag(org), keptMs);
  }

  #ask(script: Script, tag: string, job: string, ...args: (string | number)[]): Promise<unknown> {
    return script(this.#redis.client, Object.values(orgKeys(tag)), this.#clockOffsetMs(), job, ...args);
  }

  /** Returns true if any other organisation has work, counted by `what`. Organisations without any work are dropped. */
  async #othersHave(tag: string, what: (look: Look) => number): Promise<boolean> {
    for (let start = 0; ; start += BATCH) {
      const others = await this.#redis.client.zrevrange(ORGANISATIONS, start, start + BATCH - 1);
      const looks = await Promise.all(
        others.filter((other) => other !== tag).map(async (other) => ({ other, look: await this.#look(other) })),
      );
      for (const { other, look } of looks) {
        if (what(look) > 0 && (await this.#stillHas(other, look, what))) return true;
        if (hasWork(look) === 0) await HAS_NONE(this.#redis.client, [ORGANISATIONS], look.now, other);
      }
      if (others.length < BATCH) return false;
    }
  }

  /** Repeats the check after a comparison with the records, if the last one was a while ago. */
  async #stillHas(tag: string, seen: Look, what: (look: Look) => number): Promise<boolean> {
    if (!this.#reconciled.isDue(tag)) return true;
    const closed = await this.#reconcile(tag, seen.now);
    return closed === 0 || what(await this.#look(tag)) > 0;
  }

  /** Closes open jobs whose records have ended or do not exist. @returns their number */
  async #reconcile(tag: string, now: number): Promise<number> {
    const { client } = this.#redis;
    const jobs = entriesOf(tag, await client.zrange(orgKeys(tag).open, '0', '-1', 'WITHSCORES'));
    const states = await Promise.all(jobs.map((job) => client.hget(jobRecordKey(job), 'state')));
    const ended = jobs.filter(({ createdAt }, index) => {
      const state = states[index];
      return state === 'finished' || (state === null && now - createdAt > WITHOUT_RECORD_MS);
    });
    await Promise.all(ended.map((job) => this.leave(job, true)));
    return ended.length;
  }
}

function numbersIn(reply: unknown): readonly number[] {
  return listIn(reply).map(Number);
}

function entriesOf(tag: string, list: readonly string[]): IndexedJob[] {
  const jobs: IndexedJob[] = [];
  for (let at = 0; at + 1 < list.length; at += 2) {
    const job = jobOfMember(tag, list[at] ?? '');
    if (job !== undefined) jobs.push({ ...job, createdAt: Number(list[at + 1]) });
  }
  return jobs;
}

function hasWork({ open, running }: Look): number {
  return open + running.length;
}

function isBehind(job: IndexPosition, position: IndexPosition | undefined): boolean {
  if (position === undefined || job.createdAt < position.createdAt) return true;
  return job.createdAt === position.createdAt && memberOf(job) < memberOf(position);
}

import { isJobKind } from '../../job-record/job-kinds.js';
import { encodeKeyPart, jobRecordKey, RECORD_RETENTION_MS, type JobIdentity } from '../../job-record/job-record.js';
import {
  organisationTag,
  TooManyOpenJobsError,
  waitBehind,
  type IndexedJob,
  type IndexPage,
  type OrganisationJobs,
  type OrganisationLimits,
} from '../../job-record/organisation-jobs.js';
import type { RedisConnection } from './connection.js';
import { KEY_PREFIX } from './key-prefix.js';
import { defineOrganisationCommands } from './organisation-commands.js';

/** Organisations that may have work, by the time at which that was noted last; in the slot of the queue. */
const ORGANISATIONS = `${KEY_PREFIX}:organisations`;

/** Organisations that are looked at together. */
const BATCH = 50;

/** Jobs of the index that are read together. */
const INDEX_BATCH = 200;

/** How long an open job may be without a record: it is opened first. */
const WITHOUT_RECORD_MS = 60_000;

/** How often the records behind the open jobs of an organisation are looked at because others wait for it. */
const RECONCILE_EVERY_MS = 60_000;

/** An organisation, and what it has under way. */
interface Look {
  readonly running: number;
  readonly open: number;
  /** Open jobs that do not run. */
  readonly waiting: number;
  /** Open jobs that are older than the one in question. */
  readonly older: number;
  readonly now: number;
}

/** What the counting is made of. */
export interface RedisOrganisationJobsOptions {
  readonly redis: RedisConnection;
  readonly limits: OrganisationLimits;
  /** Milliseconds added to the server's time; for tests. */
  readonly clockOffsetMs: () => number;
}

/**
 * The jobs of each organisation in Redis. They lie in another slot of a Cluster than the records, so nothing keeps the
 * two in step at every moment: a job is opened before its record is written and leaves after its record has ended. What
 * a crash leaves between the two is found by looking at the records, whenever a limit is reached, whenever others are
 * held back because of it, and by the sweep for orphans. A running job whose process died leaves with its lease.
 */
export class RedisOrganisationJobs implements OrganisationJobs {
  readonly #options: RedisOrganisationJobsOptions;
  /** When the records of an organisation were last looked at because others waited. */
  readonly #reconciledAt = new Map<string, number>();

  constructor(options: RedisOrganisationJobsOptions) {
    this.#options = options;
    defineOrganisationCommands(options.redis.client);
  }

  /**
   * Counts a job as open.
   *
   * @returns when that was, milliseconds since 1970
   * @throws {TooManyOpenJobsError} when its organisation may have no further one
   */
  async open(job: JobIdentity, bytes: number): Promise<number> {
    const { maxOpen, maxOpenBytes } = this.#options.limits;
    const first = await this.#open(job, bytes, maxOpen, maxOpenBytes);
    if (first > 0) return first;
    await this.#reconcile(organisationTag(job.org));
    const second = await this.#open(job, bytes, maxOpen, maxOpenBytes);
    if (second > 0) return second;
    throw new TooManyOpenJobsError();
  }

  /** Counts a job as open, whatever the limits are: somebody has decided that it is to be run again. */
  async openAgain(job: JobIdentity): Promise<void> {
    await this.#open(job, 0, Infinity, Infinity);
    await this.hasWork(job.org);
  }

  /** Notes a job in the index, and that its organisation has work. */
  async index(job: JobIdentity, createdAt: number): Promise<void> {
    const { redis, clockOffsetMs } = this.#options;
    await Promise.all([
      redis.client.orgIndex(keysOf(job.org).index, clockOffsetMs(), memberOf(job), createdAt, RECORD_RETENTION_MS),
      this.hasWork(job.org),
    ]);
  }

  async hasWork(org: string | undefined): Promise<void> {
    const { redis, clockOffsetMs } = this.#options;
    await redis.client.orgHasWork(ORGANISATIONS, clockOffsetMs(), organisationTag(org), RECORD_RETENTION_MS);
  }

  /**
   * Lets a job run.
   *
   * @returns `taken`, `held` when it runs already, or `wait` when its organisation runs as many as it may
   */
  async run(job: JobIdentity, leaseMs: number): Promise<'taken' | 'held' | 'wait'> {
    const reply = await this.#run(job, leaseMs, this.#options.limits.maxRunning);
    if (reply !== 'full') return reply;
    if (await this.#othersHave(organisationTag(job.org), ({ open, running }) => open + running)) return 'wait';
    return (await this.#run(job, leaseMs, Infinity)) === 'held' ? 'held' : 'taken';
  }

  /** The lease of a running job was prolonged. */
  async prolong(job: JobIdentity, leaseMs: number): Promise<void> {
    await this.#run(job, leaseMs, Infinity);
  }

  /** A job does not run any more. @param ended whether it is not open either */
  async leave(job: JobIdentity, ended: boolean): Promise<void> {
    const { redis, clockOffsetMs } = this.#options;
    const { running, leases, open, sizes } = keysOf(job.org);
    const reply = await redis.client.orgLeave(
      running,
      leases,
      open,
      sizes,
      clockOffsetMs(),
      memberOf(job),
      ended ? 1 : 0,
    );
    const [left, now] = numbersOf(reply);
    if (left === 0 && now !== undefined) await this.#hasNone(organisationTag(job.org), now);
  }

  waitMs({
    kind,
    org,
    jobId,
  }: Pick<JobIdentity, 'kind' | 'org'> & { readonly jobId: string | undefined }): Promise<number> {
    return this.#options.redis.run(async () => {
      const tag = organisationTag(org);
      const { running, older } = await this.#look(tag, jobId === undefined ? '' : memberOf({ kind, jobId }));
      if (running < this.#options.limits.maxRunning) return 0;
      const mustWait = await this.#othersHave(tag, (other) => other.open + other.running);
      return mustWait ? waitBehind(older - running) : 0;
    });
  }

  surplus(org: string | undefined): Promise<readonly Pick<JobIdentity, 'kind' | 'jobId'>[]> {
    const { redis, clockOffsetMs, limits } = this.#options;
    if (limits.maxRunning === Infinity) return Promise.resolve([]);
    return redis.run(async () => {
      const { running, leases } = keysOf(org);
      const members = await redis.client.orgSurplus(running, leases, clockOffsetMs(), limits.maxRunning);
      const surplus = textsOf(members).flatMap((member) => parseMember(member) ?? []);
      if (surplus.length === 0) return [];
      return (await this.#othersHave(organisationTag(org), ({ waiting }) => waiting)) ? surplus : [];
    });
  }

  list(org: string | undefined, { limit, kinds, after }: IndexPage): Promise<readonly IndexedJob[]> {
    const { redis } = this.#options;
    const { index } = keysOf(org);
    return redis.run(async () => {
      const found: IndexedJob[] = [];
      // Of several jobs of one millisecond some may stand on the page before.
      const isBehind = (job: IndexedJob): boolean =>
        after === undefined || job.createdAt < after.createdAt || memberOf(job) < memberOf(after);
      const max = after?.createdAt ?? '+inf';
      for (let offset = 0; found.length < limit; offset += INDEX_BATCH) {
        const batch = await redis.client.zrevrangebyscore(
          index,
          max,
          '-inf',
          'WITHSCORES',
          'LIMIT',
          offset,
          INDEX_BATCH,
        );
        found.push(...entriesOf(org, batch).filter((job) => (kinds?.includes(job.kind) ?? true) && isBehind(job)));
        if (batch.length < 2 * INDEX_BATCH) break;
      }
      return found.slice(0, limit);
    });
  }

  async #open(job: JobIdentity, bytes: number, maxJobs: number, maxBytes: number): Promise<number> {
    const { redis, clockOffsetMs } = this.#options;
    const { open, sizes } = keysOf(job.org);
    const reply = await redis.client.orgOpen(
      open,
      sizes,
      clockOffsetMs(),
      memberOf(job),
      bytes,
      limitOf(maxJobs),
      limitOf(maxBytes),
      // An open job is prolonged by nothing but its end; a record that waits lives no longer.
      RECORD_RETENTION_MS,
    );
    return Number(reply);
  }

  async #run(job: JobIdentity, leaseMs: number, max: number): Promise<'taken' | 'held' | 'full'> {
    const { redis, clockOffsetMs } = this.#options;
    const { running, leases } = keysOf(job.org);
    const member = memberOf(job);
    const asked: Promise<unknown> = redis.client.orgRun(
      running,
      leases,
      clockOffsetMs(),
      member,
      leaseMs,
      limitOf(max),
      RECORD_RETENTION_MS,
    );
    // Sent behind it: whoever sees this finds that it runs.
    await Promise.all([asked, this.hasWork(job.org)]);
    const reply = await asked;
    if (reply === 'held' || reply === 'full') return reply;
    return 'taken';
  }

  async #look(tag: string, member = ''): Promise<Look> {
    const { redis, clockOffsetMs } = this.#options;
    const { running, leases, open } = keysOfTag(tag);
    const reply = numbersOf(await redis.client.orgLook(running, leases, open, clockOffsetMs(), member));
    const [runs = 0, opened = 0, waiting = 0, older = 0, now = 0] = reply;
    return { running: runs, open: opened, waiting, older, now };
  }

  /** Whether any other organisation has some of what is looked for. Those that have no work at all are forgotten. */
  async #othersHave(tag: string, what: (look: Look) => number): Promise<boolean> {
    const { client } = this.#options.redis;
    for (let start = 0; ; start += BATCH) {
      const others = await client.zrevrange(ORGANISATIONS, start, start + BATCH - 1);
      const looks = await Promise.all(
        others.filter((other) => other !== tag).map(async (other) => ({ other, look: await this.#look(other) })),
      );
      for (const { other, look } of looks) {
        if (what(look) > 0 && (await this.#stillHas(other, look, what))) return true;
        if (look.open + look.running === 0) await this.#hasNone(other, look.now);
      }
      if (others.length < BATCH) return false;
    }
  }

  /** The same once more, when the records behind its open jobs have not been looked at for a while. */
  async #stillHas(tag: string, seen: Look, what: (look: Look) => number): Promise<boolean> {
    if (seen.now - (this.#reconciledAt.get(tag) ?? -Infinity) < RECONCILE_EVERY_MS) return true;
    for (const [other, at] of this.#reconciledAt) {
      if (seen.now - at >= RECONCILE_EVERY_MS) this.#reconciledAt.delete(other);
    }
    this.#reconciledAt.set(tag, seen.now);
    const closed = await this.#reconcile(tag);
    return closed === 0 || what(await this.#look(tag)) > 0;
  }

  /** Closes open jobs whose records have ended or do not exist. @returns how many */
  async #reconcile(tag: string): Promise<number> {
    const { redis, clockOffsetMs } = this.#options;
    const reply: unknown = await redis.client.orgOpenJobs(keysOfTag(tag).open, clockOffsetMs());
    const parts: readonly unknown[] = Array.isArray(reply) ? reply : [];
    const [time, list] = parts;
    const jobs = entriesOf(orgOf(tag), textsOf(list));
    const states = await Promise.all(jobs.map((job) => redis.client.hget(jobRecordKey(job), 'state')));
    const ended = jobs.filter(({ createdAt }, index) => {
      const state = states[index];
      return state === 'finished' || (state === null && Number(time) - createdAt > WITHOUT_RECORD_MS);
    });
    await Promise.all(ended.map((job) => this.leave(job, true)));
    return ended.length;
  }

  async #hasNone(tag: string, seenAt: number): Promise<void> {
    await this.#options.redis.client.orgHasNone(ORGANISATIONS, 0, tag, seenAt);
  }
}

interface Keys {
  readonly index: string;
  /** Open jobs by the time at which they were opened, and their bytes. */
  readonly open: string;
  readonly sizes: string;
  /** Running jobs by the time of their claim, and by the end of their lease. */
  readonly running: string;
  readonly leases: string;
}

function keysOf(org: string | undefined): Keys {
  return keysOfTag(organisationTag(org));
}

function keysOfTag(tag: string): Keys {
  const index = `jobs:{${tag}}`;
  return {
    index,
    open: `${index}:open`,
    sizes: `${index}:sizes`,
    running: `${index}:running`,
    leases: `${index}:leases`,
  };
}

function orgOf(tag: string): string | undefined {
  return tag === organisationTag(undefined) ? undefined : decodeURIComponent(tag);
}

function memberOf({ kind, jobId }: Pick<JobIdentity, 'kind' | 'jobId'>): string {
  return `${kind}:${encodeKeyPart(jobId)}`;
}

function parseMember(member: string): Pick<JobIdentity, 'kind' | 'jobId'> | undefined {
  const colon = member.indexOf(':');
  const kind = member.slice(0, colon);
  return isJobKind(kind) ? { kind, jobId: decodeURIComponent(member.slice(colon + 1)) } : undefined;
}

/** Jobs from a list of members and scores. */
function entriesOf(org: string | undefined, list: readonly string[]): IndexedJob[] {
  const jobs: IndexedJob[] = [];
  for (let at = 0; at + 1 < list.length; at += 2) {
    const job = parseMember(list[at] ?? '');
    if (job !== undefined) jobs.push({ ...job, org, createdAt: Number(list[at + 1]) });
  }
  return jobs;
}

function limitOf(limit: number): number {
  return limit === Infinity ? -1 : limit;
}

function textsOf(reply: unknown): readonly string[] {
  return Array.isArray(reply) ? reply.map(String) : [];
}

function numbersOf(reply: unknown): readonly number[] {
  return Array.isArray(reply) ? reply.map(Number) : [];
}

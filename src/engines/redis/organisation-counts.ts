import { recordRetentionMs, type JobIdentity } from '../../job-record/job-record.js';
import {
  jobOfMember,
  memberOf,
  organisationTag,
  type IndexedJob,
  type OrganisationLoad,
} from '../../job-record/organisation-jobs.js';
import type { NewJob } from '../../job-record/job-store.js';
import type { RedisConnection } from './connection.js';
import { CLOCK, GOES_ON, KEY_PREFIX, listIn, scriptOf, TAKES_ON_WORK } from './script.js';

/**
 * Key of the organisations that may have work, by the time when this was last noted. It is in the slot of the queue.
 */
const ORGANISATIONS = `${KEY_PREFIX}:organisations`;

export interface Look {
  /** Running jobs, in the order of their claims. */
  readonly running: readonly JobIdentity[];
  readonly open: number;
  /** Number of open jobs that are not running. */
  readonly waiting: number;
  /** Number of open jobs older than the given one. */
  readonly older: number;
  readonly now: number;
}

/*
 * The keys of one organisation share a slot of a Cluster, which differs from the slots of the records. Servers of a
 * Cluster have separate clocks, so all times of an organisation come from its own slot.
 */

/** Keeps a key for at least as long as the record, or the lease, of the job that was just written to it. */
const KEEP = `
local function keep(key, ms) if redis.call('PTTL', key) < tonumber(ms) then redis.call('PEXPIRE', key, ms) end end
`;

/** Drops jobs with expired leases. KEYS: running jobs by claim time, and by lease end. */
const RUNNING = `${CLOCK}
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', integer(now))) do
  redis.call('ZREM', KEYS[1], member)
  redis.call('ZREM', KEYS[2], member)
end
`;

/**
 * Opens a job. KEYS: open, sizes. ARGV: offset, job, bytes, time for which to keep it. Returns the time, whether the
 * job was open before, the number of other open jobs, and their bytes.
 */
const OPEN = scriptOf(`${TAKES_ON_WORK}${CLOCK}${KEEP}
local was_open = redis.call('ZSCORE', KEYS[1], ARGV[2]) and 1 or 0
local jobs, bytes = redis.call('ZCARD', KEYS[1]) - was_open, 0
redis.call('HDEL', KEYS[2], ARGV[2])
for _, size in ipairs(redis.call('HVALS', KEYS[2])) do bytes = bytes + size end
redis.call('ZADD', KEYS[1], 'NX', integer(now), ARGV[2])
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
keep(KEYS[1], ARGV[4])
keep(KEYS[2], ARGV[4])
return {now, was_open, jobs, bytes}
`);

/**
 * Counts a job as running. Leases that end later than this one were written by a wrong clock, and end like it. ARGV:
 * offset, job, lease. Returns the time, whether it ran before, and the number of other running jobs.
 */
const RUN = scriptOf(`${GOES_ON}${RUNNING}${KEEP}
local ran = redis.call('ZSCORE', KEYS[1], ARGV[2]) and 1 or 0
local others = redis.call('ZCARD', KEYS[1]) - ran
local ends = integer(now + ARGV[3])
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ends, '+inf')) do
  redis.call('ZADD', KEYS[2], ends, member)
end
redis.call('ZADD', KEYS[1], 'NX', integer(now), ARGV[2])
redis.call('ZADD', KEYS[2], ends, ARGV[2])
keep(KEYS[1], ARGV[3])
keep(KEYS[2], ARGV[3])
return {now, ran, others}
`);

/**
 * Stops counting a job as running and, if it has ended, as open. KEYS: running, leases, open, sizes, index, orderers,
 * ends. ARGV: offset, job, whether it has ended, time for which its record is kept from now on or 0. Returns the time,
 * and the remaining number of open and running jobs.
 */
const LEAVE = scriptOf(`${GOES_ON}${CLOCK}${KEEP}
redis.call('ZREM', KEYS[1], ARGV[2])
redis.call('ZREM', KEYS[2], ARGV[2])
if ARGV[3] == '1' then
  redis.call('ZREM', KEYS[3], ARGV[2])
  redis.call('HDEL', KEYS[4], ARGV[2])
end
if ARGV[4] ~= '0' then
  redis.call('ZADD', KEYS[7], 'XX', 'GT', integer(now + ARGV[4]), ARGV[2])
  for at = 5, 7 do keep(KEYS[at], ARGV[4]) end
end
return {now, redis.call('ZCARD', KEYS[1]) + redis.call('ZCARD', KEYS[3])}
`);

/**
 * Reads the counts of an organisation. KEYS: running, leases, open. ARGV: offset, job. Returns the fields of {@link
 * Look}.
 */
const LOOK = scriptOf(`${GOES_ON}${RUNNING}
local open = redis.call('ZCARD', KEYS[3])
local waiting = open - redis.call('ZINTERCARD', 2, KEYS[1], KEYS[3])
return {now, open, waiting, redis.call('ZRANK', KEYS[3], ARGV[2]) or 0, redis.call('ZRANGE', KEYS[1], 0, -1)}
`);

/**
 * Adds a job to the index, unless it is there, and removes those whose records have expired. Entries of
 * 0.1.0 have no end, and get one. KEYS: index, orderers and ends by job. ARGV: time, job, orderer or empty text, time
 * for which its record is kept, and the end of that.
 */
const INDEX = scriptOf(`${TAKES_ON_WORK}${KEEP}
local first = redis.call('ZRANGE', KEYS[1], 0, 9, 'WITHSCORES')
for at = 1, #first, 2 do
  redis.call('ZADD', KEYS[3], 'NX', string.format('%d', first[at + 1] + ARGV[4]), first[at])
end
local old = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', ARGV[1], 'LIMIT', 0, 1000)
if #old > 0 then
  redis.call('ZREM', KEYS[1], unpack(old))
  redis.call('HDEL', KEYS[2], unpack(old))
  redis.call('ZREM', KEYS[3], unpack(old))
end
redis.call('ZADD', KEYS[1], 'NX', ARGV[1], ARGV[2])
if ARGV[3] ~= '' then redis.call('HSET', KEYS[2], ARGV[2], ARGV[3]) end
redis.call('ZADD', KEYS[3], 'GT', ARGV[5], ARGV[2])
for at = 1, 3 do keep(KEYS[at], ARGV[4]) end
return 1
`);

/** Notes that an organisation has work. KEYS: organisations. ARGV: time, organisation, time for which to keep it. */
const HAS_WORK = scriptOf(`${GOES_ON}${KEEP}
redis.call('ZADD', KEYS[1], 'GT', ARGV[1], ARGV[2])
keep(KEYS[1], ARGV[3])
return 1
`);

/** Drops an organisation, unless its work was noted again since. KEYS: organisations. ARGV: time, organisation. */
const HAS_NONE = scriptOf(`${GOES_ON}
local noted = redis.call('ZSCORE', KEYS[1], ARGV[2])
if noted and tonumber(noted) <= tonumber(ARGV[1]) then redis.call('ZREM', KEYS[1], ARGV[2]) end
return 1
`);

/** Counts of the jobs of each organisation, by its tag. This class makes no decisions. */
export class OrganisationCounts {
  readonly #client: RedisConnection['client'];
  readonly #clockOffsetMs: () => number;

  /** @param clockOffsetMs milliseconds added to the server's time; for tests */
  constructor({ client }: RedisConnection, clockOffsetMs: () => number) {
    this.#client = client;
    this.#clockOffsetMs = clockOffsetMs;
  }

  /** Counts a job as open. @returns the time, whether it was open before, and the other open jobs */
  async countOpen(
    job: JobIdentity,
    bytes: number,
  ): Promise<{ readonly now: number; readonly wasOpen: boolean; readonly others: OrganisationLoad }> {
    const { open, sizes } = keysOf(organisationTag(job.org));
    const keptMs = recordRetentionMs(job);
    const reply = await OPEN(this.#client, [open, sizes], this.#clockOffsetMs(), memberOf(job), bytes, keptMs);
    const [now, wasOpen, jobs, openBytes] = numbersOf(reply);
    return { now, wasOpen: wasOpen === 1, others: { open: jobs, openBytes } };
  }

  /**
   * Adds a job to the index, and notes that its organisation has work.
   *
   * @param createdAt time returned by {@link countOpen}
   */
  async index(job: JobIdentity, createdAt: number, { retentionMs, orderedBy }: NewJob): Promise<void> {
    const { index, orderers, ends } = keysOf(organisationTag(job.org));
    const entry = [createdAt, memberOf(job), orderedBy?.BackendUser ?? '', retentionMs, createdAt + retentionMs];
    await Promise.all([
      INDEX(this.#client, [index, orderers, ends], ...entry),
      this.hasWork(job.org, createdAt, retentionMs),
    ]);
  }

  /** Removes a job from the index. */
  async unlist(job: JobIdentity): Promise<void> {
    const { index, orderers, ends } = keysOf(organisationTag(job.org));
    const member = memberOf(job);
    await Promise.all([
      this.#client.zrem(index, member),
      this.#client.hdel(orderers, member),
      this.#client.zrem(ends, member),
    ]);
  }

  /**
   * Notes that an organisation has work.
   *
   * @param at time of that, by the clock of the organisation
   * @param keptMs time for which the note is kept, in milliseconds
   */
  async hasWork(org: string | undefined, at: number, keptMs: number): Promise<void> {
    await HAS_WORK(this.#client, [ORGANISATIONS], at, organisationTag(org), keptMs);
  }

  /** Counts a job as running, or renews it. @returns whether it ran before, and the number of other running jobs */
  async countRunning(job: JobIdentity, leaseMs: number): Promise<{ readonly ran: boolean; readonly others: number }> {
    const { running, leases } = keysOf(organisationTag(job.org));
    const reply = await RUN(this.#client, [running, leases], this.#clockOffsetMs(), memberOf(job), leaseMs);
    const [now, ran, others] = numbersOf(reply);
    // This must come second, so that its readers find the running job.
    await this.hasWork(job.org, now, leaseMs);
    return { ran: ran === 1, others };
  }

  /**
   * Stops counting a job as running.
   *
   * @param ended true if it is not open either
   * @param keptMs time for which its record is kept from now on, in milliseconds; unchanged if absent
   */
  async leave(job: JobIdentity, ended: boolean, keptMs = 0): Promise<void> {
    const tag = organisationTag(job.org);
    const { running, leases, open, sizes, index, orderers, ends } = keysOf(tag);
    const keys = [running, leases, open, sizes, index, orderers, ends];
    const state = [this.#clockOffsetMs(), memberOf(job), ended ? 1 : 0, keptMs];
    const [now, left] = numbersOf(await LEAVE(this.#client, keys, ...state));
    if (left === 0) await this.hasNone(tag, now);
  }

  /** Returns the load of an organisation. @param job the job for `older` */
  async look(tag: string, job?: Parameters<typeof memberOf>[0]): Promise<Look> {
    const own = keysOf(tag);
    const keys = [own.running, own.leases, own.open];
    const reply = await LOOK(this.#client, keys, this.#clockOffsetMs(), job === undefined ? '' : memberOf(job));
    const [now, jobs, waiting, older] = numbersOf(reply);
    const running = listIn(listIn(reply)[4]).flatMap((member) => jobOfMember(tag, String(member)) ?? []);
    return { now, open: jobs, waiting, older, running };
  }

  async openJobs(tag: string): Promise<readonly IndexedJob[]> {
    return entriesOf(tag, await this.#client.zrange(keysOf(tag).open, '0', '-1', 'WITHSCORES'));
  }

  /**
   * Returns jobs of the index, newest first, up to a latest opening time, and whether more follow.
   *
   * @param batch.withOrderers true to read who ordered them too
   */
  async indexed(
    tag: string,
    latest: number | undefined,
    { offset, count, withOrderers }: Readonly<Record<'offset' | 'count', number>> & { readonly withOrderers: boolean },
  ): Promise<{ readonly jobs: readonly IndexedJob[]; readonly isCutOff: boolean }> {
    const range = [latest ?? '+inf', '-inf', 'WITHSCORES', 'LIMIT', offset, count] as const;
    const { index, orderers } = keysOf(tag);
    const list = await this.#client.zrevrangebyscore(index, ...range);
    const jobs = entriesOf(tag, list);
    const known = withOrderers && jobs.length > 0 ? await this.#client.hmget(orderers, ...jobs.map(memberOf)) : [];
    return {
      jobs: jobs.map((job, at) => ({ ...job, orderer: known[at] ?? undefined })),
      isCutOff: list.length === 2 * count,
    };
  }

  /** Returns tags of organisations that may have work, the last noted first. */
  organisations(start: number, count: number): Promise<readonly string[]> {
    return this.#client.zrevrange(ORGANISATIONS, start, start + count - 1);
  }

  async hasNone(tag: string, seenAt: number): Promise<void> {
    await HAS_NONE(this.#client, [ORGANISATIONS], seenAt, tag);
  }
}

/**
 * Returns the keys of an organisation: all jobs with their orderers and the ends of their records, open jobs and their
 * bytes, and running jobs by claim time and lease end.
 */
function keysOf(tag: string) {
  const index = `jobs:{${tag}}`;
  const [open, sizes, running, leases] = [`${index}:open`, `${index}:sizes`, `${index}:running`, `${index}:leases`];
  return { index, orderers: `${index}:orderers`, ends: `${index}:ends`, open, sizes, running, leases };
}

function entriesOf(tag: string, list: readonly string[]): IndexedJob[] {
  const jobs: IndexedJob[] = [];
  for (let at = 0; at + 1 < list.length; at += 2) {
    const job = jobOfMember(tag, list[at] ?? '');
    if (job !== undefined) jobs.push({ ...job, createdAt: Number(list[at + 1]) });
  }
  return jobs;
}

function numbersOf(reply: unknown): readonly [number, number, number, number] {
  const [first = 0, second = 0, third = 0, fourth = 0] = listIn(reply).map(Number);
  return [first, second, third, fourth];
}

import { describeError, ServiceUnavailableError } from '../../errors.js';
import { FORMAT, NewerFormatError } from '../../job-record/format.js';
import { parseItemOutcome, type ItemOutcome } from '../../job-record/item-outcome.js';
import { jobRecordKey, type JobIdentity, type JobRecord, type JobResult } from '../../job-record/job-record.js';
import {
  DamagedRecordError,
  JOB_RECORD_FIELDS,
  parseJobRecordFields,
  toJobRecordFields,
  type JobRecordField,
} from '../../job-record/fields.js';
import { MAX_AHEAD_MS, type ClaimOutcome, type Hold, type JobStore, type NewJob } from '../../job-record/job-store.js';
import { NO_LIMITS, WAIT_MS, type OrganisationLimits } from '../../job-record/organisation-jobs.js';
import * as transitions from '../../job-record/transitions.js';
import type { RedisConnection } from './connection.js';
import { RedisOrganisationJobs } from './organisation-jobs.js';
import { CLOCK, GOES_ON, listIn, READS, scriptOf, TAKES_ON_WORK } from './script.js';

/** What the Redis job store is made of. */
export interface RedisJobStoreOptions {
  readonly redis: RedisConnection;
  /** None by default. */
  readonly limits?: OrganisationLimits;
  /** Milliseconds added to the server's time, asked for at every transition; for tests. */
  readonly clockOffsetMs?: () => number;
}

/** A job store that can also accept jobs on behalf of a queue that keeps its entries elsewhere. */
export interface RedisJobStore extends JobStore {
  /**
   * Writes the pending record.
   *
   * @returns when it was written, milliseconds since 1970; undefined when there is a record already
   */
  enqueue(job: JobIdentity, described: NewJob): Promise<number | undefined>;
  readonly organisations: RedisOrganisationJobs;
}

/*
 * The scripts work on one record, KEYS[1], and the outcomes of its items, KEYS[2]; both are in one slot of a Cluster.
 */

/**
 * Returns the time, all fields of the record as JSON but the reply, which may be long, and the reply. One text is read
 * faster than forty.
 */
const READ = scriptOf(`${READS}
local clock, fields, body = redis.call('TIME'), {}, false
local stored = redis.call('HGETALL', KEYS[1])
for i = 1, #stored, 2 do
  if stored[i] == 'callback_result_body' then body = stored[i + 1] else fields[stored[i]] = stored[i + 1] end
end
return {clock[1] * 1000 + math.floor(clock[2] / 1000), cjson.encode(fields), body}
`);

/**
 * Writes fields unless others have changed meanwhile. ARGV: how long to keep all, in milliseconds; what is removed
 * before: `record` with the items, `items` or nothing; then lists, each behind its length: fields that must not have
 * changed; their values, an empty one where there is none; fields and values to write; fields to remove. Returns the
 * outcomes of the items, or nothing when one has changed.
 */
const COMPARE_AND_WRITE = `
local key, items, at = KEYS[1], KEYS[2], 3
local function list()
  local from, to = at + 1, at + ARGV[at]
  at = to + 1
  return from, to
end
local from, to = list()
local found = redis.call('HMGET', key, unpack(ARGV, from, to))
from = list()
for i, value in ipairs(found) do
  if (value or '') ~= ARGV[from + i - 1] then return false end
end
if ARGV[2] == 'record' then redis.call('DEL', key) end
if ARGV[2] ~= '' then redis.call('DEL', items) end
from, to = list()
if to >= from then redis.call('HSET', key, unpack(ARGV, from, to)) end
from, to = list()
if to >= from then redis.call('HDEL', key, unpack(ARGV, from, to)) end
redis.call('PEXPIRE', key, ARGV[1])
redis.call('PEXPIRE', items, ARGV[1])
return redis.call('LRANGE', items, 0, -1)
`;
const WRITE = scriptOf(GOES_ON + COMPARE_AND_WRITE);
const WRITE_NEW_WORK = scriptOf(TAKES_ON_WORK + COMPARE_AND_WRITE);

/**
 * The scripts that owners run all the time end here for anybody else, with 0. ARGV begins with milliseconds added to
 * the time, and the fencing token.
 */
const OWNED = `${CLOCK}
local key, items = KEYS[1], KEYS[2]
local function number(field) return tonumber(redis.call('HGET', key, field) or 0) end
if number('expires_at') <= now then return 0 end
if number('format') > ${FORMAT} then return redis.error_reply('NEWERFORMAT ' .. number('format')) end
if redis.call('HGET', key, 'lease_token') ~= ARGV[2] then return 0 end
`;

/** Means `held` as 1, `cancelled` as 2. */
const HOLD = `
return 1 + redis.call('HEXISTS', key, 'cancelled_at')
`;

/** ARGV: and the lease. */
const RENEW = scriptOf(`${GOES_ON}${OWNED}
local keep_ms = ARGV[3] + number('retention_ms')
redis.call('HSET', key, 'lease_expires_at', integer(now + ARGV[3]), 'expires_at', integer(now + keep_ms))
redis.call('PEXPIRE', key, integer(keep_ms))
redis.call('PEXPIRE', items, integer(keep_ms))
${HOLD}`);

/**
 * ARGV: and done, checkpoint, 1 if it is repeatable, outcomes of items as JSON texts. What is repeatable goes past the
 * append-only file, which may be flushed at every write, and is ahead of it by `MAX_AHEAD_MS` at most; replicas get it.
 */
const CHECKPOINT = scriptOf(`${GOES_ON}${OWNED}
if ARGV[5] == '1' and #ARGV == 5 then
  local ahead = now - number('appended_at')
  if ahead >= 0 and ahead < ${MAX_AHEAD_MS} then redis.set_repl(redis.REPL_REPLICA)
  else redis.call('HSET', key, 'appended_at', integer(now)) end
end
redis.call('HSET', key, 'done', ARGV[3], 'checkpoint', ARGV[4])
if #ARGV > 5 then
  for i = 6, #ARGV do redis.call('RPUSH', items, ARGV[i]) end
  redis.call('PEXPIRE', items, redis.call('PTTL', key))
end
${HOLD}`);

/** What the scripts of an owner mean by their numbers. */
const HOLDS: readonly Hold[] = ['lost', 'held', 'cancelled'];

/** What transitions decide by; that of an owner stands while it notes its progress. */
const DECISIVE: readonly JobRecordField[] = [
  'state',
  'format',
  'created_at',
  'cancelled_at',
  'finished_at',
  'attempt',
  'lease_token',
  'lease_expires_at',
];

/** And what somebody goes on from who takes a job over. */
const PROGRESS: readonly JobRecordField[] = ['done', 'checkpoint'];

/** How often a transition is decided anew because its record has changed; each time another one was made. */
const MAX_TRIES = 100;

/** A record as it was found. */
interface Found {
  /** Absent where there is none, or it has expired. */
  readonly live: JobRecord | undefined;
  readonly now: number;
  readonly stored: StoredFields;
}

/** The fields of a record, or of what is damaged. */
type StoredFields = Readonly<Record<string, string>>;

/**
 * Job records as Redis hashes (specification, "Job status record"). Several processes may share them: each transition
 * is decided by `transitions.ts` on the record as it was found, with the server's time, and written in one script if
 * nothing that it was decided by has changed. Keys are removed by Redis when the record expires. What runs is counted
 * for its organisation before it is claimed, and until it has ended.
 */
export function createRedisJobStore(options: RedisJobStoreOptions): RedisJobStore {
  const { redis, limits = NO_LIMITS, clockOffsetMs = () => 0 } = options;
  const { client } = redis;
  const organisations = new RedisOrganisationJobs({ redis, limits, clockOffsetMs });

  /** @param damagedIsNone whether a record that cannot be read is none */
  async function find(job: JobIdentity, damagedIsNone = false): Promise<Found> {
    const offsetMs = clockOffsetMs();
    const [time, json, body] = listIn(await redis.run(() => READ(client, keysOf(job))));
    const now = Number(time) + offsetMs;
    const stored = storedIn(json, body);
    const isLive = Number(stored['expires_at'] ?? 0) > now;
    try {
      return { live: isLive ? parseJobRecordFields(stored) : undefined, now, stored };
    } catch (error) {
      if (!damagedIsNone || !(error instanceof DamagedRecordError)) throw error;
      return { live: undefined, now, stored };
    }
  }

  /** @returns outcomes of the items; undefined when the record has changed, and nothing was written */
  async function write(job: JobIdentity, found: Found, next: JobRecord): Promise<readonly ItemOutcome[] | undefined> {
    const { live, now, stored } = found;
    const isClaim = next.lease !== undefined && next.lease.fencingToken !== live?.lease?.fencingToken;
    const isNewWork = isClaim || (live === undefined && next.state === 'pending');
    const compared = isClaim ? [...DECISIVE, ...PROGRESS] : DECISIVE;
    const before: StoredFields = live === undefined ? {} : stored;
    const fields = toJobRecordFields(next);
    const changed = Object.entries(fields).filter(([name, value]) => String(value) !== before[name]);
    const gone = [...JOB_RECORD_FIELDS, 'appended_at'].filter((name) => name in before && !(name in fields));
    const removed = live === undefined ? 'record' : next.result?.status === 200 ? 'items' : '';
    const reply = await redis.run(() =>
      (isNewWork ? WRITE_NEW_WORK : WRITE)(
        client,
        keysOf(job),
        next.expiresAt - now,
        removed,
        compared.length,
        ...compared,
        compared.length,
        ...compared.map((name) => stored[name] ?? ''),
        2 * changed.length,
        ...changed.flat(),
        gone.length,
        ...gone,
      ),
    );
    if (reply === null) return undefined;
    redis.written();
    return parseItems(reply);
  }

  /** @returns the record that was found in the end, and the next one, if it was written */
  function transact(
    job: JobIdentity,
    step: (record: JobRecord | undefined, now: number) => transitions.Transition,
    { damagedIsNone = false } = {},
  ): Promise<{ readonly live: JobRecord | undefined; readonly next: JobRecord | undefined }> {
    return decided(async () => {
      const found = await find(job, damagedIsNone);
      const next = step(found.live, found.now);
      if (next !== undefined && (await write(job, found, next)) === undefined) return undefined;
      return { live: found.live, next };
    });
  }

  /** Runs a script of an owner; one that changes nothing is answered by a Redis that takes no writes. */
  async function owned(script: () => Promise<unknown>): Promise<Hold> {
    const hold = HOLDS[Number(await redis.run(script).catch(throwNewerFormat))] ?? 'lost';
    if (hold !== 'lost') redis.written();
    return hold;
  }

  /** A transition that was made counts, whether the organisation's count follows now or is put right later. */
  async function followed(follow: () => Promise<unknown>): Promise<void> {
    await redis.run(follow).catch(() => undefined);
  }

  async function left(job: JobIdentity, transition: ReturnType<typeof transact>, ended: boolean): Promise<boolean> {
    if ((await transition).next === undefined) return false;
    await followed(() => organisations.leave(job, ended));
    return true;
  }

  const readItems = async (job: JobIdentity): Promise<readonly ItemOutcome[]> =>
    parseItems(await redis.run(() => client.lrange(keysOf(job)[1], 0, -1)));

  return {
    organisations,
    read: async (job) => (await find(job)).live,
    leaseLeftMs: async (job) => {
      const { live, now } = await find(job);
      return transitions.leaseLeftMs(live, now);
    },
    readItems: async (job) => ((await find(job)).live === undefined ? [] : readItems(job)),
    async enqueue(job, described) {
      const { next } = await transact(job, (record, now) => transitions.enqueue(record, described, now));
      return next?.createdAt;
    },
    claim(job, request) {
      let isCounted = false;
      return decided<ClaimOutcome>(async () => {
        const found = await find(job);
        const { outcome, next } = transitions.claim(found.live, request, found.now);
        if (next === undefined) {
          if (outcome.outcome === 'claimed') return { ...outcome, items: await readItems(job) };
          const isOver = outcome.outcome === 'finished';
          // Under a claim that came first it runs.
          const isIdle = isCounted && outcome.outcome !== 'running';
          if (isOver || isIdle) await redis.run(() => organisations.leave(job, isOver));
          return outcome;
        }
        if (outcome.outcome === 'claimed' && !request.isBar && !isCounted) {
          isCounted = await redis.run(() => organisations.run(job, request.leaseMs));
          if (!isCounted) return { outcome: 'must wait', retryAfterMs: WAIT_MS };
        }
        const items = await write(job, found, next);
        if (items === undefined) return undefined;
        return outcome.outcome === 'claimed' ? { ...outcome, items } : outcome;
      });
    },
    async renew(job, fencingToken, leaseMs) {
      const hold = await owned(() => RENEW(client, keysOf(job), clockOffsetMs(), fencingToken, leaseMs));
      if (hold !== 'lost') await followed(() => organisations.prolong(job, leaseMs));
      return hold;
    },
    checkpoint(job, fencingToken, { done, checkpoint, items = [], repeatable = false }) {
      const texts = items.map((item) => JSON.stringify(item));
      const mayBeLost = repeatable ? 1 : 0;
      return owned(() =>
        CHECKPOINT(client, keysOf(job), clockOffsetMs(), fencingToken, done, checkpoint, mayBeLost, ...texts),
      );
    },
    finish: (job, fencingToken, result) =>
      left(
        job,
        transact(job, (record, now) => transitions.finish(record, fencingToken, result, now)),
        true,
      ),
    release: (job, fencingToken) =>
      left(
        job,
        transact(job, (record, now) => transitions.release(record, fencingToken, now)),
        false,
      ),
    fail: (job, described, result: JobResult) =>
      left(
        job,
        transact(job, (record, now) => transitions.fail(record, described, result, now), { damagedIsNone: true }),
        true,
      ),
    async cancel(job) {
      const { live, next } = await transact(job, transitions.cancel);
      return live && { createdAt: live.createdAt, changed: next !== undefined };
    },
    isCancelled: async (job) => (await redis.run(() => client.hexists(jobRecordKey(job), 'cancelled_at'))) === 1,
    async ping() {
      await redis.run(() => client.ping());
    },
  };
}

/** Keys of a record and of the outcomes of its items. */
function keysOf(job: JobIdentity): [record: string, items: string] {
  const key = jobRecordKey(job);
  return [key, `${key}:items`];
}

/** Decides again for as long as others come in between. */
async function decided<T>(decide: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const made = await decide();
    if (made !== undefined) return made;
  }
  throw new ServiceUnavailableError('Redis', {
    cause: new Error(`A record has changed ${MAX_TRIES} times meanwhile.`),
  });
}

function storedIn(json: unknown, body: unknown): StoredFields {
  const fields: unknown = typeof json === 'string' ? JSON.parse(json) : undefined;
  if (typeof fields !== 'object' || fields === null) throw new DamagedRecordError('Redis answered with no record.');
  const stored: StoredFields = { ...fields };
  return typeof body === 'string' ? { ...stored, callback_result_body: body } : stored;
}

function parseItems(list: unknown): readonly ItemOutcome[] {
  return listIn(list).map((text) => parseItemOutcome(JSON.parse(String(text))));
}

/** @throws {NewerFormatError} when that is what a script said; anything else as it is */
function throwNewerFormat(error: unknown): never {
  const [, format] = /^NEWERFORMAT (\d+)/.exec(describeError(error)) ?? [];
  throw format === undefined ? error : new NewerFormatError('The record of the job', Number(format));
}

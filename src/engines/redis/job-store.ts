import { describeError } from '../../errors.js';
import { FORMAT, NewerFormatError } from '../../job-record/format.js';
import { jobRecordKey, type JobIdentity } from '../../job-record/job-record.js';
import { MAX_AHEAD_MS, type ClaimOutcome, type Hold, type JobStore, type NewJob } from '../../job-record/job-store.js';
import { NO_LIMITS, WAIT_MS, type OrganisationLimits } from '../../job-record/organisation-jobs.js';
import * as transitions from '../../job-record/transitions.js';
import type { RedisConnection } from './connection.js';
import { RedisOrganisationJobs } from './organisation-jobs.js';
import { decided, keysOf, RedisRecords } from './records.js';
import { CLOCK, GOES_ON, scriptOf } from './script.js';

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
  const records = new RedisRecords(redis, clockOffsetMs);

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

  async function left(
    job: JobIdentity,
    transition: ReturnType<RedisRecords['transact']>,
    ended: boolean,
  ): Promise<boolean> {
    if ((await transition).next === undefined) return false;
    await followed(() => organisations.leave(job, ended));
    return true;
  }

  return {
    organisations,
    read: async (job) => (await records.find(job)).live,
    leaseLeftMs: async (job) => {
      const { live, now } = await records.find(job);
      return transitions.leaseLeftMs(live, now);
    },
    readItems: async (job) => ((await records.find(job)).live === undefined ? [] : records.items(job)),
    async enqueue(job, described) {
      const { next } = await records.transact(job, (record, now) => transitions.enqueue(record, described, now));
      return next?.createdAt;
    },
    claim(job, request) {
      let isCounted = false;
      return decided<ClaimOutcome>(async () => {
        const found = await records.find(job);
        const { outcome, next } = transitions.claim(found.live, request, found.now);
        if (next === undefined) {
          if (outcome.outcome === 'claimed') return { ...outcome, items: await records.items(job) };
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
        const items = await records.write(job, found, next);
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
        records.transact(job, (record, now) => transitions.finish(record, fencingToken, result, now)),
        true,
      ),
    release: (job, fencingToken) =>
      left(
        job,
        records.transact(job, (record, now) => transitions.release(record, fencingToken, now)),
        false,
      ),
    fail: (job, described, result) =>
      left(
        job,
        records.transact(job, (record, now) => transitions.fail(record, described, result, now), {
          damagedIsNone: true,
        }),
        true,
      ),
    async cancel(job, ending) {
      const { live, next } = await records.transact(job, (record, now) => transitions.cancel(record, ending, now));
      if (live === undefined) return undefined;
      if (next?.state === 'finished') await followed(() => organisations.leave(job, true));
      return transitions.cancelledOf(live, next);
    },
    async wait(job, reason) {
      const { next } = await records.transact(job, (record, now) => transitions.wait(record, reason, now));
      return next !== undefined;
    },
    isCancelled: async (job) => (await redis.run(() => client.hexists(jobRecordKey(job), 'cancelled_at'))) === 1,
    async ping() {
      await redis.run(() => client.ping());
    },
  };
}

/** @throws {NewerFormatError} when that is what a script said; anything else as it is */
function throwNewerFormat(error: unknown): never {
  const [, format] = /^NEWERFORMAT (\d+)/.exec(describeError(error)) ?? [];
  throw format === undefined ? error : new NewerFormatError('The record of the job', Number(format));
}

import { describeError } from '../../errors.js';
import { FORMAT, NewerFormatError } from '../../job-record/stored.js';
import type { SubmittedJob } from '../../job-record/job-queue.js';
import { jobRecordKey, type JobIdentity, type JobResult } from '../../job-record/job-record.js';
import { MAX_AHEAD_MS, type ClaimOutcome, type Hold, type JobStore, type NewJob } from '../../job-record/job-store.js';
import { NO_LIMITS, WAIT_MS, type OrganisationLimits } from '../../job-record/organisation-jobs.js';
import { recordMethods, type RecordStore } from '../../job-record/record-store.js';
import { claim, enqueue, refuse, submittedOf } from '../../job-record/transitions.js';
import type { RedisConnection } from './connection.js';
import { RedisOrganisationJobs } from './organisations.js';
import { createRedisRecords, retriedOnConflict, keysOf } from './records.js';
import { CLOCK, GOES_ON, scriptOf } from './script.js';

export interface RedisJobStoreOptions {
  readonly redis: RedisConnection;
  readonly limits?: OrganisationLimits;
  /** Milliseconds added to the server's time at every transition; for tests. */
  readonly clockOffsetMs?: () => number;
}

/** Job store that can also accept jobs for a queue that keeps its entries elsewhere. */
export interface RedisJobStore extends JobStore {
  /** Writes the pending record, unless the job has a record. */
  enqueue(job: JobIdentity, described: NewJob): Promise<SubmittedJob>;
  /**
   * Notes that the start of a job was refused, unless the job was claimed, or a repetition of the start has sent it.
   *
   * @returns true if it was noted
   */
  refuse(job: JobIdentity, described: NewJob, result: JobResult): Promise<boolean>;
  /** Notes that the message of a pending job has reached a queue that cannot be asked for it. */
  noteSent(job: JobIdentity): Promise<void>;
  /** Returns true if that was noted. */
  wasSent(job: JobIdentity): Promise<boolean>;
  readonly organisations: RedisOrganisationJobs;
}

/**
 * Beginning of the scripts of owners: returns 0 to any other caller. ARGV begins with the milliseconds added to the
 * time, and the fencing token.
 */
const OWNED = `${CLOCK}
local key, items = KEYS[1], KEYS[2]
local function number(field) return tonumber(redis.call('HGET', key, field) or 0) end
if number('expires_at') <= now then return 0 end
if number('format') > ${FORMAT} then return redis.error_reply('NEWERFORMAT ' .. number('format')) end
if redis.call('HGET', key, 'lease_token') ~= ARGV[2] then return 0 end
`;

/** End of the scripts of owners: returns 1 for `held`, 2 for `cancelled`. */
const HOLD = `
return 1 + redis.call('HEXISTS', key, 'cancelled_at')
`;

/** Renews a lease. ARGV: those of OWNED, and the lease. */
const RENEW = scriptOf(`${GOES_ON}${OWNED}
local keep_ms = ARGV[3] + number('retention_ms')
redis.call('HSET', key, 'lease_expires_at', integer(now + ARGV[3]), 'expires_at', integer(now + keep_ms))
redis.call('PEXPIRE', key, integer(keep_ms))
redis.call('PEXPIRE', items, integer(keep_ms))
${HOLD}`);

/**
 * Saves progress. ARGV: those of OWNED, and done, checkpoint, 1 if it is repeatable, outcomes of items as JSON texts.
 * Repeatable progress bypasses the append-only file, which may be flushed at every write, and is ahead of it by at most
 * `MAX_AHEAD_MS`. Replicas receive it.
 */
const CHECKPOINT = scriptOf(`${GOES_ON}${OWNED}
if ARGV[5] == '1' and #ARGV == 5 then
  local ahead = now - number('appended_at')
  if ahead >= 0 and ahead < ${MAX_AHEAD_MS} then redis.set_repl(redis.REPL_REPLICA)
  else redis.call('HSET', key, 'appended_at', integer(now)) end
end
if tonumber(ARGV[3]) > number('done') then redis.call('HDEL', key, 'lost_leases') end
redis.call('HSET', key, 'done', ARGV[3], 'checkpoint', ARGV[4])
if #ARGV > 5 then
  for i = 6, #ARGV do redis.call('RPUSH', items, ARGV[i]) end
  redis.call('PEXPIRE', items, redis.call('PTTL', key))
end
${HOLD}`);

/** Notes in a pending record that its message was sent. */
const NOTE_SENT = scriptOf(`${GOES_ON}
if redis.call('HGET', KEYS[1], 'state') ~= 'pending' then return 0 end
return redis.call('HSET', KEYS[1], 'sent', 1)
`);

const HOLDS: readonly Hold[] = ['lost', 'held', 'cancelled'];

/**
 * Creates a store of job records, which are Redis hashes (specification, "Job status record") and may be shared by
 * several processes. Each transition is decided by `transitions.ts` on the record as read, with the time of the server;
 * one script writes it if the fields behind the decision are unchanged. Redis removes the keys when the record expires.
 * A running job counts for its organisation from before its claim until after its end.
 */
export function createRedisJobStore(options: RedisJobStoreOptions): RedisJobStore {
  const { redis, limits = NO_LIMITS, clockOffsetMs = () => 0 } = options;
  const { client } = redis;
  const organisations = new RedisOrganisationJobs(redis, limits, clockOffsetMs);
  const records = createRedisRecords(redis, clockOffsetMs);

  /** Runs a script of an owner. Only one that has changed something shows that Redis takes writes. */
  async function owned(script: () => Promise<unknown>): Promise<Hold> {
    const hold = HOLDS[Number(await redis.run(script).catch(throwNewerFormat))] ?? 'lost';
    if (hold !== 'lost') redis.written();
    return hold;
  }

  /**
   * Corrects the counts of an organisation after a transition. A failure is ignored, because they are corrected later.
   */
  async function followed(follow: () => Promise<unknown>): Promise<void> {
    await redis.run(follow).catch(() => undefined);
  }

  const counted: RecordStore = {
    ...records,
    async transact(job, step, options) {
      const made = await records.transact(job, step, options);
      const hasEnded = made.next?.state === 'finished';
      const wasReleased = made.live?.lease !== undefined && made.next !== undefined && made.next.lease === undefined;
      if (hasEnded || wasReleased) await followed(() => organisations.leave(job, hasEnded, made.next?.retentionMs));
      return made;
    },
  };

  return {
    organisations,
    ...recordMethods(counted),
    async enqueue(job, described) {
      const { live, next } = await records.transact(job, (record, now) => enqueue(record, described, now));
      return submittedOf(live, next);
    },
    async refuse(job, described, result) {
      const isNoted = await retriedOnConflict(async () => {
        const found = await records.find(job);
        const next = found.stored['sent'] === undefined && refuse(found.live, described, result, found.now);
        if (!next) return false;
        return (await records.write(job, found, next)) && true;
      });
      if (isNoted) await followed(() => Promise.all([organisations.leave(job, true), organisations.unlist(job)]));
      return isNoted;
    },
    async noteSent(job) {
      await redis.run(() => NOTE_SENT(client, [jobRecordKey(job)]));
    },
    wasSent: async (job) => (await redis.run(() => client.hexists(jobRecordKey(job), 'sent'))) === 1,
    claim(job, request) {
      let isCounted = false;
      return retriedOnConflict<ClaimOutcome>(async () => {
        const found = await records.find(job);
        const { outcome, next } = claim(found.live, request, found.now);
        if (next === undefined) {
          if (outcome.outcome === 'claimed') return { ...outcome, items: await records.items(job) };
          const isOver = outcome.outcome === 'finished';
          // A running job was counted by an earlier claim.
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
      if (hold !== 'lost') await followed(() => organisations.countRunning(job, leaseMs));
      return hold;
    },
    checkpoint(job, fencingToken, { done, checkpoint, items = [], repeatable = false }) {
      const texts = items.map((item) => JSON.stringify(item));
      const mayBeLost = repeatable ? 1 : 0;
      return owned(() =>
        CHECKPOINT(client, keysOf(job), clockOffsetMs(), fencingToken, done, checkpoint, mayBeLost, ...texts),
      );
    },
    isCancelled: async (job) => (await redis.run(() => client.hexists(jobRecordKey(job), 'cancelled_at'))) === 1,
    async ping() {
      await redis.run(() => client.ping());
    },
  };
}

/** @throws {NewerFormatError} when a script reported it; other errors unchanged */
function throwNewerFormat(error: unknown): never {
  const [, format] = /^NEWERFORMAT (\d+)/.exec(describeError(error)) ?? [];
  throw format === undefined ? error : new NewerFormatError('The record of the job', Number(format));
}

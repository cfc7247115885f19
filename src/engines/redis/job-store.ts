import { describeError } from '../../errors.js';
import { FORMAT, NewerFormatError } from '../../job-record/stored.js';
import type { SubmittedJob } from '../../job-record/job-queue.js';
import { jobRecordKey, type JobIdentity, type JobResult } from '../../job-record/job-record.js';
import { MAX_AHEAD_MS, type ClaimOutcome, type Hold, type JobStore, type NewJob } from '../../job-record/job-store.js';
import { NO_LIMITS, WAIT_MS, type OrganisationLimits } from '../../job-record/organisation-jobs.js';
import { recordMethods, type RecordStore } from '../../job-record/record-store.js';
import { claim, enqueue, holdOf, refuse, renew, submittedOf } from '../../job-record/transitions.js';
import type { RedisConnection } from './connection.js';
import { RedisOrganisationJobs } from './organisations.js';
import { RedisRecords, retriedOnConflict, keysOf } from './records.js';
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
  /** Notes that a start was refused, unless the job was claimed or sent. @returns true if it was noted */
  refuse(job: JobIdentity, described: NewJob, result: JobResult): Promise<boolean>;
  /** Notes that the message of a pending job has reached a queue that cannot be asked for it, or may have. */
  noteSent(job: JobIdentity, isSure: boolean): Promise<void>;
  /** Returns true if it has, false if it may have, and undefined if neither was noted. */
  wasSent(job: JobIdentity): Promise<boolean | undefined>;
  readonly organisations: RedisOrganisationJobs;
}

/**
 * Saves progress of the owner. ARGV: milliseconds added to the time, fencing token, done, checkpoint, 1 if repeatable,
 * outcomes of items as JSON texts. Returns the index of the hold. Repeatable progress bypasses the append-only file,
 * which may be flushed at every write, and is ahead of it by at most `MAX_AHEAD_MS`. Replicas receive it.
 */
const CHECKPOINT = scriptOf(`${GOES_ON}${CLOCK}
local key, items = KEYS[1], KEYS[2]
local function number(field) return tonumber(redis.call('HGET', key, field) or 0) end
if number('expires_at') <= now then return 0 end
if number('format') > ${FORMAT} then return redis.error_reply('NEWERFORMAT ' .. number('format')) end
if redis.call('HGET', key, 'lease_token') ~= ARGV[2] then return 0 end
if ARGV[5] == '1' and #ARGV == 5 then
  local ahead = now - number('appended_at')
  if ahead >= 0 and ahead < ${MAX_AHEAD_MS} then redis.set_repl(redis.REPL_REPLICA)
  else redis.call('HSET', key, 'appended_at', integer(now)) end
end
if tonumber(ARGV[3]) > number('done') then redis.call('HDEL', key, 'lost_leases') end
redis.call('HSET', key, 'done', ARGV[3], 'checkpoint', ARGV[4])
for i = 6, #ARGV do redis.call('RPUSH', items, ARGV[i]) end
redis.call('PEXPIRE', items, redis.call('PTTL', key))
return 1 + redis.call('HEXISTS', key, 'cancelled_at')
`);

/** Value of the note for a message that may have been sent. */
const IN_DOUBT = 'in doubt';

/** Notes in a pending record that its message was sent, or may have been, which changes no earlier note. */
const NOTE_SENT = scriptOf(`${GOES_ON}
if redis.call('HGET', KEYS[1], 'state') ~= 'pending' then return 0 end
return redis.call(ARGV[1] == '${IN_DOUBT}' and 'HSETNX' or 'HSET', KEYS[1], 'sent', ARGV[1])
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
  const records = new RedisRecords(redis, clockOffsetMs);

  const counted: RecordStore = {
    find: (job) => records.find(job),
    items: (job) => records.items(job),
    async transact(job, step, options) {
      const made = await records.transact(job, step, options);
      const hasEnded = made.next?.state === 'finished';
      const wasReleased = made.live?.lease !== undefined && made.next !== undefined && made.next.lease === undefined;
      if (hasEnded || wasReleased)
        await followed(redis, () => organisations.leave(job, hasEnded, made.next?.retentionMs));
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
      const { next } = await records.transact(job, (record, now, stored) =>
        stored['sent'] === undefined ? refuse(record, described, result, now) : undefined,
      );
      if (next === undefined) return false;
      await followed(redis, () => Promise.all([organisations.leave(job, true), organisations.unlist(job)]));
      return true;
    },
    async noteSent(job, isSure) {
      await redis.run(() => NOTE_SENT(client, [jobRecordKey(job)], isSure ? 1 : IN_DOUBT));
    },
    async wasSent(job) {
      const noted = await redis.run(() => client.hget(jobRecordKey(job), 'sent'));
      return noted === null ? undefined : noted !== IN_DOUBT;
    },
    claim(job, request) {
      let isCounted = false;
      return retriedOnConflict<ClaimOutcome>(async () => {
        const found = await records.find(job);
        const { outcome, next } = claim(found.live, request, found.now);
        const isClaimed = outcome.outcome === 'claimed';
        if (next === undefined) {
          const isOver = outcome.outcome === 'finished';
          // A running job was counted by an earlier claim.
          const isIdle = isCounted && !isClaimed && outcome.outcome !== 'running';
          if (isOver || isIdle) await redis.run(() => organisations.leave(job, isOver));
        } else {
          if (isClaimed && !request.isBar && !isCounted) {
            isCounted = await redis.run(() => organisations.run(job, request.leaseMs, next.retentionMs));
            if (!isCounted) return { outcome: 'must wait', retryAfterMs: WAIT_MS };
          }
          if (!(await records.write(job, found, next))) return undefined;
        }
        if (outcome.outcome !== 'claimed') return outcome;
        // A first attempt has no items yet.
        return { ...outcome, items: next?.attempt === 1 ? [] : await records.items(job) };
      });
    },
    async renew(job, fencingToken, leaseMs) {
      const { next } = await records.transact(job, (record, now) => renew(record, fencingToken, leaseMs, now));
      if (next) await followed(redis, () => organisations.countRunning(job, leaseMs, next.retentionMs));
      return holdOf(next);
    },
    async checkpoint(job, fencingToken, { done, checkpoint, items = [], repeatable = false }) {
      const texts = items.map((item) => JSON.stringify(item));
      const progress = [fencingToken, done, checkpoint, repeatable ? 1 : 0, ...texts];
      const reply = redis.run(() => CHECKPOINT(client, keysOf(job), clockOffsetMs(), ...progress));
      const hold = HOLDS[Number(await reply.catch(throwNewerFormat))] ?? 'lost';
      // Only a script that has changed something shows that Redis takes writes.
      if (hold !== 'lost') redis.written();
      return hold;
    },
    isCancelled: async (job) => (await redis.run(() => client.hexists(jobRecordKey(job), 'cancelled_at'))) === 1,
    async ping() {
      await redis.run(() => client.ping());
    },
  };
}

/** Corrects the counts of an organisation after a transition. If that fails, a later check does. */
async function followed(redis: RedisConnection, follow: () => Promise<unknown>): Promise<void> {
  await redis.run(follow).catch(() => undefined);
}

/** @throws {NewerFormatError} when a script reported it; other errors unchanged */
function throwNewerFormat(error: unknown): never {
  const [, format] = /^NEWERFORMAT (\d+)/.exec(describeError(error)) ?? [];
  throw format === undefined ? error : new NewerFormatError('The record of the job', Number(format));
}

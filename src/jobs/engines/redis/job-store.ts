import { describeError } from '../../../base/errors.js';
import { ENDED_FORMAT, NewerFormatError } from '../../record/stored-fields.js';
import type { SubmittedJob } from '../../record/job-queue.js';
import { recordBytesOf } from '../../record/record-fields.js';
import { jobRecordKey, type JobIdentity, type JobRecord, type JobResult } from '../../record/job-record.js';
import {
  MAX_AHEAD_MS,
  type ClaimOutcome,
  type ClaimRequest,
  type LeaseState,
  type JobStore,
  type NewJob,
  type Progress,
} from '../../record/job-store.js';
import { NO_LIMITS, WAIT_MS, type OrganisationLimits } from '../../record/organisation-jobs.js';
import type { Transacted } from '../../record/transition-store.js';
import {
  claim,
  enqueue,
  leaseStateOf,
  refuse,
  renew,
  replay,
  replayTime,
  submittedOf,
} from '../../record/transitions.js';
import type { RedisConnection } from './connection.js';
import { RedisOrganisationJobs } from './organisations.js';
import { RedisRecords, retriedOnConflict, recordKeys } from './records.js';
import { CLOCK, ALLOW_OOM, scriptOf } from './script.js';
import * as unfinished from './unfinished-jobs.js';

export interface RedisJobStoreOptions {
  readonly redis: RedisConnection;
  readonly limits?: OrganisationLimits;
  /** Milliseconds added to the server's time at every transition; for tests. */
  readonly clockOffsetMs?: () => number;
}

/** Added to the index of a hold whose progress has bypassed the append-only file. */
const BYPASSED = 2;

/**
 * Saves progress of the owner. ARGV: milliseconds added to the time, fencing token, done, checkpoint, 1 if repeatable,
 * outcomes of items as JSON texts. Returns the index of the hold. Repeatable progress bypasses the append-only file,
 * which may be flushed at every write, if some was appended in the last `MAX_AHEAD_MS`. Replicas receive it.
 */
const CHECKPOINT = scriptOf(`${ALLOW_OOM}${CLOCK}
local key, items, bypassed = KEYS[1], KEYS[2], 0
local function number(field) return tonumber(redis.call('HGET', key, field) or 0) end
if number('expires_at') <= now then return 0 end
if number('format') > ${ENDED_FORMAT} then return redis.error_reply('NEWERFORMAT ' .. number('format')) end
if redis.call('HGET', key, 'lease_token') ~= ARGV[2] then return 0 end
if ARGV[5] == '1' and #ARGV == 5 then
  local ahead = now - number('appended_at')
  if ahead >= 0 and ahead < ${MAX_AHEAD_MS} then bypassed = ${BYPASSED} redis.set_repl(redis.REPL_REPLICA)
  else redis.call('HSET', key, 'appended_at', integer(now)) end
end
if tonumber(ARGV[3]) > number('done') then redis.call('HDEL', key, 'lost_leases') end
redis.call('HSET', key, 'done', ARGV[3], 'checkpoint', ARGV[4])
for i = 6, #ARGV do redis.call('RPUSH', items, ARGV[i]) end
redis.call('PEXPIRE', items, redis.call('PTTL', key))
return 1 + redis.call('HEXISTS', key, 'cancelled_at') + bypassed
`);

/** Value of the note for a message that may have been sent. */
const IN_DOUBT = 'in doubt';

/** Notes in a pending record that its message was sent, or may have been, which changes no earlier note. */
const NOTE_SENT = scriptOf(`${ALLOW_OOM}
if redis.call('HGET', KEYS[1], 'state') ~= 'pending' then return 0 end
return redis.call(ARGV[1] == '${IN_DOUBT}' and 'HSETNX' or 'HSET', KEYS[1], 'sent', ARGV[1])
`);

const LEASE_STATES: readonly LeaseState[] = ['lost', 'held', 'cancelled', 'held', 'cancelled'];

/**
 * Job store on Redis, which can also accept jobs for a queue that keeps its entries elsewhere. The records are Redis
 * hashes (specification, "Job status record") and may be shared by several processes. Each transition is decided by
 * `transitions.ts` on the record as read, with the time of the server; one script writes it if the fields behind the
 * decision are unchanged. Redis removes the keys when the record expires. A running job counts for its organisation
 * from before its claim until after its end.
 */
export class RedisJobStore extends RedisRecords implements JobStore {
  readonly organisations: RedisOrganisationJobs;
  /** Timers by the key of the record; each appends progress before a pause, which no other progress has followed. */
  readonly #ahead = new Map<string, NodeJS.Timeout>();

  constructor({ redis, limits = NO_LIMITS, clockOffsetMs = () => 0 }: RedisJobStoreOptions) {
    super(redis, clockOffsetMs, limits.onChange);
    this.organisations = new RedisOrganisationJobs(redis, limits, clockOffsetMs);
  }

  /** Writes the pending record, unless the job has a record. @param until delays the write, and may prevent it */
  async enqueue(job: JobIdentity, described: NewJob, until?: Promise<unknown>): Promise<SubmittedJob> {
    const { live, next } = await super.transact(job, (record, now) => enqueue(record, described, now), { until });
    return submittedOf(live, next);
  }

  /** Makes the job of a dead letter pending again. @returns the time of the replay, also for a job without a record */
  async replay(job: JobIdentity): Promise<number> {
    let time = 0;
    await super.transact(job, (record, now) => {
      time = replayTime(record, now);
      return replay(record, now);
    });
    return time;
  }

  /** Notes that a start was refused, unless the job was claimed or sent. @returns true if it was noted */
  async refuse(job: JobIdentity, described: NewJob, result: JobResult): Promise<boolean> {
    const { next } = await super.transact(job, (record, now, stored) =>
      stored['sent'] === undefined ? refuse(record, described, result, now) : undefined,
    );
    if (next === undefined) return false;
    await Promise.all([this.#leave(job, true), this.#bestEffort(() => this.organisations.unlist(job))]);
    return true;
  }

  /** Notes that the message of a pending job has reached a queue that cannot be asked for it, or may have. */
  async noteSent(job: JobIdentity, isSure: boolean): Promise<void> {
    await this.redis.run(() => NOTE_SENT(this.redis.client, [jobRecordKey(job)], isSure ? 1 : IN_DOUBT));
  }

  /** Returns true if it has, false if it may have, and undefined if neither was noted. */
  async wasSent(job: JobIdentity): Promise<boolean | undefined> {
    const noted = await this.redis.run(() => this.redis.client.hget(jobRecordKey(job), 'sent'));
    return noted === null ? undefined : noted !== IN_DOUBT;
  }

  claim(job: JobIdentity, request: ClaimRequest): Promise<ClaimOutcome> {
    const { leaseMs, retentionMs, isPlaceholder } = request;
    let counted: Promise<boolean> | undefined;
    return retriedOnConflict<ClaimOutcome>(async () => {
      // The job is counted while its record is read, as most deliveries are claimed.
      counted ??= isPlaceholder
        ? Promise.resolve(true)
        : this.redis.run(() => this.organisations.run(job, leaseMs, retentionMs));
      const [found, isCounted] = await Promise.all([
        this.find(job).catch(async (error: unknown) => {
          if (await counted) await this.#leave(job, false);
          throw error;
        }),
        counted,
      ]);
      const { outcome, next } = claim(found.live, request, found.now);
      const isClaimed = outcome.outcome === 'claimed';
      if (next !== undefined) {
        if (isClaimed && !isCounted) return { outcome: 'must wait', retryAfterMs: WAIT_MS };
        if (!(await this.write(job, found, next))) return undefined;
        this.changed(job, { live: found.live, next });
      }
      if (!isClaimed) {
        const isOver = outcome.outcome === 'finished';
        // A running job was counted by an earlier claim.
        const isIdle = isCounted && !isPlaceholder && outcome.outcome !== 'running';
        if (isOver || isIdle) await this.redis.run(() => this.organisations.leave(job, isOver));
        return outcome;
      }
      // A first attempt has no items yet.
      return { ...outcome, items: next?.attempt === 1 ? [] : await this.items(job) };
    });
  }

  override async renew(job: JobIdentity, fencingToken: string, leaseMs: number): Promise<LeaseState> {
    const { next } = await super.transact(job, (record, now) => renew(record, fencingToken, leaseMs, now));
    if (next) await this.#bestEffort(() => this.organisations.countRunning(job, leaseMs, next.retentionMs));
    return leaseStateOf(next);
  }

  async checkpoint(job: JobIdentity, fencingToken: string, progress: Progress): Promise<LeaseState> {
    const { done, checkpoint, items = [], repeatable = false } = progress;
    const key = jobRecordKey(job);
    clearTimeout(this.#ahead.get(key));
    this.#ahead.delete(key);
    const args = [fencingToken, done, checkpoint, repeatable ? 1 : 0, ...items.map((item) => JSON.stringify(item))];
    const reply = this.redis.run(() => CHECKPOINT(this.redis.client, recordKeys(job), this.clockOffsetMs(), ...args));
    const index = Number(await reply.catch(throwNewerFormat));
    const hold = LEASE_STATES[index] ?? 'lost';
    if (index > BYPASSED) {
      const append = () => void this.checkpoint(job, fencingToken, { done, checkpoint }).catch(() => undefined);
      this.#ahead.set(key, setTimeout(append, MAX_AHEAD_MS).unref());
    }
    // Only a script that has changed something shows that Redis takes writes.
    if (hold !== 'lost') this.redis.written();
    return hold;
  }

  async isCancelled(job: JobIdentity): Promise<boolean> {
    return (await this.redis.run(() => this.redis.client.hexists(jobRecordKey(job), 'cancelled_at'))) === 1;
  }

  async ping(): Promise<void> {
    await this.redis.run(() => this.redis.client.ping());
  }

  protected override async transact(...transition: Parameters<RedisRecords['transact']>): Promise<Transacted> {
    const [job] = transition;
    const made = await super.transact(...transition);
    const hasEnded = made.next?.state === 'finished';
    const wasReleased = made.live?.lease !== undefined && made.next !== undefined && made.next.lease === undefined;
    // Its owner does not wait for it: a later check corrects what is lost.
    if (hasEnded || wasReleased) void this.#leave(job, hasEnded, made.next);
    return made;
  }

  /** Stops counting a job. One that has ended leaves the sweep too, which 0.2.0 could not finish because of it. */
  async #leave(job: JobIdentity, hasEnded: boolean, record?: JobRecord): Promise<void> {
    const bytes = record && hasEnded ? recordBytesOf(record) : 0;
    await Promise.all([
      this.#bestEffort(() => this.organisations.leave(job, hasEnded, record?.retentionMs, bytes)),
      hasEnded && this.#bestEffort(() => unfinished.remove(this.redis.client, [unfinished.entryOf(job)])),
    ]);
  }

  /** Corrects the counts of an organisation after a transition. If that fails, a later check does. */
  async #bestEffort(correct: () => Promise<unknown>): Promise<void> {
    await this.redis.run(correct).catch(() => undefined);
  }
}

/** @throws {NewerFormatError} when a script reported it; other errors unchanged */
function throwNewerFormat(error: unknown): never {
  const [, format] = /^NEWERFORMAT (\d+)/.exec(describeError(error)) ?? [];
  throw format === undefined ? error : new NewerFormatError('The record of the job', Number(format), ENDED_FORMAT);
}

import { describeError } from '../../errors.js';
import { NewerFormatError } from '../../job-record/format.js';
import { parseItemOutcome, type ItemOutcome } from '../../job-record/item-outcome.js';
import { jobRecordKey, type JobIdentity, type JobRecord, type JobResult } from '../../job-record/job-record.js';
import { DamagedRecordError, parseJobRecordFields } from '../../job-record/fields.js';
import type {
  ClaimOutcome,
  ClaimRequest,
  Ending,
  Hold,
  JobStore,
  NewJob,
  Progress,
} from '../../job-record/job-store.js';
import { NO_LIMITS, WAIT_MS, type OrganisationLimits } from '../../job-record/organisation-jobs.js';
import type { RedisConnection } from './connection.js';
import { RedisOrganisationJobs } from './organisation-jobs.js';
import { defineRecordCommands } from './record-commands.js';

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
 * Job records as Redis hashes (specification, "Job status record"), one atomic script per transition. Several
 * processes may share them; time is the server's. Keys are removed by Redis when the record expires. What runs is
 * counted for its organisation before it is claimed, and until it has ended.
 */
export function createRedisJobStore({
  redis,
  limits = NO_LIMITS,
  clockOffsetMs = () => 0,
}: RedisJobStoreOptions): RedisJobStore {
  const { client } = redis;
  defineRecordCommands(client);
  const organisations = new RedisOrganisationJobs({ redis, limits, clockOffsetMs });

  const target = (job: JobIdentity): [string, string, number] => {
    const key = jobRecordKey(job);
    return [key, `${key}:items`, clockOffsetMs()];
  };
  const run = <T>(script: () => Promise<T>): Promise<T> => redis.run(script).catch(throwNewerFormat);
  const held = async (script: () => Promise<unknown>): Promise<Hold> => {
    const hold = HOLDS[Number(await run(script))] ?? 'lost';
    // A script that changes nothing is answered by a Redis that takes no writes.
    if (hold !== 'lost') redis.written();
    return hold;
  };
  const accepted = async (script: () => Promise<unknown>): Promise<boolean> => {
    const isChanged = (await run(script)) === 1;
    if (isChanged) redis.written();
    return isChanged;
  };

  /** A transition that was made counts, whether the organisation's count follows now or is put right later. */
  const followed = async (follow: () => Promise<unknown>): Promise<void> => {
    await redis.run(follow).catch(() => undefined);
  };
  const leaving = async (job: JobIdentity, written: Promise<boolean>, ended: boolean): Promise<boolean> => {
    if (!(await written)) return false;
    await followed(() => organisations.leave(job, ended));
    return true;
  };

  return {
    organisations,
    read: (job) =>
      redis
        .run(() => client.jobRead(...target(job)))
        .then((record) => (record === null ? undefined : parseRecord(record)), throwNewerFormat),
    async readItems(job) {
      return parseItems(await run(() => client.jobReadItems(...target(job))));
    },
    async enqueue(job, described) {
      const { total, fingerprint, retentionMs } = described;
      const createdAt = await run(() =>
        client.jobEnqueue(...target(job), total, fingerprint, retentionMs, ordererText(described)),
      );
      if (typeof createdAt !== 'number') throw unexpected('enqueue');
      return createdAt === 0 ? undefined : createdAt;
    },
    async claim(job, request: ClaimRequest) {
      const { total, leaseMs, retentionMs, nonce, fingerprints, isBar = false } = request;
      const place = isBar ? 'held' : await redis.run(() => organisations.run(job, leaseMs));
      if (place === 'wait') return { outcome: 'must wait', retryAfterMs: WAIT_MS };
      const outcome = parseOutcome(
        await run(() => client.jobClaim(...target(job), total, leaseMs, retentionMs, nonce, ...fingerprints)).catch(
          async (error: unknown) => {
            // Nothing was claimed. Of an outage nobody knows that.
            if (place === 'taken' && error instanceof NewerFormatError) await organisations.leave(job, false);
            throw error;
          },
        ),
      );
      const isOver = outcome.outcome === 'finished';
      if (isOver || (place === 'taken' && outcome.outcome !== 'claimed')) {
        await redis.run(() => organisations.leave(job, isOver));
      }
      return outcome;
    },
    async renew(job, fencingToken: string, leaseMs: number) {
      const hold = await held(() => client.jobRenew(...target(job), fencingToken, leaseMs));
      if (hold !== 'lost') await followed(() => organisations.prolong(job, leaseMs));
      return hold;
    },
    checkpoint: (job, fencingToken: string, { done, checkpoint, items = [], repeatable = false }: Progress) => {
      const texts = items.map((item) => JSON.stringify(item));
      const mayBeLost = repeatable ? 1 : 0;
      return held(() => client.jobCheckpoint(...target(job), fencingToken, done, checkpoint, mayBeLost, ...texts));
    },
    finish: (job, fencingToken: string, { status, body, failedItems, warnings }: JobResult) => {
      const lists = [listText(failedItems), listText(warnings)] as const;
      const finished = accepted(() => client.jobFinish(...target(job), fencingToken, status, body, ...lists));
      return leaving(job, finished, true);
    },
    release: (job, fencingToken: string) =>
      leaving(
        job,
        accepted(() => client.jobRelease(...target(job), fencingToken)),
        false,
      ),
    fail(job, described: NewJob, { status, body }: JobResult) {
      const { total, fingerprint, retentionMs } = described;
      const failed = accepted(() =>
        client.jobFail(...target(job), total, fingerprint, retentionMs, status, body, ordererText(described)),
      );
      return leaving(job, failed, true);
    },
    async cancel(job, { attempt, result: { body, failedItems } } = NO_ENDING) {
      const reply = await run(() => client.jobCancel(...target(job), attempt, body, listText(failedItems)));
      const parts: readonly unknown[] = Array.isArray(reply) ? reply : [];
      const [createdAt, changed, stored, cancelled] = parts;
      if (createdAt === undefined) return undefined;
      const state = stored === 'pending' || stored === 'running' ? stored : 'finished';
      if (state === 'finished') await followed(() => organisations.leave(job, true));
      return { createdAt: Number(createdAt), state, cancelled: cancelled === 1, changed: changed === 1 };
    },
    wait: (job, reason) => accepted(() => client.jobWait(...target(job), reason)),
    isCancelled: async (job) => (await redis.run(() => client.hexists(jobRecordKey(job), 'cancelled_at'))) === 1,
    async ping() {
      await redis.run(() => client.ping());
    },
  };
}

/** Of no attempt. */
const NO_ENDING: Ending = { attempt: -1, result: { status: 200, body: '' } };

/** What the scripts mean by their numbers. */
const HOLDS: readonly Hold[] = ['lost', 'held', 'cancelled'];

function listText(list: readonly unknown[] | undefined): string {
  return list === undefined ? '' : JSON.stringify(list);
}

/** Empty when nobody is named. */
function ordererText({ orderedBy }: NewJob): string {
  return orderedBy === undefined ? '' : JSON.stringify(orderedBy);
}

function parseOutcome(reply: unknown): ClaimOutcome {
  const parts: readonly unknown[] = Array.isArray(reply) ? reply : [];
  const [outcome, detail, items] = parts;
  if (outcome === 'conflict' || outcome === 'unknown key') return { outcome };
  if (outcome === 'running' && typeof detail === 'string') return { outcome, retryAfterMs: Number(detail) };
  if (outcome !== 'claimed' && outcome !== 'finished') throw unexpected('claim');
  const record = parseRecord(detail);
  if (outcome === 'finished' && record.result !== undefined) return { outcome, result: record.result };
  if (outcome === 'finished' || record.lease === undefined) throw unexpected('claim');
  return { outcome, fencingToken: record.lease.fencingToken, record, items: parseItems(items) };
}

/** A record as the scripts return it: all fields as JSON but the reply, and the reply if there is one. */
function parseRecord(reply: unknown): JobRecord {
  const parts: readonly unknown[] = Array.isArray(reply) ? reply : [];
  const [json, body] = parts;
  const fields: unknown = typeof json === 'string' ? JSON.parse(json) : undefined;
  if (typeof fields !== 'object' || fields === null) throw unexpected('read');
  return parseJobRecordFields(
    typeof body === 'string' ? Object.assign(fields, { callback_result_body: body }) : fields,
  );
}

function parseItems(list: unknown): readonly ItemOutcome[] {
  if (!Array.isArray(list)) throw unexpected('read');
  return list.map((text) => parseItemOutcome(JSON.parse(String(text))));
}

function unexpected(transition: string): DamagedRecordError {
  return new DamagedRecordError(`Redis answered the script "${transition}" with something else.`);
}

/** @throws {NewerFormatError} when that is what a script said; anything else as it is */
function throwNewerFormat(error: unknown): never {
  const [, format] = /^NEWERFORMAT (\d+)/.exec(describeError(error)) ?? [];
  throw format === undefined ? error : new NewerFormatError('The record of the job', Number(format));
}

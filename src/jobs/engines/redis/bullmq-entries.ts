import type { Job, Queue } from 'bullmq';
import { describeError } from '../../../base/errors.js';
import {
  type QueuedMessage,
  MAX_LOOKED_AT,
  MAX_WAIT_MS,
  type DeadLetter,
  type JobMessage,
  type QueueLoad,
} from '../../record/job-queue.js';
import { jobRecordKey, parseJobRecordKey, type JobIdentity } from '../../record/job-record.js';
import { parseMessage, storedMessage } from '../../record/message-fields.js';
import type { Logger } from '../../../base/logging/logger.js';
import type { RedisConnection } from './connection.js';
import { ALLOW_OOM, scriptOf } from './script.js';

const STATES = { waiting: ['wait', 'prioritized'], delayed: ['delayed'], 'in hand': ['active'] } as const;

/** Structures of waiting entries in BullMQ: a list by arrival, and a set by due time. */
const WAITING = ['wait', 'delayed'] as const;

const UNDELIVERABLE = new Set(['failed', 'completed', 'unknown']);

/** Fields of an entry in BullMQ: creation, failed attempts, consumers that died, and reason and time of the end. */
const FIELDS = ['timestamp', 'atm', 'stc', 'failedReason', 'finishedOn'] as const;

/**
 * Removes a failed entry in one step: BullMQ's own removal would take one that another process has revived meanwhile.
 * KEYS: failed entries, the lock of the entry, the entry, its log. ARGV: id of the entry.
 */
const DROP = scriptOf(`${ALLOW_OOM}
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) or redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
redis.call('DEL', KEYS[3], KEYS[4])
return redis.call('ZREM', KEYS[1], ARGV[1])
`);

/** Value of the lock of an entry that is being replayed, and the time after which it ends by itself. */
const REPLAYING = 'replay';
const REPLAY_MS = 30_000;

/** Locks a failed entry for its replay. KEYS: failed entries, the lock of the entry. ARGV: id of the entry. */
const HOLD = scriptOf(`${ALLOW_OOM}
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
return redis.call('SET', KEYS[2], '${REPLAYING}', 'NX', 'PX', ${REPLAY_MS}) and 1 or 0
`);

/** Ends the lock of a replay, unless a consumer holds the entry meanwhile. KEYS: the lock of the entry. */
const LET_GO = scriptOf(`${ALLOW_OOM}
return redis.call('GET', KEYS[1]) == '${REPLAYING}' and redis.call('DEL', KEYS[1]) or 0
`);

const BATCH = 500;

/** Factor of due times in milliseconds in the order of delayed entries; the rest is a sequence number of BullMQ. */
const SCORES_PER_MS = 0x1000;

/** Queue of BullMQ, whose entries are messages to be delivered and dead letters, on its Redis. */
export interface BullMqParts {
  readonly redis: RedisConnection;
  readonly queue: Queue<unknown>;
  readonly logger: Logger;
}

/**
 * Returns the id of a job's message in BullMQ, unique to the job. BullMQ gives colons and plain numbers a special
 * meaning, so the parts are separated by dots, which no part contains.
 */
export function queueEntryId(job: JobIdentity): string {
  return jobRecordKey(job).slice('job:{'.length, -1).replaceAll(':', '.');
}

/** Parses an id of {@link queueEntryId}; undefined if invalid. */
export function identityOf(entryId: string): JobIdentity | undefined {
  return parseJobRecordKey(`job:{${entryId.replaceAll('.', ':')}}`);
}

/** Returns the entries that will still be delivered, without those whose id does not name a job. */
export async function queued(parts: BullMqParts): Promise<readonly QueuedMessage[]> {
  const found = new Map<string, QueuedMessage>();
  for (const state of ['waiting', 'delayed', 'in hand'] as const) {
    const ids = await parts.queue.getRanges([...STATES[state]], 0, -1, true);
    // An entry that has moved meanwhile counts in the later state.
    const entries = await inBatches(ids, (id) => queuedEntry(parts, id, state));
    for (const entry of entries) found.set(queueEntryId(entry), entry);
  }
  return [...found.values()];
}

export async function deadLetters(parts: BullMqParts): Promise<readonly DeadLetter[]> {
  const ids = await parts.queue.getRanges(['failed'], 0, -1, true);
  return inBatches(ids, (id) => deadLetter(parts, id));
}

export async function load({ queue, redis: { client } }: BullMqParts): Promise<QueueLoad> {
  const [counts, ...next] = await Promise.all([
    queue.getJobCounts(...WAITING, 'active', 'failed'),
    ...WAITING.map((state) => queue.getRanges([state], 0, MAX_LOOKED_AT / WAITING.length, true)),
  ]);
  // The commands are pipelined: they take one round trip.
  const times = await Promise.all(next.flat().map((id) => client.hget(queue.toKey(id), 'timestamp')));
  // An entry may have been taken since its id was read.
  const known = times.filter((time) => time !== null).map(Number);
  return {
    waiting: WAITING.reduce((sum, state) => sum + (counts[state] ?? 0), 0),
    inHand: counts['active'] ?? 0,
    deadLetters: counts['failed'] ?? 0,
    oldestSince: known.length > 0 ? Math.min(...known) : undefined,
  };
}

export async function isDeliverable({ queue }: BullMqParts, job: JobIdentity): Promise<boolean> {
  return !UNDELIVERABLE.has(await queue.getJobState(queueEntryId(job)));
}

/** Shortens due times that a wrong clock put beyond the maximum wait, for a few hundred entries at most. */
export async function capDueTimes({ queue, redis: { client } }: BullMqParts): Promise<void> {
  const from = (Date.now() + MAX_WAIT_MS) * SCORES_PER_MS;
  const ids = await client.zrangebyscore(queue.toKey('delayed'), `(${from}`, '+inf', 'LIMIT', 0, BATCH);
  await inBatches(ids, async (id) => {
    const entry = await queue.getJob(id);
    // The entry may have been taken meanwhile.
    await entry?.changeDelay(MAX_WAIT_MS).catch(() => undefined);
    return undefined;
  });
}

/** Returns the message of a dead letter; undefined if absent or unreadable. */
export async function deadMessage(parts: BullMqParts, job: JobIdentity): Promise<JobMessage | undefined> {
  const entry = await dead(parts, job);
  if (entry === undefined) return undefined;
  try {
    return parseMessage(entry.data);
  } catch (error) {
    unreadable(parts, entry.id, describeError(error));
    return undefined;
  }
}

/**
 * Replays a dead letter, which nobody else can replay or drop meanwhile.
 *
 * @param reopen makes its job pending and returns the new time of the message
 * @returns false if there is none, or another process replays it
 */
export async function replayEntry(
  parts: BullMqParts,
  job: JobIdentity,
  reopen: (job: JobIdentity) => Promise<number>,
): Promise<boolean> {
  const { queue, redis } = parts;
  const id = queueEntryId(job);
  const [failed, lock] = [queue.toKey('failed'), queue.toKey(`${id}:lock`)];
  if ((await HOLD(redis.client, [failed, lock], id)) !== 1) return false;
  try {
    return await revive(parts, job, await reopen(job));
  } finally {
    await LET_GO(redis.client, [lock]);
  }
}

/** Delivers a dead letter again, with new content if any, from its first attempt. @returns false if there is none */
export async function revive(
  parts: BullMqParts,
  job: JobIdentity,
  queuedAt: number,
  message?: JobMessage,
): Promise<boolean> {
  const entry = await dead(parts, job);
  if (entry === undefined) return false;
  if (message !== undefined) await entry.updateData(storedMessage(message));
  // BullMQ resets the number of failed attempts, but not that of consumers that died. Both count as attempts here.
  const key = parts.queue.toKey(queueEntryId(job));
  await Promise.all([parts.redis.client.hdel(key, 'stc'), parts.redis.client.hset(key, 'timestamp', queuedAt)]);
  try {
    await entry.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true });
    return true;
  } catch (error) {
    // Another process has revived it meanwhile.
    if (!(await entry.isFailed())) return false;
    throw error;
  }
}

export async function dropEntry({ queue, redis: { client } }: BullMqParts, job: JobIdentity): Promise<boolean> {
  const id = queueEntryId(job);
  const keys = ['failed', `${id}:lock`, id, `${id}:logs`].map((key) => queue.toKey(key));
  return (await DROP(client, keys, id)) === 1;
}

async function dead({ queue }: BullMqParts, job: JobIdentity): Promise<Job<unknown> | undefined> {
  const entry = await queue.getJob(queueEntryId(job));
  return entry !== undefined && (await entry.isFailed()) ? entry : undefined;
}

async function queuedEntry(
  parts: BullMqParts,
  id: string,
  state: QueuedMessage['state'],
): Promise<QueuedMessage | undefined> {
  const job = identityOf(id);
  if (job === undefined) return undefined;
  const [{ timestamp, ended }, score] = await Promise.all([
    fieldsOf(parts, id),
    state === 'delayed' ? parts.redis.client.zscore(parts.queue.toKey('delayed'), id) : null,
  ]);
  // The message has been handled since its id was read.
  if (timestamp === null) return undefined;
  const dueAt = score === null ? {} : { dueAt: Math.floor(Number(score) / SCORES_PER_MS) };
  return { ...job, state, acceptedAt: Number(timestamp), attempts: state === 'in hand' ? ended + 1 : ended, ...dueAt };
}

async function deadLetter(parts: BullMqParts, id: string): Promise<DeadLetter | undefined> {
  const { timestamp, ended, reason, finishedOn } = await fieldsOf(parts, id);
  // The entry may have expired since its id was read.
  if (reason === null) return undefined;
  const message = identityOf(id);
  if (message === undefined) {
    unreadable(parts, id, 'The id names no job.');
    return undefined;
  }
  return { message, reason, attempts: ended, diedAt: Number(finishedOn ?? timestamp) };
}

/** Reads fields of an entry, without its content. @returns `ended`: number of attempts that have ended */
async function fieldsOf({ queue, redis: { client } }: BullMqParts, id: string) {
  const [timestamp = null, failed, died, reason = null, finishedOn] = await client.hmget(queue.toKey(id), ...FIELDS);
  return { timestamp, ended: Number(failed ?? 0) + Number(died ?? 0), reason, finishedOn };
}

function unreadable({ logger }: BullMqParts, entry: string | undefined, reason: string): void {
  logger.event('queue.dead_letter_unreadable', { entry, reason });
}

/** Reads entries, and leaves out missing ones. The commands of a batch are pipelined. */
async function inBatches<T>(ids: readonly string[], read: (id: string) => Promise<T | undefined>): Promise<T[]> {
  const found: T[] = [];
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = await Promise.all(ids.slice(from, from + BATCH).map(read));
    found.push(...batch.filter((each) => each !== undefined));
  }
  return found;
}

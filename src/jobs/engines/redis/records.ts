import { ServiceUnavailableError } from '../../../base/errors.js';
import {
  DECISIVE_FIELDS,
  FIELDS_OF_020,
  parseItemOutcome,
  parseRecordFields,
  toRecordFields,
} from '../../record/record-fields.js';
import { type ItemOutcome, jobRecordKey, type JobIdentity, type JobRecord } from '../../record/job-record.js';
import type { OnJobChange } from '../../record/job-store.js';
import { TransitionStore, type Step, type Transacted } from '../../record/transition-store.js';
import { DamagedError, isObject } from '../../record/stored-fields.js';
import { isHandled, type Transition } from '../../record/transitions.js';
import type { RedisConnection } from './connection.js';
import { ALLOW_OOM, listIn, NO_WRITES, scriptOf, DENY_OOM } from './script.js';

/*
 * The scripts work on one record, KEYS[1], and the outcomes of its items, KEYS[2]; both are in one slot of a Cluster.
 */

/**
 * Reads a record. Returns the time, all fields as JSON except the reply, which may be long, and the reply. Reading one
 * text is faster than reading forty values.
 */
const READ = scriptOf(`${NO_WRITES}
local clock, fields, body = redis.call('TIME'), {}, false
local stored = redis.call('HGETALL', KEYS[1])
for i = 1, #stored, 2 do
  if stored[i] == 'callback_result_body' then body = stored[i + 1] else fields[stored[i]] = stored[i + 1] end
end
return {clock[1] * 1000 + math.floor(clock[2] / 1000), cjson.encode(fields), body}
`);

/**
 * Writes fields, unless another process has changed the record. ARGV: time to live of the keys, in milliseconds; the
 * keys that are removed first: `record` for both, `items`, or nothing; then four lists, each after its length: fields
 * that must be unchanged; their values, empty if absent; fields and values to write; fields to remove. Returns nothing
 * if the record has changed.
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
return 1
`;
const WRITE = scriptOf(ALLOW_OOM + COMPARE_AND_WRITE);
const WRITE_NEW_WORK = scriptOf(DENY_OOM + COMPARE_AND_WRITE);

const MAX_TRIES = 100;

interface Found {
  /** Undefined if the record is absent or expired. */
  readonly live: JobRecord | undefined;
  readonly now: number;
  readonly stored: StoredHash;
}

type StoredHash = Readonly<Record<string, string>>;

export abstract class RedisRecords extends TransitionStore {
  protected readonly redis: RedisConnection;
  protected readonly clockOffsetMs: () => number;

  /** @param clockOffsetMs milliseconds added to the server's time; for tests */
  constructor(redis: RedisConnection, clockOffsetMs: () => number, onChange: OnJobChange | undefined) {
    super(onChange);
    this.redis = redis;
    this.clockOffsetMs = clockOffsetMs;
  }

  protected async find(job: JobIdentity, damagedIsNone = false): Promise<Found> {
    const redis = this.redis;
    const offsetMs = this.clockOffsetMs();
    const [time, json, body] = listIn(await redis.run(() => READ(redis.client, recordKeys(job))));
    const now = Number(time) + offsetMs;
    const stored = storedIn(json, body);
    const isLive = Number(stored['expires_at'] ?? 0) > now;
    try {
      return { live: isLive ? parseRecordFields(stored) : undefined, now, stored };
    } catch (error) {
      if (!damagedIsNone || !(error instanceof DamagedError)) throw error;
      return { live: undefined, now, stored };
    }
  }

  /** Writes the next record. @returns false without a write if the record has changed */
  protected async write(job: JobIdentity, found: Found, next: JobRecord): Promise<boolean> {
    const redis = this.redis;
    const { live, now, stored } = found;
    const isClaim = next.lease !== undefined && next.lease.fencingToken !== live?.lease?.fencingToken;
    const isNewWork = isClaim || (next.state === 'pending' && live?.state !== 'pending');
    // Only claims and ends decide on progress, so that an owner may save it meanwhile.
    const decides = isClaim || next.state === 'finished' ? 'progress' : 'every';
    const compared = ['sent', ...DECISIVE_FIELDS[decides]];
    const fields = toRecordFields(next);
    const before: StoredHash = live === undefined ? {} : stored;
    const changed = Object.entries(fields).filter(([name, value]) => String(value) !== before[name]);
    const known =
      live === undefined ? [] : ['appended_at', 'sent', ...FIELDS_OF_020, ...Object.keys(toRecordFields(live))];
    const gone = known.filter((name) => !(name in fields));
    const removed = live === undefined ? 'record' : isHandled(next) ? 'items' : '';
    const lists = [compared, compared.map((name) => stored[name] ?? ''), changed.flat(), gone];
    const args = [next.expiresAt - now, removed, ...lists.flatMap((list) => [list.length, ...list])];
    const script = isNewWork ? WRITE_NEW_WORK : WRITE;
    const reply = await redis.run(() => script(redis.client, recordKeys(job), ...args));
    if (reply === null) return false;
    redis.written();
    return true;
  }

  protected transact(
    job: JobIdentity,
    step: (...found: [...Parameters<Step>, stored: StoredHash]) => Transition,
    {
      damagedIsNone = false,
      until,
    }: { readonly damagedIsNone?: boolean; readonly until?: Promise<unknown> | undefined } = {},
  ): Promise<Transacted> {
    return retriedOnConflict(async () => {
      const [found] = await Promise.all([this.find(job, damagedIsNone), until]);
      const next = step(found.live, found.now, found.stored);
      if (next !== undefined && !(await this.write(job, found, next))) return undefined;
      return { live: found.live, next };
    });
  }

  /** Returns the outcomes of a record's items, even if it has expired. */
  protected async items(job: JobIdentity): Promise<readonly ItemOutcome[]> {
    const texts = await this.redis.run(() => this.redis.client.lrange(recordKeys(job)[1], 0, -1));
    return texts.map((text) => parseItemOutcome(JSON.parse(text)));
  }
}

export function recordKeys(job: JobIdentity): [record: string, items: string] {
  const key = jobRecordKey(job);
  return [key, `${key}:items`];
}

/** Repeats a decision as long as other processes change the record between its read and its write. */
export async function retriedOnConflict<T>(decide: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const made = await decide();
    if (made !== undefined) return made;
  }
  throw new ServiceUnavailableError('Redis', `A record has changed ${MAX_TRIES} times meanwhile.`);
}

function storedIn(json: unknown, body: unknown): StoredHash {
  const fields: unknown = typeof json === 'string' ? JSON.parse(json) : undefined;
  if (!isObject(fields)) throw new DamagedError('Redis answered with no record.');
  // A copy with one more property would take V8 as long again as the parsing.
  if (typeof body === 'string') Reflect.set(fields, 'callback_result_body', body);
  return fields as StoredHash; // values of a hash are texts
}

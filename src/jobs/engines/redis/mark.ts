import { randomUUID } from 'node:crypto';
import { ServiceUnavailableError } from '../../../base/errors.js';
import type { Logger } from '../../../base/logging/logger.js';
import { mayForget } from './check.js';
import type { RedisConnection } from './connection.js';
import { OVER_020 } from '../../record/stored-fields.js';
import { orgKeys, ORGANISATIONS } from './organisation-scripts.js';
import { ALLOW_OOM, KEY_PREFIX, listIn, scriptOf } from './script.js';

/** Key of the mark, in the slot of the queue. */
export const MARK = `${KEY_PREFIX}:mark`;

/** Interval at which each program moves the mark, and time by which the mark of a replica may be behind. */
export const MARK_EVERY_MS = 60_000;

/**
 * Moves the time of the mark, which never goes back. ARGV: the id and time that the program has seen, empty at its
 * start, and an id for a new mark. The mark names the one before it, so that one program alone tells a loss. Returns
 * id and time of the mark, and the fault: `missing`, `foreign`, `behind` or nothing.
 */
const MOVE = scriptOf(`${ALLOW_OOM}
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local id, at, before = unpack(redis.call('HMGET', KEYS[1], 'id', 'at', 'before'))
local seen, wrong = ARGV[1], ''
if not id then
  if seen ~= '' then wrong = 'missing' end
elseif seen ~= '' and id ~= seen and before ~= seen then wrong = 'foreign'
elseif id == seen and tonumber(at) < ARGV[2] - ${MARK_EVERY_MS} then wrong = 'behind' end
local isNew = not id or wrong == 'behind'
if isNew then id, at = ARGV[3], 0 end
if isNew or wrong == 'foreign' then redis.call('HSET', KEYS[1], 'id', id, 'before', seen) end
at = string.format('%d', math.max(now, tonumber(at)))
redis.call('HSET', KEYS[1], 'at', at)
return {id, at, wrong}
`);

/** Returns a line for jobs that 0.1.0 wrote last: it leaves no mark, and its index has no ends. */
export async function formerJobs(redis: RedisConnection): Promise<readonly string[]> {
  const { client } = redis;
  const isThere = async (key: string): Promise<boolean> => (await client.exists(key)) === 1;
  return redis.run(async () => {
    if (await isThere(MARK)) return [];
    for (const tag of await client.zrange(ORGANISATIONS, '0', '99')) {
      const { index, ends } = orgKeys(tag);
      if ((await isThere(index)) && !(await isThere(ends))) return [`Redis has jobs of 0.1.0. ${OVER_020}`];
    }
    return [];
  });
}

/**
 * Check of a mark in Redis, which shows that Redis has lost what it acknowledged: it was emptied, or put back to an
 * earlier state.
 */
export class MarkCheck {
  readonly #redis: RedisConnection;
  readonly #logger: Logger;
  #seen: readonly [id: string, at: string] = ['', '0'];
  #told = '';

  constructor(redis: RedisConnection, logger: Logger) {
    this.#redis = redis;
    this.#logger = logger;
  }

  /** Id of the mark that was seen last; undefined before the first. */
  get seen(): string | undefined {
    return this.#seen[0] || undefined;
  }

  /**
   * Checks and moves the mark; never rejects. Logs a loss since the last call, and settings with which Redis may lose
   * more. The first call of a program tells a loss only if the mark is missing and is expected.
   */
  async look(isExpected = false): Promise<void> {
    try {
      await this.#moveMark(isExpected);
      await this.#tellSettings();
    } catch (error) {
      // The connection has logged an unreachable Redis.
      if (!(error instanceof ServiceUnavailableError)) this.#logger.event('store.mark_unknown', { err: error });
    }
  }

  async #moveMark(isExpected: boolean): Promise<void> {
    const ifNew = randomUUID();
    const reply = await this.#redis.run(() => MOVE(this.#redis.client, [MARK], ...this.#seen, ifNew));
    const [id = '', at = '0', wrong = ''] = listIn(reply).map(String);
    const [before, seenAt] = this.#seen;
    this.#seen = [id, at];
    if (wrong !== '') this.#logger.event('store.forgot', { mark: wrong, seenAt: new Date(Number(seenAt)) });
    else if (before === '' && id === ifNew && isExpected) this.#logger.event('store.forgot', { mark: 'missing' });
  }

  async #tellSettings(): Promise<void> {
    const fault = await mayForget(this.#redis);
    if (fault !== '' && fault !== this.#told) this.#logger.event('store.may_forget', { fault });
    this.#told = fault;
  }
}

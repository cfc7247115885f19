import { createHash } from 'node:crypto';
import { describeError } from '../../errors.js';
import type { RedisClient } from './clients.js';

/**
 * Prefix of all keys of the queue as a whole: BullMQ's own, the index of unfinished jobs, the lease of the sweep, and
 * the organisations that have work. In Redis Cluster the braces keep them all in one slot. Keys of records are made in
 * `job-record/job-record.ts`, those of an organisation in `organisation-counts.ts`.
 */
export const KEY_PREFIX = '{gateway}';

/*
 * Flags in the first line make Redis refuse a script before it starts, never in the middle. Without free memory only
 * new work is refused: running jobs may still save progress and end.
 */
export const READS = '#!lua flags=no-writes\n';
export const TAKES_ON_WORK = '#!lua\n';
export const GOES_ON = '#!lua flags=allow-oom\n';

/** Lua code that sets `now` to the server's time, ARGV[1] milliseconds later. */
export const CLOCK = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000) + ARGV[1]
-- Lua would write large numbers with an exponent.
local function integer(value) return string.format('%d', value) end
`;

/** Runs a script on keys of one slot. */
export type Script = (client: RedisClient, keys: readonly string[], ...args: (string | number)[]) => Promise<unknown>;

/** Creates a script, which is called by its hash, and sent if that is unknown. */
export function scriptOf(lua: string): Script {
  const hash = createHash('sha1').update(lua).digest('hex');
  return async (client, keys, ...args) => {
    try {
      return await client.evalsha(hash, keys.length, ...keys, ...args);
    } catch (error) {
      // The script did not run.
      if (!describeError(error).startsWith('NOSCRIPT')) throw error;
      return client.eval(lua, keys.length, ...keys, ...args);
    }
  };
}

/** Returns a list reply; an empty list for any other. */
export function listIn(reply: unknown): readonly unknown[] {
  return Array.isArray(reply) ? (reply as readonly unknown[]) : [];
}

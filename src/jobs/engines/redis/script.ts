import { createHash } from 'node:crypto';
import { describeError } from '../../../base/errors.js';
import type { RedisClient } from './clients.js';

/**
 * Prefix of all keys of the queue as a whole: those of BullMQ, the index of unfinished jobs, the lease of the sweep,
 * and the organisations that have work. The braces keep them in one slot of a Redis Cluster. Records, and the jobs of
 * each organisation, have keys of their own.
 */
export const KEY_PREFIX = '{gateway}';

/*
 * With a flag in the first line, Redis refuses a script before it starts, never in the middle. A Redis without free
 * memory refuses only new work; running jobs may still save progress and end.
 */
export const NO_WRITES = '#!lua flags=no-writes\n';
export const DENY_OOM = '#!lua\n';
export const ALLOW_OOM = '#!lua flags=allow-oom\n';

/** Lua code that sets `now` to the server's time, ARGV[1] milliseconds later. */
export const CLOCK = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000) + ARGV[1]
-- Lua would write large numbers with an exponent.
local function integer(value) return string.format('%d', value) end
`;

/** Runs a script on keys of one slot. */
export type Script = (client: RedisClient, keys: readonly string[], ...args: (string | number)[]) => Promise<unknown>;

/** Creates a script. It is called by its hash, and its text is sent if Redis does not know the hash. */
export function scriptOf(lua: string): Script {
  const hash = createHash('sha1').update(lua).digest('hex');
  return async (client, keys, ...args) => {
    try {
      return await client.evalsha(hash, keys.length, ...keys, ...args);
    } catch (error) {
      // This error says that the script did not run.
      if (!describeError(error).startsWith('NOSCRIPT')) throw error;
      return client.eval(lua, keys.length, ...keys, ...args);
    }
  };
}

/** Returns a list reply; an empty list for any other. */
export function listIn(reply: unknown): readonly unknown[] {
  return Array.isArray(reply) ? (reply as readonly unknown[]) : [];
}

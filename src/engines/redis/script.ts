import { createHash } from 'node:crypto';
import { describeError } from '../../errors.js';
import type { RedisClient } from './clients.js';

/*
 * The flags in the first line of a script make Redis refuse it before it starts, never in the middle. When memory has
 * run out, only new work is refused: whoever has a job may still note progress and end it.
 */
export const READS = '#!lua flags=no-writes\n';
export const TAKES_ON_WORK = '#!lua\n';
export const GOES_ON = '#!lua flags=allow-oom\n';

/** The server's time, ARGV[1] milliseconds later, as `now`. */
export const CLOCK = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000) + ARGV[1]
-- Lua would write large numbers with an exponent.
local function integer(value) return string.format('%d', value) end
`;

/** Runs a script on keys of one slot. */
export type Script = (client: RedisClient, keys: readonly string[], ...args: (string | number)[]) => Promise<unknown>;

/** A script, which is called by its hash, and sent where that is not known. */
export function scriptOf(lua: string): Script {
  const hash = createHash('sha1').update(lua).digest('hex');
  return async (client, keys, ...args) => {
    try {
      return await client.evalsha(hash, keys.length, ...keys, ...args);
    } catch (error) {
      // Nothing was run.
      if (!describeError(error).startsWith('NOSCRIPT')) throw error;
      return client.eval(lua, keys.length, ...keys, ...args);
    }
  };
}

/** A reply that is a list; of anything else, an empty one. */
export function listIn(reply: unknown): readonly unknown[] {
  return Array.isArray(reply) ? (reply as readonly unknown[]) : [];
}

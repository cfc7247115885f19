/*
 * The right to sweep as Lua scripts (see `sweep-lease.ts`). KEYS[1] is the lease, ARGV[1] whose it is.
 */

/** Takes the lease, or prolongs it. ARGV: whose, and for how many milliseconds. Returns 1, or 0. */
export const HOLD = `#!lua
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`;

/** Gives the lease back, if it is that of ARGV[1]. */
export const RELEASE = `#!lua
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
`;

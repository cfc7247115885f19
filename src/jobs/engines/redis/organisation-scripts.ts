import { CLOCK, ALLOW_OOM, KEY_PREFIX, scriptOf, DENY_OOM } from './script.js';

/** Key of the organisations that may have work, by the time when this was last noted, in the slot of the queue. */
export const ORGANISATIONS = `${KEY_PREFIX}:organisations`;

/**
 * Returns the keys of an organisation: all jobs by creation time, with their orderers and the ends of their records;
 * open jobs by opening time, with their bytes; running jobs by claim time, and by lease end. They share a slot of a
 * Cluster, which differs from the slots of the records. Servers of a Cluster have separate clocks, so all times of an
 * organisation come from its own slot.
 */
export function orgKeys(tag: string) {
  const index = `jobs:{${tag}}`;
  const [open, sizes, running, leases] = [`${index}:open`, `${index}:sizes`, `${index}:running`, `${index}:leases`];
  return { index, orderers: `${index}:orderers`, ends: `${index}:ends`, open, sizes, running, leases };
}

/** Lua function that keeps keys for at least as long as the record, or the lease, that was just written to them. */
const KEEP = `
local function keep(ms, ...)
  for _, key in ipairs({...}) do
    if redis.call('PTTL', key) < tonumber(ms) then redis.call('PEXPIRE', key, ms) end
  end
end
`;

/** Beginning of the scripts of an organisation. KEYS: those of `orgKeys`. ARGV begins with the offset and a job. */
const OF_ORGANISATION = `${CLOCK}${KEEP}
local index, orderers, ends, open, sizes, running, leases = unpack(KEYS)
local job = ARGV[2]
-- Keeps the entry of the job in the index for as long as its record from now on.
local function prolong(ms)
  redis.call('ZADD', ends, 'XX', 'GT', integer(now + ms), job)
  keep(ms, index, orderers, ends)
end
`;

/** Drops jobs with expired leases from the running ones. */
const RUNNING = `${OF_ORGANISATION}
for _, expired in ipairs(redis.call('ZRANGEBYSCORE', leases, '-inf', integer(now))) do
  redis.call('ZREM', running, expired)
  redis.call('ZREM', leases, expired)
end
`;

/**
 * Opens a job. ARGV: bytes, time for which to keep it. Returns the time, whether the job was open before, the number of
 * other open jobs, and their bytes.
 */
export const OPEN = scriptOf(`${DENY_OOM}${OF_ORGANISATION}
local was_open = redis.call('ZSCORE', open, job) and 1 or 0
local jobs, bytes = redis.call('ZCARD', open) - was_open, 0
redis.call('HDEL', sizes, job)
for _, size in ipairs(redis.call('HVALS', sizes)) do bytes = bytes + size end
redis.call('ZADD', open, 'NX', integer(now), job)
redis.call('HSET', sizes, job, ARGV[3])
keep(ARGV[4], open, sizes)
return {now, was_open, jobs, bytes}
`);

/**
 * Counts a job as running. Leases that end later than this one were written by a wrong clock, and end like it. ARGV:
 * lease, life of its record. Returns the time, whether it ran before, and the number of other running jobs.
 */
export const RUN = scriptOf(`${ALLOW_OOM}${RUNNING}
local ran = redis.call('ZSCORE', running, job) and 1 or 0
local others = redis.call('ZCARD', running) - ran
local lease_end = integer(now + ARGV[3])
for _, late in ipairs(redis.call('ZRANGEBYSCORE', leases, '(' .. lease_end, '+inf')) do
  redis.call('ZADD', leases, lease_end, late)
end
redis.call('ZADD', running, 'NX', integer(now), job)
redis.call('ZADD', leases, lease_end, job)
keep(ARGV[3], running, leases)
prolong(ARGV[4])
return {now, ran, others}
`);

/**
 * Stops counting a job as running and, if it has ended, as open. ARGV: whether it has ended, time for which its record
 * is kept from now on or 0. Returns the time, and the remaining number of open and running jobs.
 */
export const LEAVE = scriptOf(`${ALLOW_OOM}${OF_ORGANISATION}
redis.call('ZREM', running, job)
redis.call('ZREM', leases, job)
if ARGV[3] == '1' then
  redis.call('ZREM', open, job)
  redis.call('HDEL', sizes, job)
end
if ARGV[4] ~= '0' then prolong(ARGV[4]) end
return {now, redis.call('ZCARD', running) + redis.call('ZCARD', open)}
`);

/**
 * Reads the load of an organisation. Returns the time, the number of open jobs, of those that do not run, and of those
 * older than the job; and the running jobs in the order of their claims.
 */
export const LOOK = scriptOf(`${ALLOW_OOM}${RUNNING}
local jobs = redis.call('ZCARD', open)
local waiting = jobs - redis.call('ZINTERCARD', 2, running, open)
return {now, jobs, waiting, redis.call('ZRANK', open, job) or 0, redis.call('ZRANGE', running, 0, -1)}
`);

/**
 * Adds a job to the index, unless it is there, and removes those whose records have expired. Entries of 0.1.0 have no
 * end, and get one. ARGV: creation time, orderer or empty text, time for which its record is kept.
 */
export const INDEX = scriptOf(`${DENY_OOM}${OF_ORGANISATION}
local first = redis.call('ZRANGE', index, 0, 9, 'WITHSCORES')
for at = 1, #first, 2 do
  redis.call('ZADD', ends, 'NX', integer(first[at + 1] + ARGV[5]), first[at])
end
local old = redis.call('ZRANGEBYSCORE', ends, '-inf', ARGV[3], 'LIMIT', 0, 1000)
if #old > 0 then
  redis.call('ZREM', index, unpack(old))
  redis.call('HDEL', orderers, unpack(old))
  redis.call('ZREM', ends, unpack(old))
end
redis.call('ZADD', index, 'NX', ARGV[3], job)
if ARGV[4] ~= '' then redis.call('HSET', orderers, job, ARGV[4]) end
redis.call('ZADD', ends, 'GT', integer(ARGV[3] + ARGV[5]), job)
keep(ARGV[5], index, orderers, ends)
`);

/** Notes that an organisation has work. KEYS: organisations. ARGV: time, organisation, time for which to keep it. */
export const HAS_WORK = scriptOf(`${ALLOW_OOM}${KEEP}
redis.call('ZADD', KEYS[1], 'GT', ARGV[1], ARGV[2])
keep(ARGV[3], KEYS[1])
`);

/** Drops an organisation, unless its work was noted again since. KEYS: organisations. ARGV: time, organisation. */
export const HAS_NONE = scriptOf(`${ALLOW_OOM}
local noted = redis.call('ZSCORE', KEYS[1], ARGV[2])
if noted and tonumber(noted) <= tonumber(ARGV[1]) then redis.call('ZREM', KEYS[1], ARGV[2]) end
`);

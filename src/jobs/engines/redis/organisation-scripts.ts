import { ORDER_MINUTE_MS, UNKNOWN_BYTES } from '../../record/organisation-jobs.js';
import { CLOCK, ALLOW_OOM, KEY_PREFIX, scriptOf, DENY_OOM } from './script.js';

/** Key of the organisations that may have work, by the time when this was last noted, in the slot of the queue. */
export const ORGANISATIONS = `${KEY_PREFIX}:organisations`;

/**
 * Returns the keys of an organisation: all jobs by creation time, with their orderers and the ends of their records;
 * open jobs by opening time, with their bytes; running jobs by claim time, and by lease end; the bytes of the jobs in
 * the index, with their sums; and the items that were ordered in the minute that began last. They share a slot of a
 * Cluster, which differs from the slots of the records. Servers of a Cluster have separate clocks, so all times of an
 * organisation come from its own slot.
 */
export function orgKeys(tag: string) {
  const index = `jobs:{${tag}}`;
  const [open, sizes, running, leases] = [`${index}:open`, `${index}:sizes`, `${index}:running`, `${index}:leases`];
  const [bytes, kept, minute] = [`${index}:bytes`, `${index}:kept`, `${index}:minute`];
  return {
    index,
    orderers: `${index}:orderers`,
    ends: `${index}:ends`,
    open,
    sizes,
    running,
    leases,
    bytes,
    kept,
    minute,
  };
}

/** Returns the field of a user in the sums of an organisation, beside `all`. */
export function userFieldOf(orderer = ''): string {
  return `u:${orderer}`;
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
local index, orderers, ends, open, sizes, running, leases, bytes, kept, minute = unpack(KEYS)
local job = ARGV[2]
-- Keeps the entry of the job in the index for as long as its record from now on.
local function prolong(ms)
  redis.call('ZADD', ends, 'XX', 'GT', integer(now + ms), job)
  keep(ms, index, orderers, ends, bytes, kept)
end
-- Adds bytes to the sums of the organisation and of the user who ordered a job.
local function add(member, more)
  local user = 'u:' .. (redis.call('HGET', orderers, member) or '')
  redis.call('HINCRBY', kept, 'all', more)
  if redis.call('HINCRBY', kept, user, more) <= 0 then redis.call('HDEL', kept, user) end
end
-- Sets the bytes of a job in the index.
local function weigh(member, size)
  add(member, size - (redis.call('HGET', bytes, member) or 0))
  redis.call('HSET', bytes, member, size)
end
-- Removes a job from the index.
local function unlist(member)
  local size = redis.call('HGET', bytes, member)
  if size then add(member, -size) end
  redis.call('HDEL', bytes, member)
  redis.call('ZREM', index, member)
  redis.call('HDEL', orderers, member)
  redis.call('ZREM', ends, member)
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
 * Opens a job, after removing those from the index whose records have expired. ARGV: bytes, time for which to keep it,
 * field of its user in sums, items or 0 if they are not counted. Returns the time, and whether the job was open before;
 * without the job, the number of open jobs and their bytes; the bytes of the jobs in the index, those of the user, and
 * the end of the first; the items of this minute, those of the user, and the time that is left of the minute; and the
 * number of other users with jobs in the index. Entries of 0.1.0 have no end, and get one. Those of 0.2.0 have no
 * bytes, and it removes entries without their bytes; the sums are then made anew.
 */
export const OPEN = scriptOf(`${DENY_OOM}${OF_ORGANISATION}
local oldest = redis.call('ZRANGE', index, 0, 9, 'WITHSCORES')
for at = 1, #oldest, 2 do
  redis.call('ZADD', ends, 'NX', integer(oldest[at + 1] + ARGV[4]), oldest[at])
end
for _, old in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', integer(now), 'LIMIT', 0, 200)) do unlist(old) end
local unknown = redis.call('ZCARD', index) - redis.call('HLEN', bytes)
if unknown < 0 then
  redis.call('DEL', kept)
  local sizes_of = redis.call('HGETALL', bytes)
  for at = 1, #sizes_of, 2 do
    local member = sizes_of[at]
    if redis.call('ZSCORE', index, member) then add(member, sizes_of[at + 1]) else redis.call('HDEL', bytes, member) end
  end
end
local function sum(key, field) return tonumber(redis.call('HGET', key, field) or 0) end
local user, first = ARGV[5], redis.call('ZRANGE', ends, 0, 0, 'WITHSCORES')
local others = redis.call('HLEN', kept) - redis.call('HEXISTS', kept, 'all') - redis.call('HEXISTS', kept, user)
local load = {
  sum(kept, 'all') + math.max(unknown, 0) * ${UNKNOWN_BYTES}, sum(kept, user), (tonumber(first[2]) or now) - now,
}
local was_open = redis.call('ZSCORE', open, job) and 1 or 0
local jobs, open_bytes = redis.call('ZCARD', open) - was_open, 0
redis.call('HDEL', sizes, job)
for _, size in ipairs(redis.call('HVALS', sizes)) do open_bytes = open_bytes + size end
redis.call('ZADD', open, 'NX', integer(now), job)
redis.call('HSET', sizes, job, ARGV[3])
keep(ARGV[4], open, sizes)
local since = sum(minute, 'since')
if since > now or now - since >= ${ORDER_MINUTE_MS} then
  redis.call('DEL', minute)
  since = now
end
local ordered = {sum(minute, 'all'), sum(minute, user), since + ${ORDER_MINUTE_MS} - now}
if was_open == 0 and ARGV[6] ~= '0' then
  redis.call('HSET', minute, 'since', integer(since))
  for _, field in ipairs({'all', user}) do redis.call('HINCRBY', minute, field, ARGV[6]) end
  redis.call('PEXPIRE', minute, ${ORDER_MINUTE_MS})
end
return {now, was_open, jobs, open_bytes, load[1], load[2], load[3], ordered[1], ordered[2], ordered[3], others}
`);

/** Takes back an order that was refused. ARGV: field of its user in sums, items. */
export const TAKE_BACK = scriptOf(`${ALLOW_OOM}${OF_ORGANISATION}
redis.call('ZREM', open, job)
redis.call('HDEL', sizes, job)
for _, field in ipairs({'all', ARGV[3]}) do
  local items = tonumber(redis.call('HGET', minute, field) or 0)
  if items >= tonumber(ARGV[4]) then redis.call('HINCRBY', minute, field, -ARGV[4]) end
end
`);

/**
 * Counts a job as running. Leases that end later than this one were written by a wrong clock, and end like it. ARGV:
 * lease, life of its record. Returns the time, whether it ran before, the number of other running jobs, and whether it
 * is open.
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
return {now, ran, others, redis.call('ZSCORE', open, job) and 1 or 0}
`);

/**
 * Stops counting a job as running and, if it has ended, as open. ARGV: whether it has ended, time for which its record
 * is kept from now on or 0, and bytes of the record or 0. Returns the time, and the remaining number of open and
 * running jobs.
 */
export const LEAVE = scriptOf(`${ALLOW_OOM}${OF_ORGANISATION}
redis.call('ZREM', running, job)
redis.call('ZREM', leases, job)
if ARGV[3] == '1' then
  redis.call('ZREM', open, job)
  redis.call('HDEL', sizes, job)
end
if ARGV[4] ~= '0' then prolong(ARGV[4]) end
if ARGV[5] ~= '0' and redis.call('ZSCORE', index, job) then weigh(job, ARGV[5]) end
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
 * Adds a job to the index, unless it is there. ARGV: creation time, orderer or empty text, time for which its record is
 * kept.
 */
export const INDEX = scriptOf(`${DENY_OOM}${OF_ORGANISATION}
redis.call('ZADD', index, 'NX', ARGV[3], job)
if ARGV[4] ~= '' then redis.call('HSET', orderers, job, ARGV[4]) end
redis.call('ZADD', ends, 'GT', integer(ARGV[3] + ARGV[5]), job)
if redis.call('HEXISTS', bytes, job) == 0 then weigh(job, ${UNKNOWN_BYTES}) end
keep(ARGV[5], index, orderers, ends, bytes, kept)
`);

export const UNLIST = scriptOf(`${ALLOW_OOM}${OF_ORGANISATION}
unlist(job)
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

/*
 * What each organisation has under way, as Lua scripts. The keys of one organisation share a slot of a Cluster, and lie
 * in another one than its records; `organisation-jobs.ts` says what keeps the two in step.
 * ARGV[1] is milliseconds added to the server's time, except where nothing but a time that was returned counts: servers
 * of a Cluster have clocks of their own, and what is compared for an organisation comes from that of its own slot.
 */

const READS = '#!lua flags=no-writes';
const TAKES_ON_WORK = '#!lua';
const GOES_ON = '#!lua flags=allow-oom';

const CLOCK = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000) + ARGV[1]
-- Lua would write large numbers with an exponent.
local function integer(value) return string.format('%d', value) end
`;

/** Forgets jobs whose lease ran out. Keys: running jobs by the time of their claim, and by the end of their lease. */
const forgetCrashed = (running: string, leases: string): string => `
local gone = redis.call('ZRANGEBYSCORE', ${leases}, '-inf', integer(now))
for _, member in ipairs(gone) do
  redis.call('ZREM', ${running}, member)
  redis.call('ZREM', ${leases}, member)
end
`;

/**
 * Opens a job, or keeps it open. KEYS: open, sizes. ARGV: offset, job, bytes, limit of jobs, limit of bytes (-1 for
 * none), retention. Returns the time, or 0 when a limit is reached.
 */
export const OPEN = `${TAKES_ON_WORK}${CLOCK}
local job, bytes, max_jobs, max_bytes = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
if not redis.call('ZSCORE', KEYS[1], job) then
  if max_jobs >= 0 and redis.call('ZCARD', KEYS[1]) >= max_jobs then return 0 end
  if max_bytes >= 0 then
    local sum = bytes
    for _, size in ipairs(redis.call('HVALS', KEYS[2])) do sum = sum + tonumber(size) end
    if sum > max_bytes then return 0 end
  end
end
redis.call('ZADD', KEYS[1], 'NX', integer(now), job)
redis.call('HSET', KEYS[2], job, integer(bytes))
redis.call('PEXPIRE', KEYS[1], ARGV[6])
redis.call('PEXPIRE', KEYS[2], ARGV[6])
return now
`;

/**
 * Notes a job in the index, and forgets what is older than a record. KEYS: index. ARGV: offset, job, time, retention.
 */
export const INDEX = `${TAKES_ON_WORK}${CLOCK}
redis.call('ZADD', KEYS[1], 'NX', ARGV[3], ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', integer(now - ARGV[4]))
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
`;

/**
 * Lets a job run. KEYS: running, leases. ARGV: offset, job, lease, limit (-1 for none), retention. Returns 'taken',
 * 'held' when it runs already, or 'full', and the time.
 */
export const RUN = `${GOES_ON}${CLOCK}${forgetCrashed('KEYS[1]', 'KEYS[2]')}
local job, max = ARGV[2], tonumber(ARGV[4])
local held = redis.call('ZSCORE', KEYS[1], job)
if not held then
  if max >= 0 and redis.call('ZCARD', KEYS[1]) >= max then return {'full', now} end
  redis.call('ZADD', KEYS[1], integer(now), job)
end
redis.call('ZADD', KEYS[2], integer(now + ARGV[3]), job)
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('PEXPIRE', KEYS[2], ARGV[5])
return {held and 'held' or 'taken', now}
`;

/**
 * A job does not run any more, and, if it has ended, is not open either. KEYS: running, leases, open, sizes. ARGV:
 * offset, job, whether it has ended. Returns how many open and running jobs are left, and the time.
 */
export const LEAVE = `${GOES_ON}${CLOCK}
redis.call('ZREM', KEYS[1], ARGV[2])
redis.call('ZREM', KEYS[2], ARGV[2])
if ARGV[3] == '1' then
  redis.call('ZREM', KEYS[3], ARGV[2])
  redis.call('HDEL', KEYS[4], ARGV[2])
end
return {redis.call('ZCARD', KEYS[1]) + redis.call('ZCARD', KEYS[3]), now}
`;

/**
 * What an organisation has under way. KEYS: running, leases, open. ARGV: offset, job. Returns how many jobs run, how
 * many are open, how many of these wait, how many were opened before the job, and the time.
 */
export const LOOK = `${GOES_ON}${CLOCK}${forgetCrashed('KEYS[1]', 'KEYS[2]')}
local running, open = redis.call('ZCARD', KEYS[1]), redis.call('ZCARD', KEYS[3])
local waiting = open - redis.call('ZINTERCARD', 2, KEYS[1], KEYS[3])
return {running, open, waiting, redis.call('ZRANK', KEYS[3], ARGV[2]) or 0, now}
`;

/** Running jobs beyond a limit, those claimed last. KEYS: running, leases. ARGV: offset, limit. */
export const SURPLUS = `${GOES_ON}${CLOCK}${forgetCrashed('KEYS[1]', 'KEYS[2]')}
return redis.call('ZRANGE', KEYS[1], ARGV[2], -1)
`;

/** Open jobs and when they were opened, behind the time. KEYS: open. ARGV: offset. */
export const OPEN_JOBS = `${READS}${CLOCK}
return {now, redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')}
`;

/** Notes that an organisation has work. KEYS: organisations. ARGV: time, organisation, retention. */
export const HAS_WORK = `${GOES_ON}
redis.call('ZADD', KEYS[1], 'GT', ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
`;

/** Forgets that one has work, unless that was noted again since. KEYS: organisations. ARGV: 0, organisation, time. */
export const HAS_NONE = `${GOES_ON}
local noted = redis.call('ZSCORE', KEYS[1], ARGV[2])
if noted and tonumber(noted) <= tonumber(ARGV[3]) then redis.call('ZREM', KEYS[1], ARGV[2]) end
return 1
`;

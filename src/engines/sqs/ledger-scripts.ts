/*
 * What is noted of each message, as Lua scripts (see `ledger.ts`). Each is one atomic step.
 *
 * KEYS: the job's entry; sorted sets of all jobs: those in the queue by when they were accepted, those in the hand of a
 * consumer by when it loses them, those that were put off by when they come again, the dead letters by when they died.
 * ARGV[1] is the job; times are milliseconds, and the clock is the server's.
 */

const PREAMBLE = `#!lua
local entry, queued, held, delayed, dead = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local job = ARGV[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function number(field) return tonumber(redis.call('HGET', entry, field) or '0') end
local function leave(...)
  for _, set in ipairs({...}) do redis.call('ZREM', set, job) end
end
`;

/**
 * Lets one of all who want to send a message of the job do so. ARGV: how long it may take, and 1 where only a dead
 * letter is sent. Returns the generation it has then, 0 when there is nothing to send; then what the dead letter is.
 */
export const BEGIN_SENDING = `${PREAMBLE}
local died = redis.call('ZSCORE', dead, job)
if not died then
  if ARGV[3] == '1' then return {0} end
  local known = redis.call('EXISTS', entry) == 1 and redis.call('HGET', entry, 'done') ~= 'withdrawn'
  if known and redis.call('HEXISTS', entry, 'sending') == 0 then return {0} end
end
if number('sending') > now then return {0} end
redis.call('HSET', entry, 'sending', now + ARGV[2])
if not died then redis.call('PEXPIRE', entry, 2 * ARGV[2]) end
return {number('generation') + 1, redis.call('HGET', entry, 'body') or ''}
`;

/** A message of the job was sent. ARGV: its generation, when the job was accepted, how long the queue keeps it. */
export const SENT = `${PREAMBLE}
redis.call('HDEL', entry, 'sending')
-- A consumer may have been faster.
if number('generation') >= tonumber(ARGV[2]) then return 0 end
redis.call('DEL', entry)
redis.call('HSET', entry, 'generation', ARGV[2], 'attempts', 0, 'seen', now)
redis.call('PEXPIRE', entry, ARGV[4])
leave(held, delayed, dead)
redis.call('ZADD', queued, ARGV[3], job)
return 1
`;

/**
 * A message of the job could not be sent. If it is on its way nevertheless, nobody is to take it: somebody has been
 * told that there is none. ARGV: its generation, and for how long it may still come.
 */
export const NOT_SENT = `${PREAMBLE}
redis.call('HDEL', entry, 'sending')
if redis.call('ZSCORE', dead, job) or number('generation') >= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', entry, 'generation', ARGV[2], 'done', 'withdrawn')
redis.call('PEXPIRE', entry, ARGV[3])
return 1
`;

/**
 * A consumer takes a message into its hand. ARGV: its generation, attempts it had used up when it was sent, when its
 * job was accepted, 1 where it was moved back from the dead letters, for how long, by whom, how long it is remembered.
 * Returns what it is, and the attempt, or for how long it is to be left alone.
 */
export const TAKE = `${PREAMBLE}
local generation, known = tonumber(ARGV[2]), number('generation')
if generation < known then return {'stale', 0} end
if generation > known then
  redis.call('HDEL', entry, 'attempts', 'done', 'reason', 'body', 'sending', 'holder')
  leave(held, delayed, dead)
elseif redis.call('HEXISTS', entry, 'done') == 1 then
  return {'stale', 0}
elseif redis.call('ZSCORE', dead, job) then
  if ARGV[5] ~= '1' then return {'dead', 0} end
  redis.call('HDEL', entry, 'attempts', 'reason', 'body')
  leave(dead)
end
local heldUntil = tonumber(redis.call('ZSCORE', held, job) or '0')
if heldUntil > now then return {'held', heldUntil - now} end
local due = tonumber(redis.call('ZSCORE', delayed, job) or '0')
-- It waits in whole seconds.
if due > now + 1000 then return {'early', due - now} end
local attempt = math.max(number('attempts'), tonumber(ARGV[3])) + 1
redis.call('HSET', entry, 'generation', generation, 'attempts', attempt, 'seen', now, 'holder', ARGV[7])
redis.call('PEXPIRE', entry, ARGV[8])
redis.call('ZADD', queued, ARGV[4], job)
redis.call('ZADD', held, now + ARGV[6], job)
leave(delayed)
return {'taken', attempt}
`;

/** The consumer is still there. ARGV: who, and for how much longer. Returns 1, or 0 when it has lost the message. */
export const KEEP = `${PREAMBLE}
if redis.call('HGET', entry, 'holder') ~= ARGV[2] then return 0 end
redis.call('HSET', entry, 'seen', now)
redis.call('ZADD', held, now + ARGV[3], job)
return 1
`;

/** A message was put off. ARGV: by whom, for how long, and how many attempts it gets back. Returns as KEEP. */
export const PUT_OFF = `${PREAMBLE}
if redis.call('HGET', entry, 'holder') ~= ARGV[2] then return 0 end
redis.call('HSET', entry, 'attempts', math.max(number('attempts') - ARGV[4], 0), 'seen', now)
redis.call('HDEL', entry, 'holder')
leave(held)
redis.call('ZADD', delayed, now + ARGV[3], job)
return 1
`;

/** A job was handled. ARGV: the generation of its message, and how long that is remembered, for copies of it. */
export const DONE = `${PREAMBLE}
if number('generation') > tonumber(ARGV[2]) then return 0 end
leave(queued, held, delayed, dead)
redis.call('DEL', entry)
redis.call('HSET', entry, 'generation', ARGV[2], 'done', 1)
redis.call('PEXPIRE', entry, ARGV[3])
return 1
`;

/**
 * A message becomes a dead letter. ARGV: its generation, why, attempts, what it is, how long dead letters are kept, and
 * 1 where nobody may have it in hand. Returns 1, or 0 when it is left over or in a hand.
 */
export const DIE = `${PREAMBLE}
if number('generation') > tonumber(ARGV[2]) or redis.call('HEXISTS', entry, 'done') == 1 then return 0 end
if ARGV[7] == '1' and tonumber(redis.call('ZSCORE', held, job) or '0') > now then return 0 end
redis.call('DEL', entry)
redis.call('HSET', entry, 'generation', ARGV[2], 'reason', ARGV[3], 'attempts', ARGV[4], 'body', ARGV[5])
redis.call('PEXPIRE', entry, ARGV[6])
leave(queued, held, delayed)
redis.call('ZREMRANGEBYSCORE', dead, '-inf', now - ARGV[6])
redis.call('ZADD', dead, now, job)
return 1
`;

/** Forgets a job that is over, unless it is a dead letter. */
export const FORGET = `${PREAMBLE}
if redis.call('ZSCORE', dead, job) then return 0 end
leave(queued, held, delayed)
redis.call('DEL', entry)
return 1
`;

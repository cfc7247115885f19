import { FORMAT } from '../../job-record/format.js';
import { MAX_AHEAD_MS } from '../../job-record/job-store.js';

/*
 * The transitions of `job-record/transitions.ts` as Lua scripts. Each works on one record, KEYS[1], and the outcomes of
 * its items, KEYS[2]; both are in one slot of a Cluster. Time is the server's, so that clocks of owners do not matter.
 * ARGV[1] is always milliseconds added to that time. A refused transition writes nothing and returns 0.
 *
 * What a newer version wrote none of them touches: the error `NEWERFORMAT`, and the number, is all there is then.
 *
 * The flags in the first line make Redis refuse a script before it starts, never in the middle. When memory
 * has run out, only new work is refused: whoever has a job may still note progress and end it.
 */

const READS = '#!lua flags=no-writes';
const TAKES_ON_WORK = '#!lua';
const GOES_ON = '#!lua flags=allow-oom';

/** What every script goes on with. */
const RECORD = `
local key, items = KEYS[1], KEYS[2]
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000) + ARGV[1]

local function text(field) return redis.call('HGET', key, field) end
local function number(field) return tonumber(text(field) or 0) end
-- Lua would write large numbers with an exponent.
local function integer(value) return string.format('%d', value) end

-- A record that has expired counts as absent, whether Redis has removed it yet or not.
local present = number('expires_at') > now
local leased = present and number('lease_expires_at') > now
if present and number('format') > ${FORMAT} then return redis.error_reply('NEWERFORMAT ' .. text('format')) end

local function owned_by(token) return present and text('lease_token') == token end

-- What an owner learns whose write was accepted: 1, or 2 of a job that was cancelled.
local function hold() return 1 + redis.call('HEXISTS', key, 'cancelled_at') end

-- The record: its fields as JSON, and the reply, which may be long, apart. One text is read faster than forty.
local function record()
  local fields, body = {}, false
  local stored = redis.call('HGETALL', key)
  for i = 1, #stored, 2 do
    if stored[i] == 'callback_result_body' then body = stored[i + 1] else fields[stored[i]] = stored[i + 1] end
  end
  return {cjson.encode(fields), body}
end

local function keep_for(ms)
  redis.call('HSET', key, 'expires_at', integer(now + ms))
  redis.call('PEXPIRE', key, integer(ms))
  redis.call('PEXPIRE', items, integer(ms))
end

-- See job-record/fingerprint-key.ts.
local function kid_of(fingerprint) return string.match(fingerprint, '^([^.]*)%.') end
local function fingerprint_of_record()
  local kid, mac = text('fingerprint_kid'), text('fingerprint')
  return kid and kid .. '.' .. mac or mac
end

local function create(fingerprint, retention_ms, total, ordered_by)
  local kid = kid_of(fingerprint)
  redis.call('DEL', key, items)
  redis.call('HSET', key, 'completed', 0, 'state', 'pending', 'total', total, 'done', 0, 'format', ${FORMAT},
    'created_at', integer(now), 'attempt', 0, 'fingerprint', kid and string.sub(fingerprint, #kid + 2) or fingerprint,
    'retention_ms', retention_ms)
  if kid then redis.call('HSET', key, 'fingerprint_kid', kid) end
  if ordered_by and ordered_by ~= '' then redis.call('HSET', key, 'ordered_by', ordered_by) end
  keep_for(retention_ms)
end

local function drop_lease() redis.call('HDEL', key, 'lease_token', 'lease_expires_at') end
local function waits_no_more() redis.call('HDEL', key, 'waiting_reason', 'waiting_since') end

local function end_items(failed_items, warnings)
  redis.call('HDEL', key, 'checkpoint', 'appended_at')
  redis.call('DEL', items)
  if failed_items ~= '' then redis.call('HSET', key, 'failed_items', failed_items) end
  if warnings ~= '' then redis.call('HSET', key, 'warnings', warnings) end
end

local function end_with(status, body)
  drop_lease()
  waits_no_more()
  redis.call('HSET', key, 'completed', 1, 'state', 'finished', 'finished_at', integer(now),
    'callback_result_status', status, 'callback_result_body', body)
  keep_for(number('retention_ms'))
end
`;

/** Returns the record, and nothing when there is none. */
export const READ = `${READS}${RECORD}
return present and record()
`;

/** Returns the outcomes of the items as JSON texts, in their order. */
export const READ_ITEMS = `${READS}${RECORD}
if not present then return {} end
return redis.call('LRANGE', items, 0, -1)
`;

/**
 * ARGV: offset, total, fingerprint, retention, who ordered it as JSON text or nothing. Returns the time of creation,
 * or 0.
 */
export const ENQUEUE = `${TAKES_ON_WORK}${RECORD}
if present then return 0 end
create(ARGV[3], ARGV[4], ARGV[2], ARGV[5])
return now
`;

/**
 * ARGV: offset, total, lease, retention, nonce, fingerprints. Returns the outcome and what belongs to it: the
 * record and the outcomes of its items, the finished record, or the milliseconds the lease has left.
 */
export const CLAIM = `${TAKES_ON_WORK}${RECORD}
local total, lease_ms, retention_ms, nonce, current_fingerprint = ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
if present then
  local stored, same = fingerprint_of_record(), false
  local kid = kid_of(stored)
  local may_be_same = kid
  for i = 6, #ARGV do
    same = same or ARGV[i] == stored
    may_be_same = may_be_same and kid_of(ARGV[i]) ~= kid
  end
  if not same then return {may_be_same and 'unknown key' or 'conflict'} end
  if text('callback_result_status') == '200' then return {'finished', record()} end
  if leased and text('lease_token') == text('attempt') .. '.' .. nonce then
    return {'claimed', record(), redis.call('LRANGE', items, 0, -1)}
  end
  if leased then
    local left, max = number('lease_expires_at') - now, tonumber(lease_ms)
    if left > max then
      left = max
      redis.call('HSET', key, 'lease_expires_at', integer(now + left))
    end
    return {'running', integer(left)}
  end
else
  create(current_fingerprint, retention_ms, total)
end
redis.call('HDEL', key, 'callback_result_status', 'callback_result_body', 'finished_at')
waits_no_more()
redis.call('HSETNX', key, 'started_at', integer(now))
local attempt = redis.call('HINCRBY', key, 'attempt', 1)
redis.call('HSET', key, 'completed', 0, 'state', 'running', 'total', total, 'format', ${FORMAT},
  'lease_token', integer(attempt) .. '.' .. nonce, 'lease_expires_at', integer(now + lease_ms))
keep_for(lease_ms + number('retention_ms'))
return {'claimed', record(), redis.call('LRANGE', items, 0, -1)}
`;

/** ARGV: offset, fencing token, lease. Returns 1, 2 of a job that was cancelled, or 0. */
export const RENEW = `${GOES_ON}${RECORD}
if not owned_by(ARGV[2]) then return 0 end
redis.call('HSET', key, 'lease_expires_at', integer(now + ARGV[3]))
keep_for(ARGV[3] + number('retention_ms'))
return hold()
`;

/**
 * ARGV: offset, fencing token, done, checkpoint, 1 if it is repeatable, outcomes of items as JSON texts. Returns as
 * `RENEW`. What is repeatable goes past the append-only file, which may be flushed at every write, and is ahead of it
 * by `MAX_AHEAD_MS` at most; replicas get it.
 */
export const CHECKPOINT = `${GOES_ON}${RECORD}
if not owned_by(ARGV[2]) then return 0 end
if ARGV[5] == '1' and #ARGV == 5 then
  local ahead = now - number('appended_at')
  if ahead >= 0 and ahead < ${MAX_AHEAD_MS} then redis.set_repl(redis.REPL_REPLICA)
  else redis.call('HSET', key, 'appended_at', integer(now)) end
end
redis.call('HSET', key, 'done', ARGV[3], 'checkpoint', ARGV[4])
if #ARGV > 5 then
  for i = 6, #ARGV do redis.call('RPUSH', items, ARGV[i]) end
  redis.call('PEXPIRE', items, redis.call('PTTL', key))
end
return hold()
`;

/** ARGV: offset, fencing token, status, body, failed items and warnings as JSON texts or nothing. Returns 1, or 0. */
export const FINISH = `${GOES_ON}${RECORD}
if not owned_by(ARGV[2]) then return 0 end
end_items(ARGV[5], ARGV[6])
end_with(ARGV[3], ARGV[4])
return 1
`;

/** ARGV: offset, fencing token. Returns 1, or 0. */
export const RELEASE = `${GOES_ON}${RECORD}
if not owned_by(ARGV[2]) then return 0 end
drop_lease()
keep_for(number('retention_ms'))
return 1
`;

/** ARGV: offset, total, fingerprint, retention, status, body, who ordered it as in `ENQUEUE`. Returns 1, or 0. */
export const FAIL = `${GOES_ON}${RECORD}
if leased then return 0 end
if present and text('state') == 'finished' then return 0 end
if not present then create(ARGV[3], ARGV[4], ARGV[2], ARGV[7]) end
end_with(ARGV[5], ARGV[6])
return 1
`;

/**
 * ARGV: offset, attempt, body, failed items as JSON text. Returns the time of creation, 1 when the job was cancelled by
 * this, its state, and 1 when it was cancelled; nothing without a record.
 */
export const CANCEL = `${GOES_ON}${RECORD}
if not present then return {} end
local changed = 0
if text('state') ~= 'finished' then
  changed = redis.call('HSETNX', key, 'cancelled_at', integer(now))
  if not leased and text('attempt') == ARGV[2] then
    end_items(ARGV[4], '')
    end_with(200, ARGV[3])
  end
end
return {number('created_at'), changed, text('state'), redis.call('HEXISTS', key, 'cancelled_at')}
`;

/** ARGV: offset, reason. Returns 1, or 0. */
export const WAIT = `${GOES_ON}${RECORD}
if not present or leased or text('state') == 'finished' or text('waiting_reason') == ARGV[2] then return 0 end
redis.call('HSETNX', key, 'waiting_since', integer(now))
redis.call('HSET', key, 'waiting_reason', ARGV[2])
return 1
`;

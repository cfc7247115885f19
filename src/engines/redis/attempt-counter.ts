import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { AttemptCounter, CounterFactory } from '../../auth/attempt-counter.js';
import { createMemoryCounter } from '../memory-counter.js';
import type { RedisConnection } from './connection.js';

/**
 * Lua script in place of that of the library, which counts refused points, and gives points back to a window that began
 * later. ARGV: points, seconds, limit.
 *
 * Points are given back with the remaining seconds of their window: a window that lasts longer began later.
 */
const COUNT = `
local points = tonumber(ARGV[1])
local left = redis.call('pttl', KEYS[1])
if points < 0 then
  if left <= 0 or left > ARGV[2] * 1000 then return { 0, 0 } end
  return { redis.call('incrby', KEYS[1], points), left }
end
if left <= 0 then
  redis.call('set', KEYS[1], points, 'EX', ARGV[2])
  return { points, ARGV[2] * 1000 }
end
local before = tonumber(redis.call('get', KEYS[1]))
if before + points > tonumber(ARGV[3]) then return { before + points, left } end
return { redis.call('incrby', KEYS[1], points), left }
`;

/** Creates counters in Redis; while it does not answer, each process counts for itself. */
export function redisCounters({ client }: Pick<RedisConnection, 'client'>): CounterFactory {
  return (name, points, seconds): AttemptCounter => {
    const limiter = new RateLimiterRedis({
      storeClient: client,
      keyPrefix: `attempts:${name}`,
      points,
      duration: seconds,
      customIncrTtlLuaScript: COUNT,
    });
    const ownCounter = createMemoryCounter(name, points, seconds);

    async function giveBack(key: string, back: number, endsAt: number): Promise<void> {
      const left = Math.ceil((endsAt - performance.now()) / 1000);
      if (left <= 0) return;
      // The connection logs faults of Redis.
      await limiter.reward(key, back, { customDuration: left }).catch(() => undefined);
    }

    return {
      async take(key, wanted) {
        try {
          const { msBeforeNext } = await limiter.consume(key, wanted);
          const endsAt = performance.now() + msBeforeNext;
          return { outcome: 'taken', giveBack: (back) => giveBack(key, back, endsAt) };
        } catch (refused) {
          if (refused instanceof RateLimiterRes) return { outcome: 'refused', retryAfterMs: refused.msBeforeNext };
          return ownCounter.take(key, wanted);
        }
      },
    };
  };
}

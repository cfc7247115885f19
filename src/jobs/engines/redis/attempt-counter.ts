import type { CounterFactory, ShortLivedTexts } from '../../record/attempt-counter.js';
import { MemoryCounter, memoryTexts } from '../memory-counter.js';
import type { RedisConnection } from './connection.js';
import { listIn, scriptOf, DENY_OOM } from './script.js';

/**
 * Takes points from a window, or gives them back with a negative number. ARGV: points, seconds, limit. Returns the used
 * points, with those that were refused, and the remaining milliseconds of the window.
 *
 * Points are given back with the remaining seconds of their window: a window that lasts longer began later.
 */
const COUNT = scriptOf(`${DENY_OOM}
local points = tonumber(ARGV[1])
local left = redis.call('PTTL', KEYS[1])
if points < 0 then
  if left <= 0 or left > ARGV[2] * 1000 then return {0, 0} end
  return {redis.call('INCRBY', KEYS[1], points), left}
end
if left <= 0 then
  redis.call('SET', KEYS[1], points, 'EX', ARGV[2])
  return {points, ARGV[2] * 1000}
end
local before = tonumber(redis.call('GET', KEYS[1]))
if before + points > tonumber(ARGV[3]) then return {before + points, left} end
return {redis.call('INCRBY', KEYS[1], points), left}
`);

/** Creates counters in Redis; while it does not answer, each process counts for itself. */
export function redisCounters({ client }: Pick<RedisConnection, 'client'>): CounterFactory {
  return (name, points, seconds) => {
    const fallbackCounter = new MemoryCounter(points, seconds);
    return {
      async take(key, wanted) {
        const count = (taken: number, within: number): Promise<unknown> =>
          COUNT(client, [`attempts:${name}:${key}`], taken, within, points);
        // The connection logs faults of Redis.
        const reply = await count(wanted, seconds).catch(() => undefined);
        if (reply === undefined) return fallbackCounter.take(key, wanted);
        const [used = 0, leftMs = 0] = listIn(reply).map(Number);
        if (used > points) return { outcome: 'refused', retryAfterMs: leftMs };
        const endsAt = performance.now() + leftMs;
        return {
          outcome: 'taken',
          async giveBack(back) {
            const left = Math.ceil((endsAt - performance.now()) / 1000);
            if (left > 0) await count(-back, left).catch(() => undefined);
          },
        };
      },
    };
  };
}

/** Creates texts in Redis; while it does not answer or is full, each process keeps its own. */
export function redisTexts({ client }: Pick<RedisConnection, 'client'>): ShortLivedTexts {
  const own = memoryTexts();
  const keyOf = (name: string): string => `attempts:texts:${name}`;
  return {
    get: (name) =>
      client.get(keyOf(name)).then(
        (text) => text ?? own.get(name),
        () => own.get(name),
      ),
    async put(name, text, options) {
      const { forMs, isNew = false } = options;
      const putting = isNew
        ? client.set(keyOf(name), text, 'PX', forMs, 'NX')
        : client.set(keyOf(name), text, 'PX', forMs);
      return putting.then(
        (reply) => reply === 'OK',
        () => own.put(name, text, options),
      );
    },
    async delete(name) {
      await Promise.all([own.delete(name), client.del(keyOf(name)).catch(() => undefined)]);
    },
  };
}

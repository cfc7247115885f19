import type { ReplayMemory } from '../../job-record/replay-memory.js';
import type { RedisConnection } from './connection.js';

/** A memory in Redis, which forgets by itself. */
export function createRedisReplayMemory(redis: Pick<RedisConnection, 'client' | 'write'>): ReplayMemory {
  return {
    async remember(id, forMs) {
      return (await redis.write(() => redis.client.set(`callbacks:${id}`, '', 'PX', forMs, 'NX'))) === 'OK';
    },
  };
}

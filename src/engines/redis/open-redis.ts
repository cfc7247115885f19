import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Logger } from '../../logger.js';
import type { JobEngine } from '../job-engine.js';
import { createBullMqQueue } from './bullmq-queue.js';
import { checkRedis } from './check.js';
import { connectRedis, type RedisConnection } from './connection.js';
import { createRedisJobStore } from './job-store.js';
import { startOrphanSweeper } from './orphan-sweeper.js';

/** How Redis is used. */
export interface RedisEngineOptions {
  readonly url: string;
  readonly logger: Logger;
  /** Delivery attempts of a message. */
  readonly maxAttempts: number;
  /** Longest time a job may take, in milliseconds; what is older and not in the queue is an orphan. */
  readonly deadlineMs: number;
}

/** Opens job store, queue and counters on one Redis. */
export function openRedisEngine({ url, logger, maxAttempts, deadlineMs }: RedisEngineOptions): JobEngine {
  const redis = connectRedis({ url, logger });
  const jobStore = createRedisJobStore({ redis });
  const queue = createBullMqQueue({ redis, store: jobStore, logger, delivery: { maxAttempts } });
  const sweeper = startOrphanSweeper({ queue, logger, olderThanMs: deadlineMs });
  return {
    jobStore,
    queue,
    submission: queue,
    embedded: false,
    counters: redisCounters(redis),
    ready: () => redis.ready().catch(() => undefined),
    check: () => checkRedis(redis),
    async close() {
      await sweeper.close();
      await queue.close();
      await redis.close();
    },
  };
}

/** Counters in Redis; while it does not answer, each process counts for itself. */
function redisCounters(redis: RedisConnection): JobEngine['counters'] {
  return (keyPrefix, points, duration) =>
    new RateLimiterRedis({
      storeClient: redis.client,
      keyPrefix: `attempts:${keyPrefix}`,
      points,
      duration,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration }),
    });
}

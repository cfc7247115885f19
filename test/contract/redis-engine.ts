import { createBullMqQueue } from '../../src/jobs/engines/redis/bullmq-queue.js';
import type { SharedQueue } from '../../src/jobs/engines/redis/recorded-jobs.js';
import { createLogger } from '../../src/base/logging/logger.js';
import { RedisConnection } from '../../src/jobs/engines/redis/connection.js';
import { RedisJobStore } from '../../src/jobs/engines/redis/job-store.js';
import { LONG_TIMEOUT_MS } from '../support/redis-server.js';
import type { OpenedElsewhere } from './child-process.js';
import type { OrganisationLimits } from '../../src/jobs/record/organisation-jobs.js';
import { MAX_ATTEMPTS, MESSAGE_LEASE_MS, type EngineUnderTest } from './engine-under-test.js';

interface Engine extends OpenedElsewhere {
  readonly redis: RedisConnection;
  readonly store: RedisJobStore;
  readonly queue: SharedQueue;
}

/** Opens job store and queue on emptied servers; time can be put forward for the store. */
export async function openOnRedis(server: { url: string }, limits?: OrganisationLimits): Promise<EngineUnderTest> {
  let ahead = 0;
  const engine = await openEngine(server.url, () => ahead, limits);
  const { redis, store, queue } = engine;
  await Promise.all(redis.primaries().map((primary) => primary.flushall()));
  return {
    store,
    organisations: store.organisations,
    queue,
    submission: queue,
    // The back-offs of the queue are a few milliseconds.
    passTime: (ms) => {
      ahead += ms;
      return Promise.resolve();
    },
    otherProcess: { module: import.meta.url, location: server.url },
    close: () => engine.close(),
  };
}

/** Opens the engine of another process. @public imported there, by its name */
export function openAt(location: string): Promise<OpenedElsewhere> {
  return openEngine(location);
}

async function openEngine(
  url: string,
  clockOffsetMs: () => number = () => 0,
  limits?: OrganisationLimits,
): Promise<Engine> {
  const logger = createLogger({ level: 'silent' });
  const redis = new RedisConnection({ url, logger, commandTimeoutMs: LONG_TIMEOUT_MS });
  await redis.ready();
  const store = new RedisJobStore({ redis, clockOffsetMs, ...(limits && { limits }) });
  const queue = createBullMqQueue({
    redis,
    store,
    logger,
    delivery: { maxAttempts: MAX_ATTEMPTS, backOffMs: () => 10, lockMs: MESSAGE_LEASE_MS },
  });
  return {
    redis,
    store,
    queue,
    close: async () => {
      await queue.close();
      await redis.close();
    },
  };
}

import { createBullMqQueue } from '../../src/engines/redis/bullmq-queue.js';
import type { SharedQueue } from '../../src/engines/redis/recorded-jobs.js';
import { createLogger } from '../../src/logging/logger.js';
import { connectRedis, type RedisConnection } from '../../src/engines/redis/connection.js';
import { createRedisJobStore, type RedisJobStore } from '../../src/engines/redis/job-store.js';
import { LONG_TIMEOUT_MS } from '../support/redis-server.js';
import type { OpenedElsewhere } from './child-process.js';
import type { JobQueueUnderTest } from './job-queue-contract.js';
import type { OrganisationLimits } from '../../src/job-record/organisation-jobs.js';
import type { OrganisationJobsUnderTest } from './organisation-jobs-contract.js';
import type { JobStoreUnderTest } from './job-store-contract.js';
import { MESSAGE_LEASE_MS } from './message-lease.js';

/** Attempts of the queues that are opened here. */
const MAX_ATTEMPTS = 3;

interface Engine extends OpenedElsewhere {
  readonly redis: RedisConnection;
  readonly store: RedisJobStore;
  readonly queue: SharedQueue;
}

/** Opens job store and queue on emptied servers; time can be put forward for the store. */
export async function openOnRedis(
  server: { readonly url: string },
  limits?: OrganisationLimits,
): Promise<JobStoreUnderTest & JobQueueUnderTest & OrganisationJobsUnderTest> {
  let ahead = 0;
  const engine = await openEngine(server.url, () => ahead, limits);
  const { redis, store, queue } = engine;
  await Promise.all(redis.primaries().map((primary) => primary.flushall()));
  return {
    store,
    jobStore: store,
    organisations: store.organisations,
    queue,
    submission: queue,
    maxAttempts: MAX_ATTEMPTS,
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
  const redis = connectRedis({ url, logger, commandTimeoutMs: LONG_TIMEOUT_MS });
  await redis.ready();
  const store = createRedisJobStore({ redis, clockOffsetMs, ...(limits && { limits }) });
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

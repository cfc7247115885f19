import { NO_LIMITS, type OrganisationLimits } from '../../job-record/organisation-jobs.js';
import type { Logger } from '../../logger.js';
import type { JobEngine } from '../job-engine.js';
import { redisCounters } from './attempt-counter.js';
import { createBullMqQueue } from './bullmq-queue.js';
import { checkRedis, redisProbes } from './check.js';
import { connectRedis } from './connection.js';
import { findRecords } from './find-records.js';
import { createRedisJobStore } from './job-store.js';
import { startOrphanSweeper } from './orphan-sweeper.js';
import { createRedisReplayMemory } from './replay-memory.js';

/** How Redis is used. */
export interface RedisEngineOptions {
  readonly url: string;
  readonly logger: Logger;
  /** Delivery attempts of a message. */
  readonly maxAttempts: number;
  /** Longest time a job may take, in milliseconds; what is older and not in the queue is an orphan. */
  readonly deadlineMs: number;
  /** What one organisation may have under way; anything by default. */
  readonly limits?: OrganisationLimits;
}

/** Opens job store, queue and counters on one Redis. */
export function openRedisEngine({
  url,
  logger,
  maxAttempts,
  deadlineMs,
  limits = NO_LIMITS,
}: RedisEngineOptions): JobEngine {
  const redis = connectRedis({ url, logger });
  const jobStore = createRedisJobStore({ redis, limits });
  const queue = createBullMqQueue({ redis, store: jobStore, logger, delivery: { maxAttempts } });
  const sweeper = startOrphanSweeper({ queue, logger, olderThanMs: deadlineMs });
  return {
    jobStore,
    queue,
    submission: queue,
    organisations: jobStore.organisations,
    inspection: {
      find: (jobId) => redis.run(() => findRecords(redis.primaries(), jobId)),
      queued: () => queue.queued(),
    },
    embedded: false,
    probes: redisProbes(redis),
    counters: redisCounters(redis),
    replayMemory: createRedisReplayMemory(redis),
    ready: () => redis.ready().catch(() => undefined),
    check: () => checkRedis(redis),
    async close() {
      await sweeper.close();
      await queue.close();
      await redis.close();
    },
  };
}

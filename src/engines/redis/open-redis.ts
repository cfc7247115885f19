import type { Redis } from 'ioredis';
import { ConfigError } from '../../config/config.js';
import { encodeKeyPart, parseJobRecordKey, type JobIdentity } from '../../job-record/job-record.js';
import type { ReplayMemory } from '../../job-record/callback-signature.js';
import { NO_LIMITS, type OrganisationLimits } from '../../job-record/organisation-jobs.js';
import type { Logger } from '../../logging/logger.js';
import type { StoreProbe } from '../../objects/store-probe.js';
import type { JobEngine } from '../job-engine.js';
import { redisCounters } from './attempt-counter.js';
import { createBullMqQueue } from './bullmq-queue.js';
import { checkRedis, lossesOf, memoryOf, redisProbes } from './check.js';
import { connectRedis, type RedisConnection } from './connection.js';
import { createMark, watchMark } from './mark.js';
import { createRedisJobStore, type RedisJobStore } from './job-store.js';
import { startOrphanSweeper } from './orphan-sweep.js';
import type { SharedQueue } from './recorded-jobs.js';

export interface RedisEngineOptions {
  readonly url: string;
  readonly logger: Logger;
  readonly maxAttempts: number;
  /** Maximum run time of a job, in milliseconds. An unfinished job that is older and not in the queue is an orphan. */
  readonly deadlineMs: number;
  readonly limits?: OrganisationLimits;
  /** Opens a queue other than BullMQ on the same Redis. */
  readonly openQueue?: OpenQueue;
}

/** Opens a queue with its records in a Redis store. */
export type OpenQueue = (parts: {
  readonly redis: RedisConnection;
  readonly store: RedisJobStore;
  readonly maxAttempts: number;
}) => OpenedQueue;

/** Queue, and probe and check of its servers other than Redis. */
interface OpenedQueue {
  readonly queue: SharedQueue;
  readonly probe?: StoreProbe;
  /** Returns the faults of these servers, one line each, with the remedy. */
  readonly check?: () => Promise<readonly string[]>;
}

/** Opens job store and counters on one Redis, and the queue there or elsewhere. */
export function openRedisEngine({
  url,
  logger,
  maxAttempts,
  deadlineMs,
  limits = NO_LIMITS,
  openQueue = ({ maxAttempts: attempts, ...parts }) => ({
    queue: createBullMqQueue({ ...parts, logger, delivery: { maxAttempts: attempts } }),
  }),
}: RedisEngineOptions): JobEngine {
  const redis = connectRedis({ url, logger });
  const jobStore = createRedisJobStore({ redis, limits });
  const { queue, probe, check } = openQueue({ redis, store: jobStore, maxAttempts });
  const probes = redisProbes(redis);
  const lookAtMark = createMark(redis, logger);
  const endMarkWatch = watchMark(lookAtMark);
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
    probes: { ...probes, ...(probe && { queue: probe }) },
    counters: redisCounters(redis),
    replayMemory: createRedisReplayMemory(redis),
    async ready() {
      await redis.ready().catch((error: unknown) => {
        if (error instanceof ConfigError) throw error;
      });
      // From now on, a loss is seen.
      void lookAtMark();
    },
    memory: () => memoryOf(redis),
    check: async () => [...(await checkRedis(redis)), ...((await check?.()) ?? [])],
    losses: () => lossesOf(redis),
    async close() {
      endMarkWatch();
      await sweeper.close();
      await queue.close();
      await redis.close();
    },
  };
}

/** Creates a memory in Redis; its entries expire by themselves. */
export function createRedisReplayMemory(redis: Pick<RedisConnection, 'client' | 'write'>): ReplayMemory {
  return {
    async remember(id, forMs) {
      return (await redis.write(() => redis.client.set(`callbacks:${id}`, '', 'PX', forMs, 'NX'))) === 'OK';
    },
  };
}

/** Number of keys scanned in one step, which blocks Redis for well below a millisecond. */
const STEP = 1_000;

/**
 * Returns the jobs of every kind and organisation that have a record with this id. It scans every key.
 *
 * @param primaries all servers that hold records
 */
export async function findRecords(primaries: readonly Redis[], jobId: string): Promise<readonly JobIdentity[]> {
  const match = `job:{*:${encodeKeyPart(jobId).replaceAll(/[*?[\]\\]/g, '\\$&')}}`;
  // A scan may return a key twice, and so may two servers while its slot moves.
  const keys = new Set<string>();
  await Promise.all(
    primaries.map(async (primary) => {
      const steps: AsyncIterable<readonly string[]> = primary.scanStream({ match, count: STEP });
      for await (const found of steps) found.forEach((key) => keys.add(key));
    }),
  );
  return [...keys].flatMap((key) => parseJobRecordKey(key) ?? []).filter((job) => job.jobId === jobId);
}

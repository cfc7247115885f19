import { join } from 'node:path';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { ConfigError, type Config, type S3Config } from '../config/config.js';
import { memoryCounters, type CounterFactory } from '../graphql/attempt-limits.js';
import { KeyRing } from '../config/key-ring.js';
import type { Logger } from '../logger.js';
import { loadOrCreateMasterKey } from '../config/open-key-ring.js';
import { createBullMqQueue } from './redis/bullmq-queue.js';
import { startOrphanSweeper } from './redis/orphan-sweeper.js';
import type { JobQueue, JobSubmission } from '../job-record/job-queue.js';
import { openEmbeddedEngine } from './lmdb/open-lmdb.js';
import { createFileObjectStore, type FileObjectStore } from '../objects/files/file-object-store.js';
import type { JobStore } from '../job-record/job-store.js';
import type { ObjectStore } from '../objects/object-store.js';
import { checkRedis } from './redis/check.js';
import { connectRedis, type RedisConnection } from './redis/connection.js';
import { createRedisJobStore } from './redis/job-store.js';
import { createS3ObjectStore, type S3ObjectStore } from '../objects/s3/s3-object-store.js';

/** Where jobs and their queue are kept. */
export interface JobEngine {
  readonly jobStore: JobStore;
  readonly queue: JobQueue;
  readonly submission: JobSubmission;
  /** Counters of attempts, shared by all processes on the same engine where it can. */
  readonly counters: CounterFactory;
  /** Whether every process on this engine consumes its queue itself. */
  readonly embedded: boolean;
  /** Resolves when the engine answers, or after a few seconds: one that is down is no reason not to start. */
  ready(): Promise<void>;
  /** What is wrong with the engine, one line per fault, with what to change. */
  check(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Where reports are kept. */
export interface ObjectEngine {
  readonly objectStore: ObjectStore;
  /** Present when the gateway serves the objects itself. */
  readonly signedObjects: FileObjectStore | undefined;
  /** What is wrong with the engine, one line per fault, with what to change. */
  check(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The keys of this installation: those configured, or one that is kept in the data directory. */
export async function openKeyRing(config: Config): Promise<KeyRing> {
  return new KeyRing(config.keys.jobEncryption ?? [await loadOrCreateMasterKey(config.dataDir)]);
}

/** Opens the job store and the queue: on Redis when it is configured, embedded otherwise. */
export async function openJobEngine(config: Config, logger: Logger): Promise<JobEngine> {
  return config.redisUrl === undefined ? openEmbeddedJobs(config, logger) : openSharedJobEngine(config, logger);
}

/**
 * Opens a job store and queue that other processes use as well.
 *
 * @throws {ConfigError} when the embedded ones are configured
 */
export function openSharedJobEngine(config: Config, logger: Logger): JobEngine {
  if (config.redisUrl === undefined) {
    throw new ConfigError(['REDIS_URL is required: the embedded queue is consumed by the gateway itself.']);
  }
  return openRedisJobs(config, connectRedis({ url: config.redisUrl, logger }), logger);
}

/** Opens the object store: a bucket when it is configured, files otherwise. */
export function openObjectEngine(config: Config, keyRing: KeyRing, logger: Logger): ObjectEngine {
  if (config.s3 !== undefined) {
    const bucket = openBucket(config.s3, logger);
    return {
      objectStore: bucket,
      signedObjects: undefined,
      check: () => bucket.check(),
      close: () => {
        bucket.close();
        return Promise.resolve();
      },
    };
  }
  const { dataDir, basePath } = config;
  const files = createFileObjectStore({ directory: join(dataDir, 'objects'), basePath, keyRing });
  return { objectStore: files, signedObjects: files, check: noFaults, close: () => Promise.resolve() };
}

async function openEmbeddedJobs(config: Config, logger: Logger): Promise<JobEngine> {
  const directory = join(config.dataDir, 'jobs');
  const engine = await openEmbeddedEngine({ directory, logger, maxAttempts: config.jobs.maxAttempts });
  const { jobStore, queue, submission } = engine;
  return {
    jobStore,
    queue,
    submission,
    embedded: true,
    counters: memoryCounters,
    ready: () => Promise.resolve(),
    check: noFaults,
    close: () => engine.close(),
  };
}

function openRedisJobs(config: Config, redis: RedisConnection, logger: Logger): JobEngine {
  const jobStore = createRedisJobStore({ redis });
  const { maxAttempts, deadlineMs } = config.jobs;
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
function redisCounters(redis: RedisConnection): CounterFactory {
  return (keyPrefix, points, duration) =>
    new RateLimiterRedis({
      storeClient: redis.client,
      keyPrefix: `attempts:${keyPrefix}`,
      points,
      duration,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration }),
    });
}

function openBucket({ bucket, region, endpoint, forcePathStyle }: S3Config, logger: Logger): S3ObjectStore {
  return createS3ObjectStore({ bucket, region, forcePathStyle, logger, ...(endpoint !== undefined && { endpoint }) });
}

function noFaults(): Promise<readonly string[]> {
  return Promise.resolve([]);
}

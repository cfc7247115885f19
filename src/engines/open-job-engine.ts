import { join } from 'node:path';
import { ConfigError, type Config } from '../config/config.js';
import type { Logger } from '../logger.js';
import type { JobEngine } from './job-engine.js';

/** Opens the job store and the queue: on Redis when it is configured, embedded otherwise. */
export async function openJobEngine(config: Config, logger: Logger): Promise<JobEngine> {
  if (config.redisUrl !== undefined) return openSharedJobEngine(config, logger);
  // Only the engine that is used is loaded: it is most of the time a program takes to start.
  const { openLmdbEngine } = await import('./lmdb/open-lmdb.js');
  return openLmdbEngine({ directory: join(config.dataDir, 'jobs'), logger, maxAttempts: config.jobs.maxAttempts });
}

/**
 * Opens a job store and queue that other processes use as well.
 *
 * @throws {ConfigError} when the embedded ones are configured
 */
export async function openSharedJobEngine(config: Config, logger: Logger): Promise<JobEngine> {
  if (config.redisUrl === undefined) {
    throw new ConfigError(['REDIS_URL is required: the embedded queue is consumed by the gateway itself.']);
  }
  const { openRedisEngine } = await import('./redis/open-redis.js');
  return openRedisEngine({ url: config.redisUrl, logger, ...config.jobs });
}

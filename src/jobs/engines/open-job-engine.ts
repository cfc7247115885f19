import { ConfigError, type Config } from '../../base/config/config.js';
import { OnceInAWhile } from '../../base/once-in-a-while.js';
import { NEAR_LIMIT, type OrganisationLimits } from '../record/organisation-jobs.js';
import type { Logger } from '../../base/logging/logger.js';
import type { JobEngine } from './job-engine.js';
import type { OpenQueue } from './redis/open-redis.js';
import type { SqliteEngineOptions } from './sqlite/open-sqlite.js';
import { openObjects } from '../../objects/open-objects.js';

type Counting = Pick<OrganisationLimits, 'onOrder' | 'onChange'>;

/**
 * Opens the job store and the queue: on Redis if configured, with the queue on SQS if configured; embedded otherwise.
 *
 * @throws {ConfigError} when the data in `DATA_DIR` cannot be used
 * @throws {Error} when another process has opened it exclusively; the message names the remedy
 */
export async function openJobEngine(
  config: Config,
  logger: Logger,
  options: Pick<SqliteEngineOptions, 'exclusive' | 'existing' | 'onLost'> & Counting,
): Promise<JobEngine> {
  if (config.redisUrl !== undefined) return openSharedJobEngine(config, logger, options);
  // Only the used engine is loaded, because loading takes most of the start of a program.
  const { openSqliteEngine } = await import('./sqlite/open-sqlite.js');
  const { maxAttempts, leaseMs } = config.jobs;
  const limits = limitsOf(config, logger, options);
  return openSqliteEngine({ directory: config.dataDir, logger, maxAttempts, leaseMs, limits, ...options });
}

/** Opens a job store and queue that other processes also use. @throws {ConfigError} when jobs are embedded */
export async function openSharedJobEngine(
  config: Config,
  logger: Logger,
  { onOrder, onChange }: Counting,
): Promise<JobEngine> {
  if (config.redisUrl === undefined) {
    throw new ConfigError(['REDIS_URL is required: the embedded queue is consumed by the gateway itself.']);
  }
  const { openRedisEngine } = await import('./redis/open-redis.js');
  const openQueue =
    config.sqsQueueUrl === undefined ? undefined : await openedOnSqs(config, config.sqsQueueUrl, logger);
  return openRedisEngine({
    url: config.redisUrl,
    logger,
    ...config.jobs,
    limits: limitsOf(config, logger, { onOrder, onChange }),
    ...(openQueue && { openQueue }),
  });
}

/** Pause before the log names the same organisation again, in milliseconds. */
const NEAR_LIMIT_EVERY_MS = 10 * 60_000;

/** Returns the limits of an organisation. The log names one that comes near to them. */
function limitsOf(
  { jobs: { organisation } }: Config,
  logger: Logger,
  { onOrder, onChange }: Counting,
): OrganisationLimits {
  const told = new OnceInAWhile({ everyMs: NEAR_LIMIT_EVERY_MS });
  return {
    ...organisation,
    onChange,
    onOrder(org, shares) {
      onOrder?.(org, shares);
      for (const [reason, share] of Object.entries(shares)) {
        if (share < NEAR_LIMIT || !told.isDue(`${reason} ${org ?? ''}`)) continue;
        logger.event('organisation.near_limit', { org, reason, share: Number(share.toFixed(2)) });
      }
    },
  };
}

async function openedOnSqs(config: Config, queueUrl: string, logger: Logger): Promise<OpenQueue> {
  const { openSqsQueue } = await import('./sqs/sqs-queue.js');
  const bodies = (await openObjects(config.objects, logger)).openBodies();
  return openSqsQueue({ queueUrl, bodies, logger, patienceMs: config.jobs.queuePatienceMs });
}

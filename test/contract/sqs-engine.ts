import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqsClient } from '../../src/jobs/engines/sqs/queue-client.js';
import { createSqsQueue } from '../../src/jobs/engines/sqs/sqs-queue.js';
import type { SqsDeliverySettings } from '../../src/jobs/engines/sqs/queue-facts.js';
import { RedisConnection } from '../../src/jobs/engines/redis/connection.js';
import { RedisJobStore } from '../../src/jobs/engines/redis/job-store.js';
import { NO_LIMITS, type OrganisationLimits } from '../../src/jobs/record/organisation-jobs.js';
import type { SharedQueue } from '../../src/jobs/engines/redis/recorded-jobs.js';
import { createLogger, type Logger } from '../../src/base/logging/logger.js';
import { createFileBodyStore } from '../../src/objects/files/file-object-store.js';
import type { Fauxqs, TestQueue } from '../support/fauxqs.js';
import { LONG_TIMEOUT_MS, type RedisServer } from '../support/redis-server.js';
import { SQS_ENVIRONMENT } from '../support/sqs-environment.js';
import type { OpenedElsewhere } from './child-process.js';
import { MAX_ATTEMPTS, MESSAGE_LEASE_MS, type EngineUnderTest } from './engine-under-test.js';

/** How long a message has to be out of sight to count as lost. */
export const PATIENCE_MS = 60_000;

/** Where a queue lies: Redis, SQS, and a directory for what is too large. */
interface Places {
  readonly redisUrl: string;
  readonly queueUrl: string;
  readonly directory: string;
}

/** How a queue of a test is opened; what is left out is as in the contract. */
export interface SqsEngineOptions extends Partial<SqsDeliverySettings> {
  readonly logger?: Logger;
  readonly clockOffsetMs?: () => number;
  readonly limits?: OrganisationLimits;
}

/** A queue on SQS with its store, and what a test looks at behind them. */
interface SqsEngine extends OpenedElsewhere {
  readonly redis: RedisConnection;
  readonly store: RedisJobStore;
  readonly queue: SharedQueue;
}

/** A queue of the contract, and the one of SQS behind it. */
export interface SqsQueueUnderTest extends EngineUnderTest {
  readonly engine: SqsEngine;
  readonly testQueue: TestQueue;
  /** Where bodies lie that are too large for the queue. */
  readonly directory: string;
  /** Opens the same queue as another process would. The caller closes it. */
  openAgain(options?: SqsEngineOptions): SqsEngine;
}

/** Opens a job store on an emptied server, and a new queue. Time can be put forward for the store. */
export async function openOnSqs(
  server: RedisServer,
  sqs: Fauxqs,
  options: SqsEngineOptions & { readonly maxReceiveCount?: number } = {},
): Promise<SqsQueueUnderTest> {
  let ahead = 0;
  const directory = await mkdtemp(join(tmpdir(), 'sqs-bodies-'));
  const testQueue = await sqs.createQueue(options.maxReceiveCount);
  const places = { redisUrl: server.url, queueUrl: testQueue.url, directory };
  const engine = openEngine(places, { clockOffsetMs: () => ahead, ...options });
  await engine.redis.ready();
  await engine.redis.client.flushall();
  return {
    engine,
    testQueue,
    directory,
    store: engine.store,
    organisations: engine.store.organisations,
    queue: engine.queue,
    submission: engine.queue,
    countedBySqs: true,
    // SQS has no clock that can be set; back-offs of the queue are none.
    passTime: (ms) => {
      ahead += ms;
      return Promise.resolve();
    },
    otherProcess: { module: import.meta.url, location: JSON.stringify(places) },
    openAgain: (again = {}) => openEngine(places, { clockOffsetMs: () => ahead, ...options, ...again }),
    close: async () => {
      await engine.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Opens the engine of another process. @public imported there, by its name */
export async function openAt(location: string): Promise<OpenedElsewhere> {
  Object.assign(process.env, SQS_ENVIRONMENT);
  const engine = openEngine(JSON.parse(location) as Places); // what was written above
  await engine.redis.ready();
  return engine;
}

function openEngine({ redisUrl, queueUrl, directory }: Places, options: SqsEngineOptions = {}): SqsEngine {
  const {
    logger = createLogger({ level: 'silent' }),
    clockOffsetMs = () => 0,
    limits = NO_LIMITS,
    ...delivery
  } = options;
  const redis = new RedisConnection({ url: redisUrl, logger, commandTimeoutMs: LONG_TIMEOUT_MS });
  const store = new RedisJobStore({ redis, clockOffsetMs, limits });
  const client = new SqsClient(queueUrl, logger);
  const queue = createSqsQueue({
    redis,
    store,
    client,
    queueUrl,
    bodies: createFileBodyStore({ directory, logger }),
    logger,
    delivery: {
      maxAttempts: MAX_ATTEMPTS,
      patienceMs: PATIENCE_MS,
      backOffMs: () => 0,
      leaseMs: MESSAGE_LEASE_MS,
      waitSeconds: 1,
      ...delivery,
    },
  });
  return {
    redis,
    store,
    queue,
    async close() {
      await queue.close();
      await redis.close();
    },
  };
}

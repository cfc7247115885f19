/**
 * A queue function on SQS that is noticed to be dead within seconds; otherwise as it is deployed.
 * Arguments: URL of the gateway, callback key, job encryption key, URLs of Redis and of the queue, a directory.
 */
import { connectRedis } from '../../../src/engines/redis/connection.js';
import { createRedisJobStore } from '../../../src/engines/redis/job-store.js';
import { SqsClient } from '../../../src/engines/sqs/queue-client.js';
import { createSqsQueue } from '../../../src/engines/sqs/sqs-queue.js';
import { createLogger } from '../../../src/logging/logger.js';
import { createFileBodyStore } from '../../../src/objects/files/file-body-store.js';
import { SQS_ENVIRONMENT } from '../../support/sqs-environment.js';
import { LONG_TIMEOUT_MS } from '../../support/redis-server.js';
import { consumeUntilStopped } from './consume-until-stopped.js';

Object.assign(process.env, SQS_ENVIRONMENT);
const [, , gatewayUrl = '', apiKey = '', masterKey = '', redisUrl = '', queueUrl = '', directory = ''] = process.argv;
const logger = createLogger({ level: 'info', pretty: false });
const redis = connectRedis({ url: redisUrl, logger, commandTimeoutMs: LONG_TIMEOUT_MS });
await redis.ready();
const jobStore = createRedisJobStore({ redis });
const queue = createSqsQueue({
  redis,
  store: jobStore,
  client: new SqsClient(queueUrl, logger),
  queueUrl,
  bodies: createFileBodyStore({ directory, logger }),
  logger,
  delivery: { maxAttempts: 5, leaseMs: 2_000 },
});
await consumeUntilStopped({ redis, jobStore, queue, logger, gatewayUrl, apiKey, masterKey });

/**
 * A queue function on SQS that is noticed to be dead within seconds; otherwise as it is deployed.
 * Arguments: URL of Redis, URL of the queue, URL of the gateway, callback key, job encryption key, a directory.
 */
import { once } from 'node:events';
import { KeyRing } from '../../../src/config/key-ring.js';
import { connectRedis } from '../../../src/engines/redis/connection.js';
import { createRedisJobStore } from '../../../src/engines/redis/job-store.js';
import { SqsClient } from '../../../src/engines/sqs/queue-client.js';
import { createSqsQueue } from '../../../src/engines/sqs/sqs-queue.js';
import { createLogger } from '../../../src/logger.js';
import { createFileBodyStore } from '../../../src/objects/files/file-body-store.js';
import { consumeJobs } from '../../../src/queue-function/consume.js';
import { createDeliver, createDeliveryTransport } from '../../../src/queue-function/deliver.js';
import { SQS_ENVIRONMENT } from '../../support/sqs-environment.js';

Object.assign(process.env, SQS_ENVIRONMENT);
const [, , redisUrl = '', queueUrl = '', gatewayUrl = '', apiKey = '', masterKey = '', directory = ''] = process.argv;
const logger = createLogger({ level: 'info', pretty: false });
const redis = connectRedis({ url: redisUrl, logger });
await redis.ready();
const store = createRedisJobStore({ redis });
const client = new SqsClient(queueUrl, logger);
const queue = createSqsQueue({
  redis,
  store,
  client,
  queueUrl,
  bodies: createFileBodyStore({ directory, logger }),
  logger,
  delivery: { maxAttempts: 5, leaseMs: 2_000 },
});
const keyRing = new KeyRing([Buffer.from(masterKey, 'base64url')]);
const deadlineMs = 60_000;
const transport = createDeliveryTransport(deadlineMs);
const consumer = consumeJobs({
  queue,
  jobStore: store,
  logger,
  concurrency: 1,
  deliver: createDeliver({ gatewayUrl, apiKey, keyRing, deadlineMs, logger, transport }),
});
process.stdout.write('consuming\n');

await once(process, 'SIGTERM');
await consumer.close();
await transport.close();
await queue.close();
await redis.close();

/**
 * A queue function that is noticed to be dead within a second; otherwise as it is deployed.
 * Arguments: URL of Redis, URL of the gateway, callback key, job encryption key.
 */
import { once } from 'node:events';
import { KeyRing } from '../../../src/config/key-ring.js';
import { createLogger } from '../../../src/logger.js';
import { consumeJobs } from '../../../src/queue-function/consume.js';
import { createDeliver, createDeliveryTransport } from '../../../src/queue-function/deliver.js';
import { createBullMqQueue } from '../../../src/engines/redis/bullmq-queue.js';
import { connectRedis } from '../../../src/engines/redis/connection.js';
import { createRedisJobStore } from '../../../src/engines/redis/job-store.js';

const [, , redisUrl = '', gatewayUrl = '', apiKey = '', masterKey = ''] = process.argv;
const logger = createLogger({ level: 'silent', pretty: false });
const redis = connectRedis({ url: redisUrl, logger });
await redis.ready();
const jobStore = createRedisJobStore({ redis });
const queue = createBullMqQueue({ redis, store: jobStore, logger, delivery: { maxAttempts: 5, lockMs: 1_000 } });
const keyRing = new KeyRing([Buffer.from(masterKey, 'base64url')]);
const deadlineMs = 60_000;
const transport = createDeliveryTransport(deadlineMs);
const consumer = consumeJobs({
  queue,
  jobStore,
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

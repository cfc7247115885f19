/**
 * A queue function that is noticed to be dead within seconds; otherwise as it is deployed. It delivers one message after
 * another until SIGTERM. Arguments: URL of the gateway, callback key, job encryption key, URL of Redis, and, when
 * messages lie on SQS, URL of the queue and a directory.
 */
import { once } from 'node:events';
import { KeyRing } from '../../../src/base/config/key-ring.js';
import { createBullMqQueue } from '../../../src/jobs/engines/redis/bullmq-queue.js';
import { RedisConnection } from '../../../src/jobs/engines/redis/connection.js';
import { RedisJobStore } from '../../../src/jobs/engines/redis/job-store.js';
import { SqsClient } from '../../../src/jobs/engines/sqs/queue-client.js';
import { createSqsQueue } from '../../../src/jobs/engines/sqs/sqs-queue.js';
import { createLogger } from '../../../src/base/logging/logger.js';
import { createFileBodyStore } from '../../../src/objects/files/file-body-store.js';
import { startDeliveries } from '../../../src/jobs/queue-function/consume.js';
import { LONG_TIMEOUT_MS } from '../../support/redis-server.js';
import { SQS_ENVIRONMENT } from '../../support/sqs-environment.js';

Object.assign(process.env, SQS_ENVIRONMENT);
const [gatewayUrl = '', apiKey = '', masterKey = '', redisUrl = '', queueUrl, directory = ''] = process.argv.slice(2);
const logger = createLogger({ level: 'info' });
const redis = new RedisConnection({ url: redisUrl, logger, commandTimeoutMs: LONG_TIMEOUT_MS });
await redis.ready();
const jobStore = new RedisJobStore({ redis });
const parts = { redis, store: jobStore, logger };
const queue =
  queueUrl === undefined
    ? createBullMqQueue({ ...parts, delivery: { maxAttempts: 5, lockMs: 1_000 } })
    : createSqsQueue({
        ...parts,
        queueUrl,
        client: new SqsClient(queueUrl, logger),
        bodies: createFileBodyStore({ directory, logger }),
        delivery: { maxAttempts: 5, patienceMs: 60_000, leaseMs: 2_000 },
      });
const deliveries = startDeliveries({
  jobStore,
  queue,
  logger,
  gatewayUrl,
  apiKey,
  keyRing: new KeyRing([Buffer.from(masterKey, 'base64url')]),
  signingSecrets: undefined,
  deadlineMs: 60_000,
  patienceMs: 86_400_000,
  concurrency: 1,
});
process.stdout.write('consuming\n');
await once(process, 'SIGTERM');
await deliveries.close(0);
await queue.close();
await redis.close();

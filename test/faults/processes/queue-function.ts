/**
 * A queue function that is noticed to be dead within a second; otherwise as it is deployed.
 * Arguments: URL of the gateway, callback key, job encryption key, URL of Redis.
 */
import { createBullMqQueue } from '../../../src/engines/redis/bullmq-queue.js';
import { connectRedis } from '../../../src/engines/redis/connection.js';
import { createRedisJobStore } from '../../../src/engines/redis/job-store.js';
import { createLogger } from '../../../src/logging/logger.js';
import { LONG_TIMEOUT_MS } from '../../support/redis-server.js';
import { consumeUntilStopped } from './consume-until-stopped.js';

const [, , gatewayUrl = '', apiKey = '', masterKey = '', redisUrl = ''] = process.argv;
const logger = createLogger({ level: 'info', pretty: false });
const redis = connectRedis({ url: redisUrl, logger, commandTimeoutMs: LONG_TIMEOUT_MS });
await redis.ready();
const jobStore = createRedisJobStore({ redis });
const queue = createBullMqQueue({ redis, store: jobStore, logger, delivery: { maxAttempts: 5, lockMs: 1_000 } });
await consumeUntilStopped({ redis, jobStore, queue, logger, gatewayUrl, apiKey, masterKey });

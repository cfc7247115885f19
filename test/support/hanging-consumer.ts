/** Takes messages from the queue of the Redis named on the command line, says so, and never settles them. */
import { createBullMqQueue } from '../../src/queue/bullmq-queue.js';
import { createLogger } from '../../src/logger.js';
import { connectRedis } from '../../src/stores/redis-connection.js';
import { createRedisJobStore } from '../../src/stores/redis-job-store.js';

const [, , url = ''] = process.argv;
const logger = createLogger({ level: 'warn', pretty: false });
const redis = connectRedis({ url, logger });
const queue = createBullMqQueue({
  redis, store: createRedisJobStore({ redis }), logger, delivery: { maxAttempts: 3, lockMs: 1_000 },
});
queue.consume(({ message }) => {
  process.stdout.write(`taken ${message.jobId}\n`);
  return new Promise(() => undefined);
}, { concurrency: 1 });

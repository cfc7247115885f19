/** The queue function as a process of its own: consumes the shared queue and calls the gateway's callbacks. */
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from './config.js';
import { openJobEngine, openKeyRing } from './engines.js';
import { runProcess } from './process.js';
import { consumeJobs } from './queue-function/consume-jobs.js';
import { createDeliver, createDeliveryTransport } from './queue-function/deliver.js';
import { runShutdown } from './shutdown.js';

/** Jobs handled at the same time; a callback that runs costs this process nothing but a connection. */
const CONCURRENCY = 8;

await runProcess('queue-function', async ({ config, logger }) => {
  const { gatewayUrl, keys, jobs, listen, basePath } = config;
  const engine = await openJobEngine(config, logger);
  if (engine.embedded) {
    await engine.close();
    throw new ConfigError(['REDIS_URL is required: the embedded queue is consumed by the gateway itself.']);
  }
  const transport = createDeliveryTransport(jobs.deadlineMs);
  const consumer = consumeJobs({
    queue: engine.queue,
    jobStore: engine.jobStore,
    deliver: createDeliver({
      gatewayUrl: gatewayUrl ?? `http://127.0.0.1:${listen.port}${basePath}`,
      keyRing: await openKeyRing(config),
      apiKey: keys.callback[0],
      deadlineMs: jobs.deadlineMs,
      logger,
      transport,
    }),
    concurrency: CONCURRENCY,
    logger,
  });
  logger.info('queue function is consuming');
  return {
    close: () => runShutdown([
      // What takes longer is delivered again: the queue's lease on it runs out.
      { name: 'jobs in hand', run: () => Promise.race([consumer.close(), delay(config.shutdown.drainMs)]) },
      { name: 'callback connections', run: () => transport.close() },
      { name: 'queue', run: () => engine.close() },
    ], logger),
  };
});

/** The queue function as a process of its own: consumes the shared queue and calls the gateway's callbacks. */
import { openKeyRing, openSharedJobEngine } from './engines/open-engines.js';
import { runProcess } from './process/run-program.js';
import { consumeJobs } from './queue-function/consume-jobs.js';
import { createDeliver, createDeliveryTransport } from './queue-function/deliver.js';
import { endDeliveries } from './queue-function/end-deliveries.js';
import { runShutdown } from './process/shutdown.js';

/** Jobs handled at the same time; a callback that runs costs this process nothing but a connection. */
const CONCURRENCY = 8;

await runProcess('queue-function', async ({ config, logger }) => {
  const { gatewayUrl, keys, jobs, listen, basePath, shutdown } = config;
  const engine = openSharedJobEngine(config, logger);
  const transport = createDeliveryTransport(jobs.deadlineMs);
  const stopping = new AbortController();
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
      stopping: stopping.signal,
    }),
    concurrency: CONCURRENCY,
    logger,
  });
  logger.info('queue function is consuming');
  return {
    close: () =>
      runShutdown(
        [
          { name: 'deliveries', run: () => endDeliveries(consumer, stopping, shutdown.drainMs) },
          { name: 'callback connections', run: () => transport.close() },
          { name: 'queue', run: () => engine.close() },
        ],
        logger,
      ),
  };
});

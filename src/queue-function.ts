/** The queue function as a process of its own: consumes the shared queue and calls the gateway's callbacks. */
import { setTimeout as delay } from 'node:timers/promises';
import { openKeyRing, openSharedJobEngine } from './engines.js';
import { runProcess } from './process.js';
import type { QueueConsumer } from './queue/job-queue.js';
import { consumeJobs } from './queue-function/consume-jobs.js';
import { createDeliver, createDeliveryTransport } from './queue-function/deliver.js';
import { runShutdown } from './shutdown.js';

/** Jobs handled at the same time; a callback that runs costs this process nothing but a connection. */
const CONCURRENCY = 8;

/** Time to give messages back; a queue that does not answer redelivers them by itself. */
const GIVE_BACK_MS = 3_000;

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
    close: () => runShutdown([
      { name: 'deliveries', run: () => endDeliveries(consumer, stopping, shutdown.drainMs) },
      { name: 'callback connections', run: () => transport.close() },
      { name: 'queue', run: () => engine.close() },
    ], logger),
  };
});

/**
 * Lets deliveries end. Those that take too long are given up and their messages come to another queue function.
 *
 * @throws {Error} when the queue does not take the messages back
 */
async function endDeliveries(consumer: QueueConsumer, stopping: AbortController, drainMs: number): Promise<void> {
  const timer = setTimeout(() => stopping.abort(), drainMs);
  await Promise.race([
    consumer.close(),
    delay(drainMs + GIVE_BACK_MS).then(() => {
      throw new Error('The queue does not answer; messages in hand are delivered again when their locks run out.');
    }),
  ]);
  clearTimeout(timer);
}

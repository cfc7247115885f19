/** The queue function as a process of its own: consumes the shared queue and calls the gateway's callbacks. */
import { openKeyRing } from './config/open-key-ring.js';
import { openSharedJobEngine } from './engines/open-job-engine.js';
import { watchedJobEngine } from './engines/watched-job-engine.js';
import { runProgram } from './process/run-program.js';
import { runShutdown } from './process/shutdown.js';
import { startDeliveries } from './queue-function/consume.js';
import { openTracing } from './telemetry/open-tracing.js';

/** Jobs handled at the same time; a callback that runs costs this process nothing but a connection. */
const CONCURRENCY = 8;

/** What consumers and connections get to end once nothing is waited for any more. */
const CLOSE_MS = 6_000;

await runProgram('queue-function', async ({ config, version, logger: plain }) => {
  const { gatewayUrl, keys, jobs, listen, basePath, shutdown } = config;
  const { tracesEndpoint: endpoint, serviceName: service = 'queue-function' } = config.telemetry;
  const tracing = await openTracing({ endpoint, service, version, database: 'redis', logger: plain });
  const { logger, currentTrace, observers } = tracing;
  const engine = watchedJobEngine(await openSharedJobEngine(config, logger), observers.jobStore);
  const deliveries = startDeliveries({
    queue: engine.queue,
    jobStore: engine.jobStore,
    organisations: engine.organisations,
    keyRing: await openKeyRing(config),
    gatewayUrl: gatewayUrl ?? `http://127.0.0.1:${listen.port}${basePath}`,
    apiKey: keys.callback[0],
    signingSecrets: keys.callbackSigning,
    deadlineMs: jobs.deadlineMs,
    concurrency: CONCURRENCY,
    observer: observers.deliveries,
    currentTrace,
    logger,
  });
  logger.event('queue_function.consuming');
  return {
    close: () =>
      runShutdown(
        [
          { name: 'deliveries', maxMs: shutdown.drainMs + CLOSE_MS, run: () => deliveries.close(shutdown.drainMs) },
          { name: 'job store and queue', maxMs: CLOSE_MS, run: () => engine.close() },
          { name: 'traces', maxMs: CLOSE_MS, run: () => tracing.close() },
        ],
        logger,
      ),
  };
});

/** Queue function as a separate process: consumes the shared queue and calls the gateway's callbacks. */
import type { Config } from '../base/config/config.js';
import type { RunningService, ServiceContext } from './process/service.js';
import { onSupportedNode } from './process/supported-node.js';

/** Number of jobs handled at the same time. A running callback costs this process only a connection. */
const CONCURRENCY = 8;

/** Time for consumers and connections to close after draining, in milliseconds. */
const CLOSE_MS = 6_000;

void onSupportedNode(async () => {
  const { runService } = await import('./process/service.js');
  await runService('queue-function', start, async (config) => {
    const { findCollectorDoubts } = await import('./telemetry/traces/start-tracing.js');
    return { doubts: [...(await findGatewayDoubts(config)), ...(await findCollectorDoubts(config))] };
  });
});

/** Checks that the gateway answers. It may start after its queue functions, so a missing answer is only a doubt. */
async function findGatewayDoubts(config: Config): Promise<readonly string[]> {
  const { gatewayUrl, backendTimeoutMs } = config;
  if (gatewayUrl === undefined) return [];
  const { describeError } = await import('../base/errors.js');
  const noGateway = (found: string): readonly string[] => [
    `GATEWAY_URL leads to no gateway now (${found}); BASE_PATH belongs to it.`,
  ];
  try {
    const signal = AbortSignal.timeout(backendTimeoutMs);
    const reply = await fetch(`${gatewayUrl}/health/live`, { redirect: 'manual', signal });
    if (!(await reply.text()).includes('"Status"')) return noGateway(`HTTP ${reply.status}`);
    return await findProxyDoubts(gatewayUrl, config, signal);
  } catch (error) {
    return noGateway(describeError(error instanceof Error ? (error.cause ?? error) : error));
  }
}

/** Checks that answers of callbacks arrive as the gateway sends them, by a call that it refuses without a job. */
async function findProxyDoubts(gatewayUrl: string, { keys }: Config, signal: AbortSignal): Promise<readonly string[]> {
  const { signCallback } = await import('../jobs/record/callback-signature.js');
  const { CALLBACK_PATHS } = await import('../jobs/record/job-kinds.js');
  const job = { org: undefined, jobId: 'check-config' };
  const headers = {
    'content-type': 'text/plain',
    'x-api-key': keys.callback[0],
    'x-job-id': job.jobId,
    ...(keys.callbackSigning && signCallback(keys.callbackSigning, job, '', Date.now())),
  };
  const url = `${gatewayUrl}${CALLBACK_PATHS.mobiles}`;
  const { status, headers: answered } = await fetch(url, { method: 'POST', redirect: 'manual', headers, signal });
  if (answered.get('x-job-id') === job.jobId) return [];
  if (status === 401) return ['The gateway at GATEWAY_URL refuses TASK_CALLBACK_API_KEY or CALLBACK_SIGNING_SECRET.'];
  return [`Answers of GATEWAY_URL lack x-job-id (HTTP ${status}). Let the proxy pass it on; without it, jobs wait.`];
}

async function start({ config, logger: plainLogger, version, commit }: ServiceContext): Promise<RunningService> {
  const { openKeyRing } = await import('../base/config/open-key-ring.js');
  const { openSharedJobEngine } = await import('../jobs/engines/open-job-engine.js');
  const { watchedJobEngine } = await import('../jobs/engines/job-engine.js');
  const { runShutdown } = await import('./process/shutdown.js');
  const { startDeliveries } = await import('../jobs/queue-function/consume.js');
  const { openWatchers } = await import('./telemetry/watchers.js');

  const { gatewayUrl, keys, jobs, listen, basePath, shutdown } = config;
  const { logger, observer, tracing, metrics } = await openWatchers(config, {
    program: 'queue-function',
    version,
    commit,
    logger: plainLogger,
    measure: async (options) => {
      const { programMetrics } = await import('./telemetry/metrics/program-metrics.js');
      return programMetrics(options);
    },
  });
  if (metrics) logger.event('metrics.listening', { url: await metrics.listen() });
  const counting = { onOrder: undefined, onChange: metrics?.onJobChange };
  const engine = watchedJobEngine(await openSharedJobEngine(config, logger, counting), observer);
  await engine.ready();
  const deliveries = startDeliveries({
    queue: engine.queue,
    jobStore: engine.jobStore,
    organisations: engine.organisations,
    keyRing: await openKeyRing(config, metrics?.onKeyUsed),
    gatewayUrl: gatewayUrl ?? `http://127.0.0.1:${listen.port}${basePath}`,
    apiKey: keys.callback[0],
    signingSecrets: keys.callbackSigning,
    deadlineMs: jobs.deadlineMs,
    patienceMs: jobs.queuePatienceMs,
    concurrency: jobs.concurrency ?? CONCURRENCY,
    observer,
    currentTrace: tracing.currentTrace,
    logger,
  });
  metrics?.readMark(() => engine.mark());
  metrics?.readQueue(() => engine.queue.load());
  logger.event('queue_function.consuming');
  return {
    close: () =>
      runShutdown(
        [
          { name: 'deliveries', maxMs: shutdown.drainMs + CLOSE_MS, run: () => deliveries.close(shutdown.drainMs) },
          { name: 'job store and queue', maxMs: CLOSE_MS, run: () => engine.close() },
          { name: 'traces', maxMs: CLOSE_MS, run: () => tracing.close() },
          { name: 'metrics', maxMs: CLOSE_MS, run: async () => metrics?.close() },
        ],
        logger,
      ),
  };
}

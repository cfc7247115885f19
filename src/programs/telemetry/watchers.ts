import type { Config } from '../../base/config/config.js';
import type { Logger, WatchableLogger } from '../../base/logging/logger.js';
import type { MetricsOptions, ProgramMetrics } from './metrics/program-metrics.js';
import type { Observer } from '../../base/observation.js';
import { watchDescriptors } from '../process/process-usage.js';
import { observerOf, combined } from './observers.js';
import type { Tracing } from './traces/start-tracing.js';

/** Observer of a program, and a logger with trace ids whose events are counted. */
export interface Watchers<Metrics extends ProgramMetrics = ProgramMetrics> {
  readonly logger: Logger;
  /** Undefined without metrics and traces. */
  readonly observer: Observer | undefined;
  readonly tracing: Pick<Tracing, 'currentTrace' | 'close'>;
  /** Undefined without metrics. */
  readonly metrics: Metrics | undefined;
}

export interface WatchersOptions<Metrics extends ProgramMetrics> {
  /** Name in the log, in traces and in metrics, unless another one is configured. */
  readonly program: string;
  readonly version: string;
  readonly commit: string;
  readonly logger: WatchableLogger;
  /** Loads the metrics of this program; called only if they are configured. */
  readonly measure: (options: MetricsOptions) => Promise<Metrics>;
}

/** Opens traces and metrics. Their code is loaded only if they are configured. */
export async function openWatchers<Metrics extends ProgramMetrics>(
  { telemetry, metrics: listen, redisUrl, sqsQueueUrl, objects }: Config,
  { program, version, commit, logger: plainLogger, measure }: WatchersOptions<Metrics>,
): Promise<Watchers<Metrics>> {
  const { tracesEndpoint: endpoint, serviceName: service = program } = telemetry;
  const metrics = listen && (await measure({ service, version, commit, listen }));
  const logger = metrics?.counted(plainLogger) ?? plainLogger;
  const database = redisUrl === undefined ? 'sqlite' : 'redis';
  const ownQueue = redisUrl === undefined ? 'sqlite' : 'bullmq';
  const queue = sqsQueueUrl === undefined ? ownQueue : 'aws_sqs';
  let tracing: Tracing | undefined;
  if (endpoint !== undefined) {
    const { startTracing } = await import('./traces/start-tracing.js');
    tracing = startTracing({ endpoint, service, version, commit, database, queue, objects, logger });
  }
  const unwatch = watchDescriptors(logger);
  const close = async (): Promise<void> => {
    unwatch();
    await tracing?.close();
  };
  return {
    logger: tracing?.logger ?? logger,
    observer: combined(tracing && observerOf(tracing.observations), metrics && observerOf(metrics.observations)),
    tracing: { currentTrace: tracing?.currentTrace ?? (() => undefined), close },
    metrics,
  };
}

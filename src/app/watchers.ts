import type { Config } from '../config/config.js';
import type { PersistedOperationsOptions } from '../graphql/documents/persisted-operations.js';
import type { Logger, WatchableLogger } from '../logging/logger.js';
import type { GatewayMetrics } from '../telemetry/metrics/program-metrics.js';
import { together, type Observers } from '../telemetry/observers.js';
import { openTracing, type Tracing } from '../telemetry/tracing.js';

/** Observers of a gateway, and the logger connected to them. */
export interface Watchers {
  readonly logger: Logger;
  readonly observers: Observers;
  readonly tracing: Tracing;
  /** Undefined without metrics. */
  readonly metrics: GatewayMetrics | undefined;
}

/** Opens traces and metrics, if configured, in addition to given observers. */
export async function openWatchers(
  config: Config,
  options: {
    readonly logger: WatchableLogger;
    readonly version: string;
    readonly observers: Observers;
    readonly persistedOperations: PersistedOperationsOptions | undefined;
  },
): Promise<Watchers> {
  const { logger: plainLogger, version, observers, persistedOperations } = options;
  const { tracesEndpoint: endpoint, serviceName: service = 'gateway' } = config.telemetry;
  const database = config.redisUrl === undefined ? 'sqlite' : 'redis';
  const metrics = await openMetrics(config, { service, version }, persistedOperations);
  const logger = metrics?.counted(plainLogger) ?? plainLogger;
  const bucket = config.s3?.bucket;
  const tracing = await openTracing({ endpoint, service, version, database, bucket, logger });
  return {
    logger: tracing.logger,
    observers: together(together(observers, tracing.observers), metrics?.observers ?? {}),
    tracing,
    metrics,
  };
}

/** Loads the metrics code only if configured. */
async function openMetrics(
  { metrics: listen }: Config,
  program: { readonly service: string; readonly version: string },
  persisted: PersistedOperationsOptions | undefined,
): Promise<GatewayMetrics | undefined> {
  if (listen === undefined) return undefined;
  const { gatewayMetrics } = await import('../telemetry/metrics/program-metrics.js');
  const { operationNames } = await import('../graphql/documents/persisted-operations.js');
  return gatewayMetrics({ ...program, listen }, persisted && operationNames(persisted));
}

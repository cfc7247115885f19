import type { Logger } from '../logging/logger.js';
import type { CurrentTrace } from '../wire/trace-headers.js';
import type { Observers } from './observers.js';

/** Destination and origin of spans. */
export interface TracingOptions {
  /** URL that receives spans (OTLP over HTTP). */
  readonly endpoint: string;
  readonly service: string;
  readonly version: string;
  /** Kind of the job store: `redis` or `sqlite`. */
  readonly database: string;
  /** Bucket of the reports; undefined: files. */
  readonly bucket: string | undefined;
  readonly logger: Logger;
}

/** Traces of this process. */
export interface Tracing {
  readonly observers: Observers;
  readonly currentTrace: CurrentTrace;
  /** Adds the trace id to each line within a trace. */
  readonly logger: Logger;
  /** Exports the remaining spans, within 2 s. Never rejects. */
  close(): Promise<void>;
}

/** Starts tracing if there is an endpoint. Without one, OpenTelemetry is not loaded. */
export async function openTracing({
  endpoint,
  logger,
  ...options
}: Omit<TracingOptions, 'endpoint'> & { readonly endpoint: string | undefined }): Promise<Tracing> {
  if (endpoint === undefined) {
    return { observers: {}, currentTrace: () => undefined, logger, close: () => Promise.resolve() };
  }
  const { startTracing } = await import('./traces/start-tracing.js');
  return startTracing({ endpoint, logger, ...options });
}

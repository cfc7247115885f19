import type { Tracing, TracingOptions } from './tracing.js';

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

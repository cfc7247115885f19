import type { Tracing, TracingOptions } from './tracing.js';

/** Opens traces where there is an endpoint for them. Without one nothing of OpenTelemetry is loaded. */
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

import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions';
import type { Tracing, TracingOptions } from '../tracing.js';
import { ReportedExport } from './reported-export.js';
import { Spans } from './spans.js';
import { tracedObservers } from './traced-observers.js';
import type { Logger } from '../../logging/logger.js';

/** What is left of the spans may take so long at the end, in milliseconds; a collector that hangs gets nothing. */
const FLUSH_MS = 2_000;

/**
 * Sets the SDK up, without its globals, and without instrumentation that would change libraries. Spans leave in
 * batches, in the background; of more than the queue holds the rest is dropped.
 */
export function startTracing({ endpoint, service, version, logger, ...stores }: TracingOptions): Tracing {
  const exporter = new ReportedExport(new OTLPTraceExporter({ url: endpoint }), logger);
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: service, [ATTR_SERVICE_VERSION]: version }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const contexts = new AsyncLocalStorageContextManager().enable();
  const spans = new Spans(provider.getTracer('vehicle-location-gateway', version), contexts);
  return {
    observers: tracedObservers(spans, stores),
    currentTrace: () => spans.current(),
    logger: tracedLogger(logger, () => spans.currentId()),
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const tooLong = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, FLUSH_MS);
      });
      // What could not be handed over has been logged.
      await Promise.race([provider.shutdown().catch(() => undefined), tooLong]);
      clearTimeout(timer);
    },
  };
}

/** The same logger, which also says to which trace a line belongs. */
function tracedLogger(logger: Logger, traceId: () => string | undefined): Logger {
  return {
    event(name, fields) {
      const id = traceId();
      logger.event(name, id === undefined ? fields : { ...fields, trace_id: id });
    },
    child: (fields) => tracedLogger(logger.child(fields), traceId),
  };
}

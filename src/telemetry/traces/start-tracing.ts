import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions';
import type { Tracing, TracingOptions } from '../tracing.js';
import type { Logger } from '../../logging/logger.js';
import { describeError } from '../../errors.js';
import { Spans } from './spans.js';
import { tracedObservers } from './traced-observers.js';

/** What an export led to; the code of success is 0. */
type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/** Says in the log once that spans cannot be handed over, and once that they can again. */
export class ReportedExport implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #logger: Logger;
  #lost = 0;

  constructor(exporter: SpanExporter, logger: Logger) {
    this.#exporter = exporter;
    this.#logger = logger;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exporter.export(spans, (result) => {
      this.#report(spans.length, result);
      done(result);
    });
  }

  forceFlush(): Promise<void> {
    return this.#exporter.forceFlush?.() ?? Promise.resolve();
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }

  #report(spans: number, { code, error }: ExportResult): void {
    const hasFailed = Boolean(code);
    if (hasFailed) {
      if (this.#lost === 0) this.#logger.event('traces.not_exported', { reason: describeError(error) });
      this.#lost += spans;
    } else if (this.#lost > 0) {
      this.#logger.event('traces.exported_again', { lostSpans: this.#lost });
      this.#lost = 0;
    }
  }
}

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

import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  hostDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions';
import type { Config } from '../../../base/config/config.js';
import { describeError } from '../../../base/errors.js';
import type { Logger } from '../../../base/logging/logger.js';
import { LATE, withinTime } from '../../../base/waits.js';
import type { CurrentTrace } from '../../../base/wire/trace-headers.js';
import type { Observations } from '../observers.js';
import { Spans } from './spans.js';
import { tracedWork, type TracedStores } from './traced-work.js';

export interface TracingOptions extends TracedStores {
  /** URL that receives spans (OTLP over HTTP). */
  readonly endpoint: string;
  readonly service: string;
  readonly version: string;
  readonly commit: string;
  readonly logger: Logger;
}

export interface Tracing {
  readonly observations: Observations;
  readonly currentTrace: CurrentTrace;
  /** Adds the trace id to each line within a trace. */
  readonly logger: Logger;
  /** Exports the remaining spans, within 2 s. Never rejects. */
  close(): Promise<void>;
}

/** Makes an exporter that logs once when exports begin to fail, and once when they work again. */
export function reportedExport(exporter: SpanExporter, logger: Logger): SpanExporter {
  let lost = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = Boolean(result.code); // 0 is success
        if (hasFailed && lost === 0) logger.event('traces.not_exported', { reason: describeError(result.error) });
        if (!hasFailed && lost > 0) logger.event('traces.exported_again', { lostSpans: lost });
        lost = hasFailed ? lost + spans.length : 0;
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

/** Name of the commit, outside of the stable semantic conventions of OpenTelemetry. */
const ATTR_COMMIT = 'vcs.ref.head.revision';

/** Time limit of the last export, in milliseconds; a collector that hangs loses the remaining spans. */
const FLUSH_MS = 2_000;

/**
 * Sets up the SDK without its globals, and without instrumentation, which would change libraries. Spans are exported in
 * batches in the background; spans beyond the capacity of the queue are dropped.
 */
export function startTracing({ endpoint, service, version, commit, logger, ...stores }: TracingOptions): Tracing {
  const exporter = reportedExport(new OTLPTraceExporter({ url: endpoint }), logger);
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(
        resourceFromAttributes({
          [ATTR_SERVICE_NAME]: service,
          [ATTR_SERVICE_VERSION]: version,
          [ATTR_COMMIT]: commit,
        }),
      )
      .merge(detectResources({ detectors: [hostDetector, serviceInstanceIdDetector, envDetector] })),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const contexts = new AsyncLocalStorageContextManager().enable();
  const spans = new Spans(provider.getTracer('vehicle-location-gateway', version), contexts);
  return {
    observations: tracedWork(spans, stores),
    currentTrace: () => spans.current(),
    logger: tracedLogger(logger, () => spans.currentId()),
    async close() {
      // The exporter has logged failures.
      const flushed = provider.shutdown().catch(() => undefined);
      await withinTime(flushed, FLUSH_MS);
    },
  };
}

/** Time limit of the question whether a collector takes traces, in milliseconds. */
const ASK_MS = 3_000;

/** Asks the collector of traces, which the start never does. It may come later, so its silence is only a doubt. */
export async function findCollectorDoubts({ telemetry: { tracesEndpoint } }: Config): Promise<readonly string[]> {
  if (tracesEndpoint === undefined) return [];
  const exporter = new OTLPTraceExporter({ url: tracesEndpoint, timeoutMillis: ASK_MS });
  const asked = new Promise<string | undefined>((resolve) => {
    exporter.export([], ({ error }) => resolve(error && describeError(error)));
  });
  const fault = await withinTime(asked, ASK_MS);
  void exporter.shutdown();
  const reason = fault === LATE ? `no answer within ${ASK_MS / 1_000} s` : fault;
  return reason === undefined
    ? []
    : [`The collector of traces at OTEL_EXPORTER_OTLP_ENDPOINT takes none now: ${reason}.`];
}

/** Returns the same logger, with the trace id in each line. */
function tracedLogger(logger: Logger, traceId: () => string | undefined): Logger {
  return {
    event(name, fields) {
      const id = traceId();
      logger.event(name, id === undefined ? fields : { ...fields, trace_id: id });
    },
    child: (fields) => tracedLogger(logger.child(fields), traceId),
  };
}

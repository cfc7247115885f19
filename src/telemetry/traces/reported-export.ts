import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { describeError } from '../../errors.js';
import type { Logger } from '../../logging/logger.js';

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

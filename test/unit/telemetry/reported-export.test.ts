import { expect, it } from '@jest/globals';
import { InMemorySpanExporter, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { reportedExport } from '../../../src/programs/telemetry/traces/start-tracing.js';
import { captureLog } from '../../support/captured-log.js';

it('an outage of the collector is logged once when it begins and once when it is over, with what was lost', async () => {
  const log = captureLog();
  const taking = new InMemorySpanExporter();
  const refusing = new InMemorySpanExporter();
  await refusing.shutdown();
  let exports = 0;
  const collector: SpanExporter = {
    export(spans, done) {
      exports += 1;
      (exports <= 2 ? refusing : taking).export(spans, done);
    },
    shutdown: () => Promise.resolve(),
  };
  const exporter = reportedExport(collector, log.logger);
  const codes: number[] = [];
  const spans = [{}, {}, {}] as ReadableSpan[]; // only counted
  for (let times = 0; times < 4; times += 1) {
    codes.push(await new Promise((resolve) => exporter.export(spans, ({ code }) => resolve(code))));
  }
  expect(codes).toEqual([1, 1, 0, 0]);
  expect(log.entries()).toMatchObject([
    { event: 'traces.not_exported', level: 'warn', reason: 'Exporter has been stopped' },
    { event: 'traces.exported_again', level: 'info', lostSpans: 6 },
  ]);
});

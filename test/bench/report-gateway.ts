import { createReportRenderer } from '../../src/reports/render/renderer.js';
import type { DriverOutcome } from '../../src/reports/model.js';
import { SAMPLE_DATE, sampleOutcome } from '../support/sample-report.js';
import { runChild } from './report-child.js';
import { median } from './requests/section.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly requests: number;
}

const ROUNDS = 5;
const WARM_UP_ROUNDS = 2;
const CALLBACKS = 31;
const DRIVERS = 1_000;

/** Latency of GraphQL beside reports that are drawn in the same process, and the time of one small report. */
export async function runGatewayPart(): Promise<{ quiet: Latency; rendering: Latency; callback: number }> {
  const gateway = await startTestGateway({ LOG_LEVEL: 'warn' });
  try {
    const callback = await medianCallback(gateway);
    for (let index = 0; index < WARM_UP_ROUNDS; index += 1) await loaded(gateway.url);
    const quiet: Latency[] = [];
    const rendering: Latency[] = [];
    // In turns, so that whatever else the machine does meets both alike.
    for (let index = 0; index < ROUNDS; index += 1) {
      quiet.push(await loaded(gateway.url));
      const stop = new AbortController();
      const drawing = drawUntil(stop.signal);
      rendering.push(await loaded(gateway.url));
      stop.abort();
      await drawing;
    }
    return { quiet: middle(quiet), rendering: middle(rendering), callback };
  } finally {
    await gateway.close();
  }
}

async function medianCallback(gateway: TestGateway): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < CALLBACKS; index += 1) {
    const start = performance.now();
    const reply = await gateway.callback(
      '/api/v1/DrivingReport/GenerateCallback',
      { date: SAMPLE_DATE, drivers: [{ mobileId: '1', employeeCode: 'E20021', employeeName: '齋藤 健一郎' }] },
      { 'x-job-id': `bench-${index}`, 'x-org-id': 'acme' },
    );
    if (reply.status !== 200) throw new Error(`The callback answered ${reply.status}: ${reply.text}`);
    times.push(performance.now() - start);
  }
  return median(times.slice(CALLBACKS / 3));
}

/** Draws reports of 1,000 drivers one after another; drivers arrive as JSON, as they do from a backend. */
async function drawUntil(signal: AbortSignal): Promise<void> {
  const renderer = createReportRenderer({ workers: 1, maxTaggedPages: 300 });
  const options = { locale: 'en', tripsPerDriver: 20, trackPoints: 200 } as const;
  const answers = Array.from({ length: 50 }, (_, index) => JSON.stringify(sampleOutcome(index, options)));
  async function* arriving(): AsyncGenerator<DriverOutcome> {
    for (let index = 0; index < DRIVERS; index += 1) {
      await new Promise(setImmediate);
      // The text was made of such an outcome just above.
      yield JSON.parse(answers[index % answers.length] ?? '') as DriverOutcome;
    }
  }
  const report = {
    jobId: 'bench',
    org: 'Tohto Transport',
    createdAt: new Date(0),
    date: SAMPLE_DATE,
    driverCount: DRIVERS,
    locale: 'en',
    speedLimitKmh: 80,
  } as const;
  try {
    while (!signal.aborted) {
      // Bytes are dropped as fast as they come.
      for await (const _ of renderer.render(report, arriving(), signal)) continue;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await renderer.close();
  }
}

async function loaded(url: string): Promise<Latency> {
  const output = await runChild('./report-load-child.ts', url);
  // The load generator prints a list of milliseconds.
  const times = JSON.parse(output) as number[];
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), requests: times.length };
}

/** The round whose 99th percentile is the median of all rounds. */
function middle(rounds: readonly Latency[]): Latency {
  const sorted = rounds.toSorted((a, b) => a.p99 - b.p99);
  return sorted[Math.floor(sorted.length / 2)] ?? { p50: NaN, p99: NaN, requests: 0 };
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN;
}

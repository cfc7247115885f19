import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createReportRenderer } from '../../src/reports/render.js';
import type { DriverOutcome } from '../../src/reports/model.js';
import { SAMPLE_DATE, sampleOutcome } from '../../src/reports/sample-report.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly requests: number;
}

const CALLBACKS = 31;
const DRIVERS = 1_000;

/** Latency of GraphQL beside reports that are drawn in the same process, and the time of one small report. */
export async function runGatewayPart(): Promise<{ quiet: Latency; rendering: Latency; callback: number }> {
  const gateway = await startTestGateway({ LOG_LEVEL: 'warn' });
  try {
    const callback = await medianCallback(gateway);
    await loaded(gateway.url);
    const quiet = await loaded(gateway.url);
    const stop = new AbortController();
    const drawing = drawUntil(stop.signal);
    const rendering = await loaded(gateway.url);
    stop.abort();
    await drawing;
    return { quiet, rendering, callback };
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
  return percentile(times.slice(CALLBACKS / 3), 0.5);
}

/** Draws reports of 1,000 drivers one after another; drivers arrive as JSON, as they do from a backend. */
async function drawUntil(signal: AbortSignal): Promise<void> {
  const renderer = createReportRenderer({ workers: 1 });
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
    jobId: 'bench', org: 'Tohto Transport', createdAt: new Date(0), date: SAMPLE_DATE,
    driverCount: DRIVERS, locale: 'en', speedLimitKmh: 80,
  } as const;
  try {
    while (!signal.aborted) {
      for await (const bytes of renderer.render(report, arriving(), signal)) void bytes;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await renderer.close();
  }
}

async function loaded(url: string): Promise<Latency> {
  const script = fileURLToPath(new URL('./report.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, 'load', url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`The load generator ended with code ${child.exitCode}.`);
  // The load generator prints a list of milliseconds.
  const times = JSON.parse(output) as number[];
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), requests: times.length };
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN;
}

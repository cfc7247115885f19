import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createReportRenderer } from '../../src/reports/render.js';
import { SAMPLE_DATE, sampleOutcomes } from '../../src/reports/sample-report.js';

/** Peak resident memory in MiB of a process of its own that draws a report of that many drivers. */
export async function peakMemory(drivers: number): Promise<number> {
  const script = fileURLToPath(new URL('./report.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, 'memory', String(drivers)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`The memory measurement ended with code ${child.exitCode}.`);
  return Number(output);
}

/** Draws a report, throws its bytes away and prints the peak resident memory of the process in MiB. */
export async function renderForMemory(drivers: number): Promise<void> {
  const renderer = createReportRenderer({ workers: 1 });
  const report = {
    jobId: 'bench', org: 'Tohto Transport', createdAt: new Date(0), date: SAMPLE_DATE,
    driverCount: drivers, locale: 'en', speedLimitKmh: 80,
  } as const;
  const outcomes = sampleOutcomes(drivers, { locale: 'en', tripsPerDriver: 20, trackPoints: 200 });
  for await (const bytes of renderer.render(report, outcomes, new AbortController().signal)) void bytes;
  await renderer.close();
  process.stdout.write(highWaterMark().toFixed(1));
}

/** `process.resourceUsage()` would count the memory of the parent, from which Linux forks a process. */
function highWaterMark(): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  if (kilobytes === undefined) throw new Error('The peak memory is measured on Linux only.');
  return Number(kilobytes) / 1024;
}

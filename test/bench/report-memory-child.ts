import { readFileSync } from 'node:fs';
import { createReportRenderer } from '../../src/reports/render/renderer.js';
import { SAMPLE_DATE, sampleOutcomes } from '../support/sample-report.js';

/**
 * Draws a report of as many drivers as the argument says, drops its bytes and prints the peak resident memory
 * of the process in MiB. It loads nothing else, so that nothing else is measured.
 */
const drivers = Number(process.argv[2]);
const renderer = createReportRenderer({ workers: 1, maxTaggedPages: 300 });
const report = {
  jobId: 'bench',
  org: 'Tohto Transport',
  createdAt: new Date(0),
  date: SAMPLE_DATE,
  driverCount: drivers,
  locale: 'en',
  speedLimitKmh: 80,
  overLimitMinSeconds: 10,
  drivingRules: 'off',
} as const;
const outcomes = sampleOutcomes(drivers, { locale: 'en', tripsPerDriver: 20, trackPoints: 200 });
for await (const _ of renderer.render(report, () => outcomes, new AbortController().signal)) continue;
await renderer.close();
process.stdout.write(highWaterMark().toFixed(1));

/** `process.resourceUsage()` would count the memory of the parent, from which Linux forks a process. */
function highWaterMark(): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  if (kilobytes === undefined) throw new Error('The peak memory is measured on Linux only.');
  return Number(kilobytes) / 1024;
}

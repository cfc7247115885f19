import { readFileSync } from 'node:fs';
import type { DriverOutcome, ReportTrip } from '../../src/reports/model.js';
import { createReportRenderer } from '../../src/reports/render/renderer.js';
import { SAMPLE_DATE, sampleOutcomes } from '../support/sample-report.js';

/**
 * Draws a report of as many drivers as the first argument says, by the driving time rules of the second one or none,
 * drops its bytes and prints the peak resident memory of the process in MiB. It loads nothing else, so that nothing
 * else is measured.
 */
const drivers = Number(process.argv[2]);
const drivingRules = process.argv[3] === 'japan-2024' ? 'japan-2024' : 'off';
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
  drivingRules,
} as const;
for await (const _ of renderer.render(report, outcomes, new AbortController().signal)) continue;
await renderer.close();
process.stdout.write(highWaterMark().toFixed(1));

/** Yields the drivers; for rules, each drove the same trips on the day before. */
async function* outcomes(): AsyncGenerator<DriverOutcome> {
  const options = { locale: 'en', tripsPerDriver: 20, trackPoints: 200 } as const;
  for await (const outcome of sampleOutcomes(drivers, options)) {
    if (drivingRules === 'off' || outcome.kind !== 'day') yield outcome;
    else {
      const { driver, trips } = outcome;
      const mobile = { mobileId: driver.mobileId, trips: [], before: trips.map(dayBefore), isShared: false };
      yield { ...outcome, weighed: { mobiles: [mobile], isNoPerson: false } };
    }
  }
}

function dayBefore({ start, end, track, ...trip }: ReportTrip): ReportTrip {
  const earlier = <Fix extends { readonly time: string }>(fix: Fix): Fix => ({
    ...fix,
    time: new Date(Date.parse(fix.time) - 24 * 3_600_000).toISOString(),
  });
  return { ...trip, start: earlier(start), end: earlier(end), track: track.map(earlier) };
}

/** `process.resourceUsage()` would count the memory of the parent, from which Linux forks a process. */
function highWaterMark(): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  if (kilobytes === undefined) throw new Error('The peak memory is measured on Linux only.');
  return Number(kilobytes) / 1024;
}

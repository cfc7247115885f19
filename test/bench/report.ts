import { existsSync } from 'node:fs';
import { runGatewayPart, type Latency } from './report-gateway.js';
import { drawByHand, drawOurs, drawWithPdfmake, openChromium, type Day } from './report-contenders.js';
import { peakMemory } from './report-memory.js';
import { rowsOnPages } from '../../src/reports/page/cover-layout.js';
import { sampleTrips, generator, sampleOutcome } from '../../src/reports/sample-report.js';
import { FontLibrary } from '../../src/reports/text/font-library.js';

/**
 * Measures driving reports: `npm run bench:report`. Every number is a median or a peak of this run, and every
 * comparison is made within it, so that only ratios between machines differ little.
 */
const ROUNDS = 7;
const WARM_UP_ROUNDS = 3;
const PAGES = 200;
/** A quiet gateway that takes longer than this for a trivial query shares its processors. */
const BUSY_MILLISECONDS = 10;
const CHROMIUM = '/usr/bin/chromium';

await measure();

async function measure(): Promise<void> {
  const days = Array.from({ length: PAGES }, (_, index) => fullDay(index));
  const fonts = new FontLibrary();
  fonts.warm();
  const browser = existsSync(CHROMIUM) ? await openChromium(CHROMIUM) : undefined;
  const contenders: [string, () => unknown][] = [
    ['by hand (floor)', () => drawByHand(days)],
    ['our report', () => drawOurs(days, fonts)],
    ['pdfmake', () => drawWithPdfmake(days)],
    ...(browser === undefined ? [] : [['Chromium print', () => browser.print(days)] satisfies [string, () => unknown]]),
  ];
  const pages = await drawOurs(days, fonts);
  if (pages !== PAGES + rowsOnPages(PAGES).length) throw new Error(`The day must fit on a page, but ${PAGES} days took ${pages}.`);
  const times = await medians(contenders);
  await browser?.close();
  const ours = times.get('our report') ?? NaN;
  say(`A page with 20 trips and a chart of 200 points, median of ${ROUNDS} rounds of ${PAGES} pages:`);
  for (const [name, time] of times) {
    say(`  ${name.padEnd(18)} ${time.toFixed(2)} ms   ours takes ${(ours / time).toFixed(2)} of it`);
  }
  if (browser === undefined) say(`  Chromium print     not measured: ${CHROMIUM} is not installed`);
  verdict('at most 3 times the floor', ours <= 3 * (times.get('by hand (floor)') ?? 0));
  verdict('at least 5 times faster than pdfmake', (times.get('pdfmake') ?? 0) >= 5 * ours);
  if (browser !== undefined) verdict('at least 20 times faster than Chromium', (times.get('Chromium print') ?? 0) >= 20 * ours);

  const [thousand, tenThousand] = [await peakMemory(1_000), await peakMemory(10_000)];
  say(`Peak resident memory: ${thousand.toFixed(0)} MiB for 1,000 drivers, ${tenThousand.toFixed(0)} MiB for 10,000`);
  verdict('at most 350 MiB for 10,000 drivers', tenThousand <= 350);
  verdict('at most 1.6 times that of 1,000', tenThousand <= 1.6 * thousand);

  const { quiet, rendering, callback } = await runGatewayPart();
  say(`GraphQL while nothing is drawn: ${described(quiet)}; while 1,000-driver reports are drawn: ${described(rendering)}`);
  const isJudgeable = quiet.p50 <= BUSY_MILLISECONDS;
  if (!isJudgeable) say('  The machine is busy with other work: even a quiet gateway answers late, so nothing is shown.');
  verdict('p99 at most twice that without, plus 5 ms', isJudgeable && rendering.p99 <= 2 * quiet.p99 + 5);
  say(`One-driver report from callback to stored object, warm: ${callback.toFixed(1)} ms median`);
  verdict('at most 60 ms', callback <= 60);
}

/** A day of 20 trips and 200 points that fits on one page. */
function fullDay(index: number): Day {
  const { driver } = sampleOutcome(index, { locale: 'en' });
  const trips = sampleTrips(generator(index + 1), { locale: 'en', tripsPerDriver: 20, trackPoints: 200 });
  const short = (address: string | null): string | null => address?.slice(0, 26) ?? null;
  return {
    kind: 'day',
    driver,
    trips: trips.map((trip) => ({
      ...trip,
      startAddress: short(trip.startAddress),
      endAddress: short(trip.endAddress),
    })),
  };
}

/** Rounds take turns, so that a slow moment of the machine does not hit one contender alone. */
async function medians(contenders: readonly [string, () => unknown][]): Promise<Map<string, number>> {
  const times = new Map<string, number[]>(contenders.map(([name]) => [name, []]));
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    for (const [name, run] of contenders) {
      const start = performance.now();
      await run();
      if (round >= WARM_UP_ROUNDS) times.get(name)?.push((performance.now() - start) / PAGES);
    }
  }
  return new Map([...times].map(([name, list]) => [name, median(list)]));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

function described({ p50, p99, requests }: Latency): string {
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${requests} requests`;
}

function verdict(what: string, isMet: boolean): void {
  say(`  ${isMet ? 'met    ' : 'NOT MET'} ${what}`);
  if (!isMet) process.exitCode = 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

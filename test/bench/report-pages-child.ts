import { drawOurs, drawWithPdfkit } from './report-contenders.js';
import { FontLibrary } from '../../src/reports/text/font-library.js';
import type { DayOutcome } from '../../src/reports/model.js';
import { randomFrom } from '../../src/sandbox/seed/random.js';
import { sampleOutcome, sampleTrips } from '../support/sample-report.js';
import { median } from './requests/section.js';

const ROUNDS = 9;
/** 800 pages: the just-in-time compiler is still at work then, as it is in a gateway that draws a few reports an hour. */
const WARM_UP_ROUNDS = 4;
const PAGES = 200;

/**
 * Lets one contender print its pages again and again and prints the median processor time of a page, in
 * milliseconds. Each has a process of its own, so that none suffers from what another one left in memory.
 */
const days = Array.from({ length: PAGES }, (_, index) => fullDay(index));
const print = printerOf(process.argv[2] ?? '');
const times: number[] = [];
for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
  const before = process.cpuUsage();
  await print();
  const { user, system } = process.cpuUsage(before);
  if (round >= WARM_UP_ROUNDS) times.push((user + system) / 1_000 / PAGES);
}
process.stdout.write(median(times).toFixed(4));

function printerOf(contender: string): () => unknown {
  switch (contender) {
    case 'pdfkit':
      return () => drawWithPdfkit(days);
    case 'ours':
    case 'ours-tagged': {
      const fonts = new FontLibrary();
      return () => drawOurs(days, fonts, contender === 'ours-tagged');
    }
    default:
      throw new Error(`There is no contender called ${contender}.`);
  }
}

/** A day of 11 trips and 200 points, which fits on one page; the same number always gives the same day. */
function fullDay(index: number): DayOutcome {
  const { driver } = sampleOutcome(index, { locale: 'en' });
  const trips = sampleTrips(randomFrom(index + 1), { locale: 'en', tripsPerDriver: 11, trackPoints: 200 });
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

import type { DayOutcome } from '../../src/reports/model.js';
import { randomFrom } from '../../src/sandbox/seed/random.js';
import { sampleOutcome, sampleTrips } from '../support/sample-report.js';

/** A day of 11 trips and 200 points, which fits on one page; the same number always gives the same day. */
export function fullDay(index: number): DayOutcome {
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

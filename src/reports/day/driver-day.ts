import type { ReportTrip } from '../model.js';
import { isDrawnAside, type DayBreak, type DayTrip } from './day-trip.js';
import { breaksOf, totalsOf, type DayTotals } from './day-totals.js';
import { LeftOut } from './plausible.js';
import { readTrip } from './read-trip.js';
import type { DrivingDay } from './report-date.js';
import { standingsOf } from './standing.js';
import { tripPositions, type TripPositions } from './trip-positions.js';

/** A driver's day with everything impossible removed or flagged, in order of time. */
export interface DriverDay {
  readonly trips: readonly DayTrip[];
  /** The pauses between trips that count. */
  readonly breaks: readonly DayBreak[];
  /** Where each trip is drawn that counts or is shown beside those. */
  readonly positions: readonly TripPositions[];
  readonly totals: DayTotals;
  readonly leftOut: LeftOut;
}

const DAY_MS = 24 * 3600 * 1000;
/** A trip may begin on the day before or end on the day after; a reading farther away is a fault. */
const NEIGHBOURING_DAY = DAY_MS;
/** Ends of trips of another day are shown within a month, so that people see which one it is. */
const SHOWN_DAYS = 31 * DAY_MS;

/** Checks and totals the trips of a driver. Never throws: what cannot be true is left out or flagged, and counted. */
export function readDriverDay(trips: readonly ReportTrip[], day: DrivingDay, speedLimitKmh: number): DriverDay {
  const leftOut = new LeftOut();
  const [from, to] = [Date.parse(day.from), Date.parse(day.to)];
  const reading = {
    near: { earliest: from - NEIGHBOURING_DAY, latest: to + NEIGHBOURING_DAY },
    shown: { earliest: from - SHOWN_DAYS, latest: to + SHOWN_DAYS },
    speedLimitKmh,
    leftOut,
  };
  const read = trips
    .map((trip) => readTrip(trip, reading))
    .sort(({ trip: a }, { trip: b }) => inOrder(a.start, b.start) || inOrder(a.end, b.end));
  const standings = standingsOf(
    read.map(({ facts }) => facts),
    day,
  );
  const dayTrips = read.map(({ trip }, index): DayTrip => {
    const standing = standings[index] ?? { kind: 'counted' };
    return { ...trip, standing };
  });
  // Trips that are not drawn still tell which of two distant places is wrong.
  const positions = tripPositions(
    read.map(({ fixes }) => fixes),
    leftOut,
  ).filter((_, index) => isDrawn(dayTrips[index]));
  const breaks = breaksOf(dayTrips);
  return { trips: dayTrips, breaks, positions, totals: totalsOf(dayTrips, breaks), leftOut };
}

function isDrawn(trip: DayTrip | undefined): boolean {
  return trip !== undefined && (trip.standing.kind === 'counted' || isDrawnAside(trip));
}

/** By the minutes that are printed, in which a trip of no minute comes before one that begins with it; unknown last. */
function inOrder(a: number | null, b: number | null): number {
  return (a ?? Infinity) - (b ?? Infinity) || 0;
}

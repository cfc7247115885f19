import type { Fix, ReportTrip } from '../model.js';
import { type DayTotals, totalsOf } from './day-totals.js';
import { type DayBreak, type DayTrip, isCounted, isDrawn, type RecordGap } from './day-trip.js';
import { distanceBetween } from './earth.js';
import { LeftOut } from './plausible.js';
import { readFixes, readTrip, type Span, type TripWay } from './read-trip.js';
import type { DrivingDay } from './report-date.js';
import { shownMinute } from './shown-figures.js';
import type { SpeedLimit } from './speed-series.js';
import { unsupported } from './track-check.js';
import { COUNTED, verdictsOf } from './verdict.js';
import { type TripPlaces, tripPlaces, type TripPositions } from './trip-positions.js';

/** Day of a driver in order of time, with everything impossible removed or flagged. */
export interface DriverDay {
  readonly trips: readonly DayTrip[];
  /** Pauses between trips, and gaps in the driving record. */
  readonly breaks: readonly DayBreak[];
  /** Positions of each drawn trip, whether the trip counts or not. */
  readonly positions: readonly TripPositions[];
  readonly totals: DayTotals;
  readonly leftOut: LeftOut;
  /** Places of all trips. */
  readonly places: readonly TripPlaces[];
}

const DAY_MS = 24 * 3600 * 1000;
/**
 * Margin around the day: a trip may begin on the day before or end on the day after; a reading farther away is a fault.
 */
const NEIGHBOURING_DAY = DAY_MS;
/** Margin for showing ends of trips of another day, so that readers can identify the day. */
const SHOWN_DAYS = 31 * DAY_MS;

/** Checks and totals the trips of a driver. Never throws: leaves out or flags impossible data, and counts it. */
export function readDriverDay(trips: readonly ReportTrip[], day: DrivingDay, limit: SpeedLimit): DriverDay {
  const leftOut = new LeftOut();
  const reading = { near: around(day, NEIGHBOURING_DAY), shown: around(day, SHOWN_DAYS), limit, leftOut };
  const read = trips
    .map((trip) => readTrip(trip, reading))
    .sort(({ trip: a }, { trip: b }) => inOrder(a.start, b.start) || inOrder(a.end, b.end));
  const verdicts = verdictsOf(
    read.map(({ facts }) => facts),
    day,
  );
  // Trips that are not drawn still help to decide which of two distant places is wrong.
  const places = tripPlaces(
    read.map(({ fixes }) => fixes),
    leftOut,
  );
  const isTracked = read.some(({ fixes }) => fixes.track.length > 0);
  const dayTrips = read.map(({ trip, fixes, doubted }, index): DayTrip => {
    const [place, verdict = COUNTED] = [places[index], verdicts[index]];
    return {
      ...trip,
      // An address is removed together with its place.
      startAddress: place?.start === undefined ? null : trip.startAddress,
      endAddress: place?.end === undefined ? null : trip.endAddress,
      unsupported:
        place === undefined || !isCounted({ verdict }) ? [] : unsupported(trip, fixes, place, { doubted, isTracked }),
      verdict,
    };
  });
  const positions = dayTrips.flatMap((trip, index) => (isDrawn(trip) ? [places[index]?.parts ?? []] : []));
  const breaks = breaksOf(dayTrips, places);
  const totals = totalsOf(dayTrips, breaks);
  return { trips: dayTrips, breaks, positions, totals, leftOut, places };
}

/** Returns the ends of trips that `readDriverDay` takes for possible: only their addresses are printed. */
export function possibleEnds(trips: readonly TripWay[], day: Pick<DrivingDay, 'from' | 'to'>): readonly Fix[] {
  const near = around(day, NEIGHBOURING_DAY);
  const leftOut = new LeftOut();
  const minute = (time: number | null): number | null => (time === null ? null : shownMinute(time));
  const read = trips
    .map((trip) => ({ trip, fixes: readFixes(trip, near, leftOut) }))
    .sort(
      ({ fixes: a }, { fixes: b }) =>
        inOrder(minute(a.startTime), minute(b.startTime)) || inOrder(minute(a.endTime), minute(b.endTime)),
    );
  const places = tripPlaces(
    read.map(({ fixes }) => fixes),
    leftOut,
  );
  return read.flatMap(({ trip }, index) => {
    const { start, end } = places[index] ?? {};
    return [...(start === undefined ? [] : [trip.start]), ...(end === undefined ? [] : [trip.end])];
  });
}

function around({ from, to }: Pick<DrivingDay, 'from' | 'to'>, milliseconds: number): Span {
  return { earliest: Date.parse(from) - milliseconds, latest: Date.parse(to) + milliseconds };
}

/** Compares printed minutes, so that a zero-minute trip precedes a longer one with the same start; unknown last. */
function inOrder(a: number | null, b: number | null): number {
  return (a ?? Infinity) - (b ?? Infinity) || 0;
}

/** Distance between the end of a trip and the start of the next that shows an unrecorded drive in between. */
const ELSEWHERE_METERS = 1_000;

/** Known driving time of a trip. Instants are minutes since 1970. */
interface Drive {
  readonly from: number;
  readonly to: number;
  readonly trip: DayTrip;
  readonly places: TripPlaces | undefined;
}

/**
 * Returns the pauses between the first and the last counted trip, in the order of the day. Every reported trip ends a
 * pause, whatever its figures; consecutive trips without a gap have no pause between them.
 *
 * @param places of the trips, in their order
 */
export function breaksOf(trips: readonly DayTrip[], places: readonly TripPlaces[]): readonly DayBreak[] {
  const begin = trips.find(isCounted)?.start ?? Infinity;
  const end = trips.findLast(isCounted)?.start ?? -Infinity;
  const breaks: DayBreak[] = [];
  let last: Drive | undefined;
  for (const drive of drivesOf(trips, places)) {
    if (drive.from > end) break;
    if (last !== undefined && last.to >= begin && drive.from > last.to) {
      const minutes = drive.from - last.to;
      breaks.push({
        from: last.to,
        to: drive.from,
        minutes,
        address: last.trip.endAddress,
        gap: gapBetween(last, drive),
      });
    }
    if (last === undefined || drive.to >= last.to) last = drive;
  }
  return breaks;
}

/** Returns the driving times of the trips in order, without those of other days. */
function drivesOf(trips: readonly DayTrip[], places: readonly TripPlaces[]): readonly Drive[] {
  const drives = trips.flatMap((trip, index): Drive[] => {
    const { verdict, start, end } = trip;
    const [one, other] = [start ?? end, end ?? start];
    const isOfOtherDay = verdict.kind === 'impossible' && verdict.fault === 'other day';
    if (one === null || other === null || isOfOtherDay) return [];
    return [{ from: Math.min(one, other), to: Math.max(one, other), trip, places: places[index] }];
  });
  return drives.sort((a, b) => a.from - b.from || a.to - b.to);
}

function gapBetween(last: Drive, next: Drive): RecordGap | undefined {
  if (last.trip.end === null || next.trip.start === null) return { kind: 'no time' };
  const [from, to] = [last.places?.last, next.places?.first];
  const meters = from === undefined || to === undefined ? 0 : distanceBetween(from, to);
  return meters >= ELSEWHERE_METERS ? { kind: 'elsewhere', meters } : undefined;
}

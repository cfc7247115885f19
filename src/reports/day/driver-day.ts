import type { Fix, ReportTrip } from '../model.js';
import { breaksOf } from './day-breaks.js';
import { isDrawnAside, type DayBreak, type DayTrip } from './day-trip.js';
import { totalsOf, type DayTotals } from './day-totals.js';
import { judgeDay, type DrivingRules, type RuledDay } from './driving-rules.js';
import { distanceBetween } from './earth.js';
import { LeftOut } from './plausible.js';
import { readFixes, readTrip, type Span, type TripWay } from './read-trip.js';
import type { DrivingDay } from './report-date.js';
import { shownMinute } from './shown-figures.js';
import type { SpeedLimit } from './speed-series.js';
import { standingsOf } from './standing.js';
import { tripPlaces, type TripPlaces, type TripPositions } from './trip-positions.js';

/** A driver's day with everything impossible removed or flagged, in order of time. */
export interface DriverDay {
  readonly trips: readonly DayTrip[];
  /** The pauses between trips, and where driving between them was not recorded. */
  readonly breaks: readonly DayBreak[];
  /** Where each trip is drawn that counts or is shown beside those. */
  readonly positions: readonly TripPositions[];
  readonly totals: DayTotals;
  readonly leftOut: LeftOut;
  /** What rules about the time at the wheel say of it; undefined without rules or trips. */
  readonly ruled: RuledDay | undefined;
}

/** What a day is judged by. */
export interface DayJudgement extends SpeedLimit {
  readonly rules: DrivingRules;
}

const DAY_MS = 24 * 3600 * 1000;
/** A trip may begin on the day before or end on the day after; a reading farther away is a fault. */
const NEIGHBOURING_DAY = DAY_MS;
/** Ends of trips of another day are shown within a month, so that people see which one it is. */
const SHOWN_DAYS = 31 * DAY_MS;

/** Receivers are off by this much where a trip starts and where it ends, together. */
const TOLERANCE_METERS = 200;

/** Checks and totals the trips of a driver. Never throws: what cannot be true is left out or flagged, and counted. */
export function readDriverDay(trips: readonly ReportTrip[], day: DrivingDay, judgement: DayJudgement): DriverDay {
  const leftOut = new LeftOut();
  const reading = { near: around(day, NEIGHBOURING_DAY), shown: around(day, SHOWN_DAYS), limit: judgement, leftOut };
  const read = trips
    .map((trip) => readTrip(trip, reading))
    .sort(({ trip: a }, { trip: b }) => inOrder(a.start, b.start) || inOrder(a.end, b.end));
  const facts = read.map((each) => each.facts);
  const standings = standingsOf(facts, day);
  // Trips that are not drawn still tell which of two distant places is wrong.
  const places = tripPlaces(
    read.map(({ fixes }) => fixes),
    leftOut,
  );
  const dayTrips = read.map(({ trip }, index): DayTrip => {
    const { start, end } = places[index] ?? {};
    return {
      ...trip,
      // An address belongs to a place, and goes with it.
      startAddress: start === undefined ? null : trip.startAddress,
      endAddress: end === undefined ? null : trip.endAddress,
      isShort: isShorterThanLine(facts[index]?.meters ?? null, places[index]),
      standing: standings[index] ?? { kind: 'counted' },
    };
  });
  const positions = places.map(({ parts }) => parts).filter((_, index) => isDrawn(dayTrips[index]));
  const breaks = breaksOf(dayTrips, places);
  const totals = totalsOf(dayTrips, breaks);
  const ruled = judgeDay(judgement.rules, dayTrips, breaks, totals);
  return { trips: dayTrips, breaks, positions, totals, leftOut, ruled };
}

/** The ends of trips at which the vehicle can have been, by the same rules: of others no address is printed. */
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

function isShorterThanLine(meters: number | null, { start, end }: Partial<TripPlaces> = {}): boolean {
  if (meters === null || start === undefined || end === undefined) return false;
  return distanceBetween(start, end) > meters + TOLERANCE_METERS;
}

function isDrawn(trip: DayTrip | undefined): boolean {
  return trip !== undefined && (trip.standing.kind === 'counted' || isDrawnAside(trip));
}

/** By the minutes that are printed, in which a trip of no minute comes before one that begins with it; unknown last. */
function inOrder(a: number | null, b: number | null): number {
  return (a ?? Infinity) - (b ?? Infinity) || 0;
}

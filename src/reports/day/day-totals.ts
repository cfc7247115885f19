import { DOUBTS, isCounted, type DayBreak, type DayTrip } from './day-trip.js';
import { MAX_PLAUSIBLE_KMH } from './plausible.js';
import { shownAverage, type ShownTop } from './shown-figures.js';
import { sumOfOverLimit } from './speed-series.js';

/** Length of a day; longer times are printed and marked. */
export const MINUTES_OF_DAY = 24 * 60;

export type DayTotals = ReturnType<typeof totalsOf>;

/**
 * Adds up the shown figures of the counted trips of a day. Unknown figures count as zero, so that sums of distances and
 * idling are lower bounds then, and driving is an upper one. `dutyMinutes` is always
 * `drivingMinutes + idleMinutes + breakMinutes + unrecordedMinutes`.
 */
export function totalsOf(trips: readonly DayTrip[], breaks: readonly DayBreak[]) {
  const counted = trips.filter(isCounted);
  const carriedOver = trips.filter(({ verdict }) => verdict.kind === 'carried over').length;
  const sum = (figure: (trip: DayTrip) => number | null): number =>
    counted.reduce((total, trip) => total + (figure(trip) ?? 0), 0);
  const countOf = (isMeant: (trip: DayTrip) => boolean): number => counted.filter(isMeant).length;
  const lacking = {
    distances: countOf((trip) => trip.hectometers === null),
    idlings: countOf((trip) => trip.idleMinutes === null),
    drivings: countOf(isDrivingDoubted),
    doubtfulDistances: countOf((trip) => isDoubted(trip, 'distance')),
    doubtfulDrivings: countOf((trip) => isDoubted(trip, 'driving')),
    doubtfulTops: countOf((trip) => isDoubted(trip, 'top')),
  };
  const hectometers = sum((trip) => trip.hectometers);
  const tripMinutes = sum(({ minutes }) => minutes);
  const idleMinutes = sum((trip) => trip.idleMinutes);
  const drivingMinutes = tripMinutes - idleMinutes;
  const [first, last] = dutyEnds(trips);
  const dutyMinutes = (counted.at(-1)?.end ?? 0) - (counted[0]?.start ?? 0);
  const pauses = breaks.filter(({ gap }) => gap === undefined);
  const breakMinutes = pauses.reduce((total, { minutes }) => total + minutes, 0);
  const top = highest(counted.map((trip) => trip.top));
  const maxKmh = top === null || counted.some((trip) => trip.top === null) ? MAX_PLAUSIBLE_KMH : top.kmh;
  return {
    trips: counted.length,
    carriedOver,
    impossible: trips.length - counted.length - carriedOver,
    /** Number of counted trips without the figure, of driving that may be less, and of those with ‡. */
    lacking,
    hectometers,
    /** Time from start to end of the trips: driving and idling. */
    tripMinutes,
    drivingMinutes,
    idleMinutes,
    breakMinutes,
    /** Duty time without a record: trips that do not count, and gaps in the driving record. */
    unrecordedMinutes: dutyMinutes - tripMinutes - breakMinutes,
    gaps: breaks.length - pauses.length,
    /** Time from first departure to last arrival, and true if it may be less: a short move is none for certain. */
    dutyMinutes,
    hasBriefEnd: first !== counted[0] || last !== counted.at(-1),
    stops: sum(({ stops }) => stops),
    top,
    /** Mean speed over the driving time, in tenths of km/h; null if a trip lacks a figure. */
    average: lacking.distances + lacking.idlings > 0 ? null : shownAverage(hectometers, drivingMinutes, maxKmh),
    tripsOverLimit: countOf(({ isOverLimit }) => isOverLimit),
    overLimit: sumOfOverLimit(counted),
  };
}

export function isDoubted({ unsupported }: DayTrip, column: keyof typeof DOUBTS): boolean {
  return unsupported.some(({ figure }) => DOUBTS[column].includes(figure));
}

/** Returns the trips with the first departure and the last return; short moves only if a day has no other trip. */
export function dutyEnds(trips: readonly DayTrip[]): readonly [DayTrip | undefined, DayTrip | undefined] {
  const counted = trips.filter(isCounted);
  const longer = counted.filter(({ isBrief }) => !isBrief);
  const of = longer.length > 0 ? longer : counted;
  return [of[0], of.at(-1)];
}

/** True if a trip may have less driving than reported, by its track or its distance. */
export function isDrivingDoubted({ unsupported, stretches }: DayTrip): boolean {
  return unsupported.some(
    ({ figure, ...of }) =>
      figure === 'slow' ||
      figure === 'parked' ||
      (stretches.length > 0 && (figure === 'silence' || ('isMost' in of && of.isMost))),
  );
}

/** Returns the highest of top speeds, the first of equal ones; null if all are unknown. */
export function highest(tops: readonly (ShownTop | null)[]): ShownTop | null {
  return tops.reduce((high, top) => (top !== null && top.kmh > (high?.kmh ?? -1) ? top : high), null);
}

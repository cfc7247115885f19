import { isCounted, type DayBreak, type DayTrip, type OverLimit } from './day-trip.js';
import { MAX_PLAUSIBLE_KMH } from './plausible.js';
import { shownAverage, type ShownTop } from './shown-figures.js';

/**
 * The figures of a day: sums of the shown figures of the trips that count. What is not known of a trip counts
 * nothing. `dutyMinutes` is always `drivingMinutes + idleMinutes + breakMinutes`.
 */
export interface DayTotals {
  readonly trips: number;
  readonly carriedOver: number;
  readonly impossible: number;
  readonly hectometers: number;
  /** From each start to its end; driving and idling. */
  readonly tripMinutes: number;
  readonly drivingMinutes: number;
  readonly idleMinutes: number;
  readonly breakMinutes: number;
  /** First departure to last arrival. */
  readonly dutyMinutes: number;
  readonly stops: number;
  readonly top: ShownTop | null;
  /** Tenths of km/h over the time of driving. */
  readonly average: number | null;
  readonly tripsOverLimit: number;
  readonly overLimit: OverLimit;
}

/** More than a day has; printed, and marked. */
export const MINUTES_OF_DAY = 24 * 60;

/** Adds up the trips of a day. */
export function totalsOf(trips: readonly DayTrip[], breaks: readonly DayBreak[]): DayTotals {
  let counted = 0;
  let carriedOver = 0;
  let hectometers = 0;
  let tripMinutes = 0;
  let idleMinutes = 0;
  let stops = 0;
  let tripsOverLimit = 0;
  let top: ShownTop | null = null;
  const overLimit = { stretches: 0, minutes: 0 };
  for (const trip of trips) {
    if (trip.standing.kind === 'carried over') carriedOver += 1;
    if (!isCounted(trip)) continue;
    counted += 1;
    hectometers += trip.hectometers ?? 0;
    tripMinutes += trip.minutes ?? 0;
    idleMinutes += trip.idleMinutes ?? 0;
    stops += trip.stops ?? 0;
    if (trip.isOverLimit) tripsOverLimit += 1;
    overLimit.stretches += trip.overLimit.stretches;
    overLimit.minutes += trip.overLimit.minutes;
    if (trip.top !== null && trip.top.kmh > (top?.kmh ?? -1)) top = trip.top;
  }
  const breakMinutes = breaks.reduce((sum, { minutes }) => sum + minutes, 0);
  const drivingMinutes = tripMinutes - idleMinutes;
  return {
    trips: counted,
    carriedOver,
    impossible: trips.length - counted - carriedOver,
    hectometers,
    tripMinutes,
    drivingMinutes,
    idleMinutes,
    breakMinutes,
    dutyMinutes: tripMinutes + breakMinutes,
    stops,
    top,
    average: shownAverage(hectometers, drivingMinutes, top?.kmh ?? MAX_PLAUSIBLE_KMH),
    tripsOverLimit,
    overLimit,
  };
}

/** The pauses between trips that count, in the order of the day; trips that follow at once have none between them. */
export function breaksOf(trips: readonly DayTrip[]): readonly DayBreak[] {
  const breaks: DayBreak[] = [];
  let last: DayTrip | undefined;
  for (const trip of trips) {
    if (!isCounted(trip)) continue;
    const from = last?.end ?? null;
    if (last !== undefined && from !== null && trip.start !== null && trip.start > from) {
      breaks.push({ from, to: trip.start, minutes: trip.start - from, address: last.endAddress });
    }
    last = trip;
  }
  return breaks;
}

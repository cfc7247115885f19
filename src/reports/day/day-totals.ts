import { isCounted, type DayBreak, type DayTrip } from './day-trip.js';
import { MAX_PLAUSIBLE_KMH } from './plausible.js';
import { shownAverage, type ShownTop } from './shown-figures.js';
import { addOverLimit, NEVER_OVER, type OverLimit } from './speed-series.js';

/**
 * Sums of the shown figures of the counted trips of a day. Unknown figures count as zero. `dutyMinutes` is always
 * `drivingMinutes + idleMinutes + breakMinutes + unrecordedMinutes`.
 */
export interface DayTotals {
  readonly trips: number;
  readonly carriedOver: number;
  readonly impossible: number;
  readonly hectometers: number;
  /** Time from start to end of the trips; driving and idling. */
  readonly tripMinutes: number;
  readonly drivingMinutes: number;
  readonly idleMinutes: number;
  readonly breakMinutes: number;
  /** Duty time without a record: trips that do not count, and gaps in the driving record. */
  readonly unrecordedMinutes: number;
  /** Number of gaps in the driving record. */
  readonly gaps: number;
  /** Time from first departure to last arrival. */
  readonly dutyMinutes: number;
  readonly stops: number;
  readonly top: ShownTop | null;
  /** Mean speed over the driving time, in tenths of km/h. */
  readonly average: number | null;
  readonly tripsOverLimit: number;
  readonly overLimit: OverLimit;
}

/** Length of a day; longer times are printed and marked. */
export const MINUTES_OF_DAY = 24 * 60;

export function totalsOf(trips: readonly DayTrip[], breaks: readonly DayBreak[]): DayTotals {
  const counted = trips.filter(isCounted);
  const carriedOver = trips.filter(({ verdict }) => verdict.kind === 'carried over').length;
  let hectometers = 0;
  let tripMinutes = 0;
  let idleMinutes = 0;
  let stops = 0;
  let tripsOverLimit = 0;
  let top: ShownTop | null = null;
  let isTopKnown = true;
  let overLimit = NEVER_OVER;
  for (const trip of counted) {
    hectometers += trip.hectometers ?? 0;
    tripMinutes += trip.minutes ?? 0;
    idleMinutes += trip.idleMinutes ?? 0;
    stops += trip.stops ?? 0;
    if (trip.isOverLimit) tripsOverLimit += 1;
    if (trip.overLimit !== NEVER_OVER) overLimit = addOverLimit(overLimit, trip.overLimit);
    if (trip.top === null) isTopKnown = false;
    else if (trip.top.kmh > (top?.kmh ?? -1)) top = trip.top;
  }
  const breakMinutes = breaks.reduce((sum, { minutes, gap }) => (gap === undefined ? sum + minutes : sum), 0);
  const drivingMinutes = tripMinutes - idleMinutes;
  const dutyMinutes = (counted.at(-1)?.end ?? 0) - (counted[0]?.start ?? 0);
  const maxKmh = isTopKnown && top !== null ? top.kmh : MAX_PLAUSIBLE_KMH;
  return {
    trips: counted.length,
    carriedOver,
    impossible: trips.length - counted.length - carriedOver,
    hectometers,
    tripMinutes,
    drivingMinutes,
    idleMinutes,
    breakMinutes,
    unrecordedMinutes: dutyMinutes - tripMinutes - breakMinutes,
    gaps: breaks.filter(({ gap }) => gap !== undefined).length,
    dutyMinutes,
    stops,
    top,
    average: shownAverage(hectometers, drivingMinutes, maxKmh),
    tripsOverLimit,
    overLimit,
  };
}

import type { DayBreak, DayTrip } from './day-trip.js';
import { shownMinute } from './shown-figures.js';
import type { SpeedReading } from './speed-series.js';

/** Record of one mobile, the 24 hours before the day included. */
export interface WeighedRecord {
  readonly trips: readonly DayTrip[];
  readonly breaks: readonly DayBreak[];
  /** False if somebody else may have driven. */
  readonly isOfOneDriver: boolean;
}

/** State of one minute; of several mobiles the greatest counts. */
export const PAUSE = 0;
/** The vehicle stood within a trip, or somebody else may have driven: driving, a break, or neither. */
export const STAND = 1;
/** Nothing is recorded: driving or a break. */
export const GAP = 2;
export const DRIVE = 3;
/** Trip whose idling has no known place. */
const UNPLACED = 4;

/** Minutes of one state. Instants are minutes since 1970. */
export interface Activity {
  readonly from: number;
  to: number;
  readonly state: number;
  /** Idling at an unknown place within it, in minutes. */
  readonly idling: number;
  /** True if the track shows driving during the idling. */
  readonly isDisputed: boolean;
}

const DAY = 24 * 60;
const MINUTE_MS = 60_000;
/** Slower readings are a vehicle that stands: receivers report a little speed then. */
const STANDS_KMH = 5;

/**
 * Returns what a person did around a day, in order and without a gap, from the records of the mobiles.
 *
 * @param midnight begin of the day, in minutes since 1970
 * @param shortestBreak of the rules, in minutes
 */
export function activitiesOf(
  records: readonly WeighedRecord[],
  midnight: number,
  shortestBreak: number,
): readonly Activity[] {
  const origin = midnight - 2 * DAY;
  const states = new Uint8Array(6 * DAY);
  const unplaced = new Map<number, Pick<Activity, 'idling' | 'isDisputed'>>();
  const paint = (from: number, to: number, state: number): void => {
    const last = Math.min(to - origin, states.length);
    for (let minute = Math.max(from - origin, 0); minute < last; minute += 1) {
      if ((states[minute] ?? 0) < state) states[minute] = state;
    }
  };
  /** Paints a trip by its track; by its reported idling, if there is no track or if the idling is longer. */
  const paintTrip = (trip: DayTrip, start: number, end: number): void => {
    const isTracked = trip.stretches.length > 0;
    const stands = isTracked ? standsOf(trip, start, end, shortestBreak) : [];
    const idling = trip.idleMinutes ?? 0;
    const lasting = (of: readonly Stand[]): number => of.reduce((sum, { from, to }) => sum + to - from, 0);
    if (!isTracked && trip.idleMinutes === null) {
      // All of it may be idling.
      paint(start, end, STAND);
      return;
    }
    if (!isTracked || idling - lasting(stands) >= shortestBreak) {
      paint(start, end, UNPLACED);
      const silence = lasting(stands.filter(({ state }) => state === GAP));
      unplaced.set(start - origin, { idling: idling + silence, isDisputed: isTracked });
      return;
    }
    let at = start;
    for (const { from, to, state } of stands) {
      paint(at, from, DRIVE);
      paint(Math.max(at, from), Math.min(to, end), state);
      at = Math.max(at, to);
    }
    paint(at, end, DRIVE);
  };
  for (const { trips, breaks, isOfOneDriver } of records) {
    for (const { gap, from, to } of breaks) {
      if (gap !== undefined) paint(from, to, isOfOneDriver && to > midnight ? GAP : STAND);
    }
    for (const trip of trips) {
      const { verdict, start, end } = trip;
      const isElsewhere = verdict.kind === 'impossible' && ['other day', 'duplicate'].includes(verdict.fault);
      if (start === null || end === null || end <= start || isElsewhere) continue;
      if (!isOfOneDriver || end <= midnight) paint(start, end, STAND);
      else if (verdict.kind === 'impossible') paint(start, end, GAP);
      else paintTrip(trip, start, end);
    }
  }
  const activities: Activity[] = [];
  states.forEach((state, minute) => {
    const last = activities.at(-1);
    const idle = unplaced.get(minute);
    const { idling, isDisputed } = idle ?? { idling: 0, isDisputed: false };
    if (last?.state === state && idle === undefined) last.to += 1;
    else activities.push({ from: origin + minute, to: origin + minute + 1, state, idling, isDisputed });
  });
  return activities.map((each) => ({ ...each, idling: Math.min(each.idling, each.to - each.from) }));
}

type Stand = Pick<Activity, 'from' | 'to' | 'state'>;

/**
 * Returns the times of a tracked trip in which the vehicle stood or no reading came, in order and in minutes since
 * 1970. A vehicle stands between two readings that say so, and beside one of them if they are so far apart that a break
 * fits.
 */
function standsOf(
  { stretches, longestKnown }: DayTrip,
  start: number,
  end: number,
  shortestBreak: number,
): readonly Stand[] {
  const stands: Stand[] = [];
  let before: SpeedReading = { time: start * MINUTE_MS, kmh: NaN };
  const look = (reading: SpeedReading): void => {
    const elapsed = reading.time - before.time;
    const standing = [before, reading].filter(({ kmh }) => kmh < STANDS_KMH).length;
    const isLong = elapsed >= shortestBreak * MINUTE_MS;
    const state = elapsed > longestKnown ? GAP : standing === 2 || (standing === 1 && isLong) ? STAND : undefined;
    const last = stands.at(-1);
    if (state !== undefined) {
      if (last?.state === state && last.to === before.time) last.to = reading.time;
      else stands.push({ from: before.time, to: reading.time, state });
    }
    before = reading;
  };
  for (const stretch of stretches) stretch.forEach(look);
  look({ time: end * MINUTE_MS, kmh: NaN });
  return stands.map(({ from, to, state }) => ({ from: shownMinute(from), to: shownMinute(to), state }));
}

import type { DayBreak, DayTrip } from './day-trip.js';
import { shownMinute } from './shown-figures.js';
import type { SpeedReading, SpeedStretch } from './speed-series.js';

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
export const UNPLACED = 4;

/** Idling at an unknown place of a trip. */
export interface UnplacedIdling {
  readonly minutes: number;
  /** True if the track shows driving all the while. */
  readonly isDisputed: boolean;
}

const DAY = 24 * 60;
const MINUTE_MS = 60_000;
/** Slower readings are a vehicle that stands: receivers report a little speed then. */
const STANDS_KMH = 5;

/** Minutes of a person around a day, painted from the records of the mobiles. */
export class RulesTimeline {
  /** Minute of the first element of `states`, in minutes since 1970. */
  readonly origin: number;
  readonly states = new Uint8Array(6 * DAY);
  /** Idling of unknown place by the first minute of its trip, counted from `origin`. */
  readonly unplaced = new Map<number, UnplacedIdling>();

  /**
   * @param midnight begin of the day, in minutes since 1970
   * @param shortestBreak of the rules, in minutes
   */
  constructor(
    readonly midnight: number,
    readonly shortestBreak: number,
    records: readonly WeighedRecord[],
  ) {
    this.origin = midnight - 2 * DAY;
    for (const record of records) this.#paintRecord(record);
  }

  #paintRecord({ trips, breaks, isOfOneDriver }: WeighedRecord): void {
    for (const { gap, from, to } of breaks) {
      if (gap !== undefined) this.#paint(from, to, isOfOneDriver && to > this.midnight ? GAP : STAND);
    }
    for (const trip of trips) {
      const { verdict, start, end } = trip;
      const isElsewhere = verdict.kind === 'impossible' && ['other day', 'duplicate'].includes(verdict.fault);
      if (start === null || end === null || end <= start || isElsewhere) continue;
      if (!isOfOneDriver || end <= this.midnight) this.#paint(start, end, STAND);
      else if (verdict.kind === 'impossible') this.#paint(start, end, GAP);
      else this.#paintTrip(trip, start, end);
    }
  }

  /** Paints a trip by its track; by its reported idling, if there is no track or if the idling is longer. */
  #paintTrip({ stretches, idleMinutes }: DayTrip, start: number, end: number): void {
    const idle = idleMinutes ?? 0;
    const stands = standsOf(stretches, this.shortestBreak);
    const standing = stands.reduce((sum, { from, to }) => sum + to - from, 0);
    if (stretches.length === 0 || idle - standing >= this.shortestBreak) {
      this.#paint(start, end, UNPLACED);
      this.unplaced.set(start - this.origin, { minutes: idle, isDisputed: stretches.length > 0 });
      return;
    }
    let at = start;
    for (const { from, to, state } of stands) {
      this.#paint(at, from, DRIVE);
      this.#paint(Math.max(at, from), Math.min(to, end), state);
      at = Math.max(at, to);
    }
    this.#paint(at, end, DRIVE);
  }

  #paint(from: number, to: number, state: number): void {
    const last = Math.min(to - this.origin, this.states.length);
    for (let minute = Math.max(from - this.origin, 0); minute < last; minute += 1) {
      if ((this.states[minute] ?? 0) < state) this.states[minute] = state;
    }
  }
}

interface Stand {
  readonly from: number;
  to: number;
  readonly state: number;
}

/**
 * Returns the times within a track in which the vehicle stood or no reading came, in order and in minutes since 1970. A
 * vehicle stands between two readings that say so, and beside one of them if they are so far apart that a break fits.
 */
function standsOf(stretches: readonly SpeedStretch[], shortestBreak: number): readonly Stand[] {
  const stands: Stand[] = [];
  let previous: SpeedReading | undefined;
  let last: Stand | undefined;
  for (const stretch of stretches) {
    for (const [index, reading] of stretch.entries()) {
      const before = previous;
      previous = reading;
      if (before === undefined) continue;
      const standing = [before, reading].filter(({ kmh }) => kmh < STANDS_KMH).length;
      const isLong = reading.time - before.time >= shortestBreak * MINUTE_MS;
      const state = index === 0 ? GAP : standing === 2 || (standing === 1 && isLong) ? STAND : undefined;
      if (state === undefined) continue;
      if (last?.state === state && last.to === before.time) last.to = reading.time;
      else stands.push((last = { from: before.time, to: reading.time, state }));
    }
  }
  return stands.map(({ from, to, state }) => ({ from: shownMinute(from), to: shownMinute(to), state }));
}

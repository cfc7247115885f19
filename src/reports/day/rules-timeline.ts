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

/** Returns the key of a trip of a mobile. One across midnight is in the records of both days. */
const tripKeyOf = (mobile: number, { start, end }: DayTrip): string => `${mobile} ${start} ${end}`;

/** Choices beyond which no trip is certain: the records contradict each other too often. */
const MOST_CHOICES = 16;

/**
 * Returns each choice of a person's trips, by their keys, that can be true together: as many as do not overlap, on one
 * mobile or on several. `overlap` is the minute at which trips on two mobiles overlap first.
 */
export function choicesOf(records: readonly WeighedRecord[], midnight: number) {
  const found = records.flatMap(({ trips, isOfOneDriver }, mobile) =>
    trips.flatMap((trip) => {
      const { start, end, verdict } = trip;
      if (!isOfOneDriver || start === null || end === null || end <= Math.max(start, midnight)) return [];
      const isCandidate = verdict.kind !== 'impossible' || (verdict.fault === 'overlap' && start >= midnight);
      return isCandidate ? [{ key: tripKeyOf(mobile, trip), mobile, start, end }] : [];
    }),
  );
  const candidates = [...new Map(found.map((each) => [each.key, each])).values()].sort((a, b) => a.start - b.start);
  /** Trips taken, the end of the last one, and the minute before which the next one must begin. */
  let ways = [{ taken: [] as string[], end: -Infinity, until: Infinity }];
  let latest = { mobile: 0, end: -Infinity };
  let overlap: number | undefined;
  for (const [index, candidate] of candidates.entries()) {
    const { key, mobile, start, end } = candidate;
    const isOverlapped = (candidates[index + 1]?.start ?? Infinity) < end;
    ways = ways.flatMap((way) => {
      if (start < way.end) return [way];
      const taken = { taken: [...way.taken, key], end, until: Infinity };
      if (start >= way.until) return [];
      return isOverlapped ? [taken, { ...way, until: Math.min(way.until, end) }] : [taken];
    });
    if (start < latest.end && latest.mobile !== mobile) overlap ??= start;
    if (end > latest.end) latest = candidate;
    if (ways.length > MOST_CHOICES) return { choices: [new Set<string>()], overlap };
  }
  return { choices: ways.map(({ taken }) => new Set(taken)), overlap };
}

/** Minutes around a day, each in the greatest state of all mobiles. */
export class Timeline {
  readonly #origin: number;
  readonly #shortest: number;
  readonly #states = new Uint8Array(6 * DAY);
  readonly #unplaced = new Map<number, Pick<Activity, 'idling' | 'isDisputed'>>();

  /**
   * @param chosen keys of trips; the times of others are gaps
   * @param midnight begin of the day, in minutes since 1970
   * @param shortest break of the rules, in minutes
   */
  constructor(records: readonly WeighedRecord[], chosen: ReadonlySet<string>, midnight: number, shortest: number) {
    this.#origin = midnight - 2 * DAY;
    this.#shortest = shortest;
    for (const [mobile, { trips, breaks, isOfOneDriver }] of records.entries()) {
      for (const { gap, from, to } of breaks) {
        if (gap !== undefined) this.#markMinutes(from, to, isOfOneDriver && to > midnight ? GAP : STAND);
      }
      for (const trip of trips) {
        const { verdict, start, end } = trip;
        const isElsewhere = verdict.kind === 'impossible' && ['other day', 'duplicate'].includes(verdict.fault);
        if (start === null || end === null || end <= start || isElsewhere) continue;
        if (!isOfOneDriver || end <= midnight) this.#markMinutes(start, end, STAND);
        else if (!chosen.has(tripKeyOf(mobile, trip))) this.#markMinutes(start, end, GAP);
        else this.#markTrip(trip, start, end);
      }
    }
  }

  /** Marks a trip by its track; by its reported idling, if there is no track or if the idling is longer. */
  #markTrip(trip: DayTrip, start: number, end: number): void {
    const isTracked = trip.stretches.length > 0;
    const pieces = isTracked ? piecesOf(trip, start, end, this.#shortest) : [];
    const idling = trip.idleMinutes ?? 0;
    if (!isTracked && trip.idleMinutes === null) {
      // All of it may be idling.
      this.#markMinutes(start, end, STAND);
    } else if (!isTracked || idling - minutesOf(pieces, STAND, GAP) >= this.#shortest) {
      this.#markMinutes(start, end, UNPLACED);
      this.#unplaced.set(start - this.#origin, { idling: idling + minutesOf(pieces, GAP), isDisputed: isTracked });
    } else for (const { from, to, state } of pieces) this.#markMinutes(from, to, state);
  }

  #markMinutes(from: number, to: number, state: number): void {
    const last = Math.min(to - this.#origin, this.#states.length);
    for (let minute = Math.max(from - this.#origin, 0); minute < last; minute += 1) {
      if ((this.#states[minute] ?? 0) < state) this.#states[minute] = state;
    }
  }

  /** Returns what the person did, in order and without a gap. */
  activities(): readonly Activity[] {
    const activities: Activity[] = [];
    this.#states.forEach((state, minute) => {
      const last = activities.at(-1);
      const idle = this.#unplaced.get(minute);
      const { idling, isDisputed } = idle ?? { idling: 0, isDisputed: false };
      const from = this.#origin + minute;
      if (last?.state === state && idle === undefined) last.to += 1;
      else activities.push({ from, to: from + 1, state, idling, isDisputed });
    });
    return activities.map((each) => ({ ...each, idling: Math.min(each.idling, each.to - each.from) }));
  }
}

type Piece = Pick<Activity, 'from' | 'to' | 'state'>;

/** Returns the sum of the pieces of some states. */
function minutesOf(pieces: readonly Piece[], ...states: readonly number[]): number {
  return pieces.reduce((sum, { from, to, state }) => sum + (states.includes(state) ? to - from : 0), 0);
}

/**
 * Returns a tracked trip in pieces of driving, standing and silence, in order and in minutes since 1970. A vehicle
 * stands between two readings that say so, and beside one of them if they are so far apart that a break fits.
 */
function piecesOf(trip: DayTrip, start: number, end: number, shortest: number): readonly Piece[] {
  const { stretches, longestKnown } = trip;
  const pieces: Piece[] = [];
  const last = { time: end * MINUTE_MS, kmh: NaN };
  let before: SpeedReading = { time: start * MINUTE_MS, kmh: NaN };
  for (const stretch of [...stretches, [last]]) {
    for (const reading of stretch) {
      const time = Math.min(Math.max(reading.time, before.time), last.time);
      const elapsed = time - before.time;
      const standing = [before, reading].filter(({ kmh }) => kmh < STANDS_KMH).length;
      const isLong = elapsed >= shortest * MINUTE_MS;
      const stands = standing === 2 || (standing === 1 && isLong);
      const state = elapsed > longestKnown ? GAP : stands ? STAND : DRIVE;
      const piece = pieces.at(-1);
      if (piece?.state === state) piece.to = time;
      else pieces.push({ from: before.time, to: time, state });
      before = { time, kmh: reading.kmh };
    }
  }
  return pieces.map(({ from, to, state }) => ({ from: shownMinute(from), to: shownMinute(to), state }));
}

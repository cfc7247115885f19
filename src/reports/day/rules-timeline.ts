import type { DayBreak, DayTrip } from './day-trip.js';
import type { DrivingLaw } from './driving-rules.js';
import { shownMinute } from './shown-figures.js';
import { DRIVE, GAP, HALT, leastDriving, STAND, statesOf, TRIP } from './standing.js';
import { TrackReading } from './trip-positions.js';

/** Record of one mobile, the 24 hours before the day included. */
export interface WeighedRecord {
  readonly trips: readonly DayTrip[];
  readonly breaks: readonly DayBreak[];
  /** False if somebody else may have driven. */
  readonly isOfOneDriver: boolean;
}

/** Trip whose idling has no known place; greater than other states. */
const UNPLACED = DRIVE + 1;

/** Minutes of one state. Instants are minutes since 1970. */
export interface Activity {
  readonly from: number;
  to: number;
  readonly state: number;
  /** Idling at an unknown place within it, at most and for certain, in minutes. */
  readonly idling: number;
  readonly still: number;
}

const DAY = 24 * 60;
const MINUTE_MS = 60_000;

/** Returns the key of a trip of a mobile. One across midnight is in the records of both days. */
const tripKeyOf = (mobile: number, { start, end }: DayTrip): string => `${mobile} ${start} ${end}`;

/**
 * True if a trip is driving of the person in some choices only: somebody else may have driven before 00:00 or a shared
 * vehicle, a trip of more than a day is none of this one, and a short move is none for certain.
 */
function isDoubtful({ start, end, isBrief }: DayTrip, isOfOneDriver: boolean, midnight: number): boolean {
  return !isOfOneDriver || isBrief || (end ?? 0) <= midnight || (start ?? 0) < midnight - DAY;
}

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
      if (start === null || end === null || end <= start || isDoubtful(trip, isOfOneDriver, midnight)) return [];
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
  readonly #rule: DrivingLaw;
  readonly #states = new Uint8Array(6 * DAY);
  readonly #unplaced = new Map<number, Pick<Activity, 'idling' | 'still'>>();

  /**
   * @param chosen keys of trips; the times of others are gaps
   * @param midnight begin of the day, in minutes since 1970
   */
  constructor(records: readonly WeighedRecord[], chosen: ReadonlySet<string>, midnight: number, rule: DrivingLaw) {
    this.#origin = midnight - 2 * DAY;
    this.#rule = rule;
    for (const [mobile, { trips, breaks, isOfOneDriver }] of records.entries()) {
      for (const { gap, from, to } of breaks) {
        if (gap !== undefined) this.#markMinutes(from, to, isOfOneDriver && to > midnight ? GAP : STAND);
      }
      for (const trip of trips) {
        const { verdict, start, end } = trip;
        const isElsewhere = verdict.kind === 'impossible' && ['other day', 'duplicate'].includes(verdict.fault);
        if (start === null || end === null || isElsewhere) continue;
        if (trip.isBrief) this.#markMinutes(start, Math.max(end, start + 1), STAND);
        else if (isDoubtful(trip, isOfOneDriver, midnight)) this.#markMinutes(start, end, TRIP);
        else if (!chosen.has(tripKeyOf(mobile, trip))) this.#markMinutes(start, end, GAP);
        else this.#markTrip(trip, start, end);
      }
    }
  }

  /** Marks a trip by its track; by its reported idling, if there is no track or if the idling is longer. */
  #markTrip(trip: DayTrip, start: number, end: number): void {
    const isTracked = trip.stretches.length > 0;
    const { idleMinutes } = trip;
    const pieces = piecesOf(trip, start, end, this.#rule);
    const standing = minutesOf(pieces, HALT, STAND, GAP);
    // All of a trip may be idling if nothing is known.
    const least = leastDriving(trip) ?? (isTracked || idleMinutes !== null ? undefined : 0);
    const idling = least === undefined ? (idleMinutes ?? 0) : end - start - least;
    if ((!isTracked && standing === 0) || idling - standing >= this.#rule.breaks.shortest) {
      this.#markMinutes(start, end, UNPLACED);
      const still = isTracked ? minutesOf(pieces, HALT) : (idleMinutes ?? 0);
      this.#unplaced.set(start - this.#origin, { idling: idling + minutesOf(pieces, GAP), still });
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
      const { idling, still } = idle ?? { idling: 0, still: 0 };
      const from = this.#origin + minute;
      if (last?.state === state && idle === undefined) last.to += 1;
      else activities.push({ from, to: from + 1, state, idling, still });
    });
    return activities.map(({ idling, still, ...each }) => {
      const length = each.to - each.from;
      return { ...each, idling: Math.min(idling, length), still: Math.min(still, length) };
    });
  }
}

type Piece = Pick<Activity, 'from' | 'to' | 'state'>;

/** Returns the sum of the pieces of some states. */
function minutesOf(pieces: readonly Piece[], ...states: readonly number[]): number {
  return pieces.reduce((sum, { from, to, state }) => sum + (states.includes(state) ? to - from : 0), 0);
}

/** Returns a trip in pieces of driving, standing and silence by its track, in order and in minutes since 1970. */
function piecesOf(trip: DayTrip, start: number, end: number, { breaks, isHaltDriving }: DrivingLaw): readonly Piece[] {
  const isTracked = trip.stretches.length > 0;
  const pieces: Piece[] = [];
  const [first, last] = [start, end].map((minute) => new TrackReading(minute * MINUTE_MS, NaN, NaN, NaN));
  if (first === undefined || last === undefined) return [];
  const readings = [first, ...(isTracked ? trip.stretches.flat() : trip.track), last];
  const states = statesOf(readings, trip.longestKnown, breaks.shortest * MINUTE_MS);
  let before = first.time;
  states.subarray(1).forEach((found, index) => {
    const time = Math.min(Math.max(readings[index + 1]?.time ?? 0, before), last.time);
    // Only a track with speeds shows by its silence that nothing is known.
    const state = found === HALT && isHaltDriving ? STAND : found === GAP && !isTracked ? DRIVE : found;
    const piece = pieces.at(-1);
    if (piece?.state === state) piece.to = time;
    else pieces.push({ from: before, to: time, state });
    before = time;
  });
  return pieces.map(({ from, to, state }) => ({ from: shownMinute(from), to: shownMinute(to), state }));
}

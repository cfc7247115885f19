import { distanceBetween, METERS_PER_DEGREE } from './earth.js';
import { isPlausiblePosition, type LeftOut, MAX_PLAUSIBLE_KMH, type Position } from './plausible.js';
import { type SpeedReading, splitAtSilence } from './speed-series.js';

/**
 * Reading of a track. It is a class because V8 treats object literals that survive a garbage collection as long-lived,
 * and readings are needed for one page only.
 */
export class TrackReading implements SpeedReading, TimedPosition {
  constructor(
    readonly time: number,
    readonly kmh: number,
    readonly lat: number,
    readonly lng: number,
  ) {}
}

/** Reported positions of a trip. */
export interface TripFixes {
  readonly start: Position;
  readonly end: Position;
  /** Epoch milliseconds; null when unknown. */
  readonly startTime: number | null;
  readonly endTime: number | null;
  /** In order of time. */
  readonly track: readonly TrackReading[];
  /** Longest time between two readings that is not a silence, in milliseconds. */
  readonly longestKnown: number;
}

/** Possible positions of a trip; start and end are undefined if impossible. */
export type TripPlaces = ReturnType<typeof tripPlaces>[number];

/** Part of the way of a trip, in order of time, which begins at the end of the one before. */
export interface TripPart {
  /** Positions in order of time, at least one. */
  readonly positions: readonly Position[];
  /** True if `positions` are measured along the way; otherwise the way between the two ends is unknown. */
  readonly isMeasured: boolean;
}

/** Start or end of a trip. Without a known time it cannot be checked against other positions, and is accepted. */
type Endpoint = Position & { readonly time: number | null };

/**
 * Returns the possible positions of the trips of a day, one entry per trip. Trips are checked against each other: if a
 * trip alone leaves open which of two distant places is wrong, the rest of the day decides.
 *
 * @param trips in the order of the day
 */
export function tripPlaces(trips: readonly TripFixes[], leftOut: LeftOut) {
  const endpoint = ({ lat, lng }: Position, time: number | null): Endpoint | undefined =>
    isPlausiblePosition({ lat, lng }) ? { lat, lng, time } : undefined;
  const possible = trips.map(({ start, end, startTime, endTime, track }) => ({
    start: endpoint(start, startTime),
    track: track.filter(isPlausiblePosition),
    end: endpoint(end, endTime),
  }));
  const wrong = unreachable(possible.flatMap(({ start, track, end }) => [start, ...track, end].filter(isTimed)));
  return possible.map((fixes, index) => {
    const [start, end] = [fixes.start, fixes.end].map((place) => (place && wrong.has(place) ? undefined : place));
    const track = wrong.size === 0 ? fixes.track : fixes.track.filter((position) => !wrong.has(position));
    leftOut.positions += (trips[index]?.track.length ?? 0) - track.length;
    leftOut.positions += [start, end].filter((place) => place === undefined).length;
    return {
      start,
      end,
      track,
      parts:
        track.length < 2
          ? straightLine([start, ...track, end])
          : trackPartsOf(start, track, end, trips[index]?.longestKnown ?? 0),
    };
  });
}

function straightLine(places: readonly (Position | undefined)[]): readonly TripPart[] {
  const positions = places.filter((place) => place !== undefined);
  return positions.length === 0 ? [] : [{ positions, isMeasured: false }];
}

function isTimed(place: Endpoint | undefined): place is TimedPosition {
  return place !== undefined && place.time !== null;
}

/** Cuts a track at long times without a position, at its ends too: the way in between is unknown. */
function trackPartsOf(
  start: Endpoint | undefined,
  track: readonly TimedPosition[],
  end: Endpoint | undefined,
  longest: number,
): readonly TripPart[] {
  const [first, last] = [track[0], track.at(-1)];
  const isFarBefore = isTimed(start) && first !== undefined && first.time - start.time > longest;
  const isFarBehind = isTimed(end) && last !== undefined && end.time - last.time > longest;
  const stretches = splitAtSilence([...(isFarBefore ? [start] : []), ...track, ...(isFarBehind ? [end] : [])], longest);
  const parts: { positions: TimedPosition[]; isMeasured: boolean }[] = [];
  stretches.forEach((positions, index) => {
    const from = stretches[index - 1]?.at(-1);
    const unknown = parts.at(-1);
    // Consecutive silences form one line, so that its dashes do not restart at each.
    if (unknown?.isMeasured === false) unknown.positions.push(...positions.slice(0, 1));
    else if (from !== undefined) parts.push({ positions: [from, ...positions.slice(0, 1)], isMeasured: false });
    if (positions.length > 1) parts.push({ positions, isMeasured: true });
  });
  return parts;
}

/** Position with its measurement time in epoch milliseconds. */
interface TimedPosition extends Position {
  readonly time: number;
}

/** Receiver error in streets between high buildings; shorter steps prove nothing. */
const TOLERANCE_METERS = 1_000;
/** Difference in both directions below which two positions are within the tolerance anywhere on earth. */
const NEAR_DEGREES = TOLERANCE_METERS / METERS_PER_DEGREE / Math.SQRT2;
const MAX_METERS_PER_MS = MAX_PLAUSIBLE_KMH / 3_600;
/** Number of stretches tried as the true one, from the longest on. */
const MAX_STARTS = 8;

/**
 * Returns the unreachable positions: a receiver that reports a place hundreds of kilometers away for a minute would
 * shrink the whole route to a dot. Each long stretch without an impossible step is tried as the true one, together with
 * everything reachable from it forward and backward in time; most positions win.
 *
 * @param positions in the order of the day
 * @returns the positions to leave out
 */
function unreachable(positions: readonly TimedPosition[]): ReadonlySet<Position> {
  const begins: number[] = [];
  let before: TimedPosition | undefined;
  for (const [index, position] of positions.entries()) {
    if (before === undefined || !isStep(before, position)) begins.push(index);
    before = position;
  }
  if (begins.length <= 1) return new Set();
  const stretches = begins.map((begin, index) => ({ begin, end: begins[index + 1] ?? positions.length }));
  stretches.sort((a, b) => b.end - b.begin - (a.end - a.begin));
  let kept: ReadonlySet<Position> = new Set();
  for (const { end } of stretches.slice(0, MAX_STARTS)) {
    // Back from the end of the stretch, through all of it, and on from there.
    const reached = new Set([...walk(positions.slice(0, end).reverse()), ...walk(positions.slice(end - 1))]);
    if (reached.size > kept.size) kept = reached;
  }
  return new Set(positions.filter((position) => !kept.has(position)));
}

/** Returns the first position and those that can be reached one after the other. */
function walk(positions: readonly TimedPosition[]): readonly TimedPosition[] {
  let last = positions[0];
  return positions.filter((position, index) => {
    const isReached = index === 0 || (last !== undefined && isStep(last, position));
    if (isReached) last = position;
    return isReached;
  });
}

/** True if a vehicle can get from one position to the other in the time between them. */
function isStep(from: TimedPosition, to: TimedPosition): boolean {
  // Most steps are too short to need a calculation.
  if (Math.abs(to.lat - from.lat) < NEAR_DEGREES && Math.abs(to.lng - from.lng) < NEAR_DEGREES) return true;
  return distanceBetween(from, to) <= TOLERANCE_METERS + Math.abs(to.time - from.time) * MAX_METERS_PER_MS;
}

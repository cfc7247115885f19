import { isPlausiblePosition, type LeftOut, type Position } from './plausible.js';
import { unreachable, type TimedPosition } from './reachable.js';
import type { SpeedReading } from './speed-series.js';

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

/** Parts of a drawn trip in order of time, each beginning at the end of the one before. */
export type TripPositions = readonly TripPart[];

/** Possible positions of a trip. */
export interface TripPlaces {
  readonly parts: TripPositions;
  /** Possible readings, in order of time. */
  readonly track: readonly TrackReading[];
  /** Start and end; undefined if impossible. */
  readonly start: Position | undefined;
  readonly end: Position | undefined;
  /** First and last known place. */
  readonly first: Position | undefined;
  readonly last: Position | undefined;
}

/** Part of the way. */
export interface TripPart {
  /** Positions in order of time, at least one. */
  readonly positions: readonly Position[];
  /** True if `positions` are measured along the way; otherwise the way between the two ends is unknown. */
  readonly isMeasured: boolean;
}

/**
 * Returns the possible positions of the trips of a day. Trips are checked against each other: if a trip alone leaves
 * open which of two distant places is wrong, the rest of the day decides.
 *
 * @param trips in the order of the day
 * @returns one entry per trip
 */
export function tripPlaces(trips: readonly TripFixes[], leftOut: LeftOut): readonly TripPlaces[] {
  const chain: TimedPosition[] = [];
  const possible = trips.map(({ start, end, startTime, endTime, track }) => {
    const fixes = {
      start: endpoint(start, startTime),
      track: track.filter(isPlausiblePosition),
      end: endpoint(end, endTime),
    };
    if (fixes.start !== undefined && isTimed(fixes.start)) chain.push(fixes.start);
    // One by one: a track may exceed the maximum number of arguments of a call.
    for (const position of fixes.track) chain.push(position);
    if (fixes.end !== undefined && isTimed(fixes.end)) chain.push(fixes.end);
    return fixes;
  });
  const wrong = unreachable(chain);
  return possible.map((fixes, index) => {
    const keep = <P extends Position>(place: P | undefined): P | undefined =>
      place === undefined || wrong.has(place) ? undefined : place;
    const [start, end] = [keep(fixes.start), keep(fixes.end)];
    const track = wrong.size === 0 ? fixes.track : fixes.track.filter((position) => !wrong.has(position));
    leftOut.positions += (trips[index]?.track.length ?? 0) - track.length;
    leftOut.positions += [start, end].filter((place) => place === undefined).length;
    return {
      start,
      end,
      track,
      first: start ?? track[0],
      last: end ?? track.at(-1),
      parts:
        track.length >= 2
          ? splitAtSilence(start, track, end, trips[index]?.longestKnown ?? 0)
          : straightLine([start, ...track, end]),
    };
  });
}

function straightLine(places: readonly (Position | undefined)[]): TripPositions {
  const positions = places.filter((place) => place !== undefined);
  return positions.length === 0 ? [] : [{ positions, isMeasured: false }];
}

/** Cuts a track at long times without a position, at its ends too: the way in between is unknown. */
function splitAtSilence(
  start: Endpoint | undefined,
  track: readonly TimedPosition[],
  end: Endpoint | undefined,
  longest: number,
): TripPositions {
  const isSilence = (from: TimedPosition | undefined, to: TimedPosition | undefined): boolean =>
    from !== undefined && to !== undefined && to.time - from.time > longest;
  const parts: { positions: TimedPosition[]; isMeasured: boolean }[] = [];
  let open: TimedPosition[] = [];
  let last: TimedPosition | undefined;
  if (start !== undefined && isTimed(start) && isSilence(start, track[0])) open = [(last = start)];
  const follow = (position: TimedPosition): void => {
    if (last !== undefined && isSilence(last, position)) {
      const unknown = parts.at(-1);
      // Consecutive silences form one line, so that its dashes do not restart at each.
      if (open.length === 1 && unknown?.isMeasured === false) unknown.positions.push(position);
      else {
        if (open.length > 1) parts.push({ positions: open, isMeasured: true });
        parts.push({ positions: [last, position], isMeasured: false });
      }
      open = [];
    }
    open.push(position);
    last = position;
  };
  for (const position of track) follow(position);
  if (end !== undefined && isTimed(end) && isSilence(track.at(-1), end)) follow(end);
  if (open.length > 1 || parts.length === 0) parts.push({ positions: open, isMeasured: true });
  return parts;
}

/** Start or end of a trip. Without a known time it cannot be checked against other positions, and is accepted. */
type Endpoint = Position & { readonly time: number | null };

function endpoint(position: Position, time: number | null): Endpoint | undefined {
  return isPlausiblePosition(position) ? { lat: position.lat, lng: position.lng, time } : undefined;
}

function isTimed(place: Endpoint): place is TimedPosition {
  return place.time !== null;
}

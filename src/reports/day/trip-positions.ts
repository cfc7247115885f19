import { isPlausiblePosition, type LeftOut, type Position } from './plausible.js';
import { unreachable, type TimedPosition } from './reachable.js';
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

/** Parts of a drawn trip in order of time, each beginning at the end of the one before. */
export type TripPositions = readonly TripPart[];

/** Possible positions of a trip; start and end are undefined if impossible. */
export type TripPlaces = ReturnType<typeof tripPlaces>[number];

/** Part of the way. */
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

function straightLine(places: readonly (Position | undefined)[]): TripPositions {
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
): TripPositions {
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

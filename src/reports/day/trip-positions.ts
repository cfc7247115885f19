import { isPlausiblePosition, type LeftOut, type Position } from './plausible.js';
import { unreachable, type TimedPosition } from './reachable.js';
import { MAX_SILENCE_MS } from './silence.js';

/** Where a trip says it led. */
export interface TripFixes {
  readonly start: Position;
  readonly end: Position;
  /** Epoch milliseconds; null when unknown. */
  readonly startTime: number | null;
  readonly endTime: number | null;
  /** In order of time. */
  readonly track: readonly TimedPosition[];
}

/** Where a trip is drawn: its parts in order of time, each beginning where the one before ended. */
export type TripPositions = readonly TripPart[];

/** A part of the way. */
export interface TripPart {
  /** In order of time, at least one. */
  readonly positions: readonly Position[];
  /** Whether `positions` are measured along the way; otherwise nobody knows what lies between the two ends. */
  readonly isMeasured: boolean;
}

/**
 * Where the trips of a day are drawn, without what cannot be true. They are held against each other: what a trip
 * alone leaves open, such as which of two distant places is wrong, the rest of the day decides.
 *
 * @param trips in the order of the day
 * @returns one entry for each trip
 */
export function tripPositions(trips: readonly TripFixes[], leftOut: LeftOut): readonly TripPositions[] {
  const chain: TimedPosition[] = [];
  const possible = trips.map(({ start, end, startTime, endTime, track }) => {
    const fixes = {
      start: endpoint(start, startTime),
      track: track.filter(isPlausiblePosition),
      end: endpoint(end, endTime),
    };
    if (fixes.start !== undefined && isTimed(fixes.start)) chain.push(fixes.start);
    // One by one: a track may have more readings than a call can have arguments.
    for (const position of fixes.track) chain.push(position);
    if (fixes.end !== undefined && isTimed(fixes.end)) chain.push(fixes.end);
    leftOut.positions += track.length - fixes.track.length;
    return fixes;
  });
  const wrong = unreachable(chain);
  return possible.map(({ start, track, end }) => {
    const kept = wrong.size === 0 ? track : track.filter((position) => !wrong.has(position));
    leftOut.positions += track.length - kept.length;
    const isKept = (place: Endpoint | undefined): place is Endpoint => place !== undefined && !wrong.has(place);
    if (kept.length >= 2) {
      return splitAtSilence(start, kept, end, isKept);
    }
    const positions = [...[start].filter(isKept), ...kept, ...[end].filter(isKept)];
    leftOut.positions += 2 + kept.length - positions.length;
    return positions.length === 0 ? [] : [{ positions, isMeasured: false }];
  });
}

/** Cuts a track where there was no fix for long, at its ends too: how it went on from there is not known. */
function splitAtSilence(
  start: Endpoint | undefined,
  track: readonly TimedPosition[],
  end: Endpoint | undefined,
  isKept: (place: Endpoint | undefined) => place is Endpoint,
): TripPositions {
  const parts: TripPart[] = [];
  let open: TimedPosition[] = [];
  let last: TimedPosition | undefined;
  if (isKept(start) && isTimed(start) && isSilence(start, track[0])) open = [(last = start)];
  const follow = (position: TimedPosition): void => {
    if (last !== undefined && isSilence(last, position)) {
      if (open.length > 1) parts.push({ positions: open, isMeasured: true });
      parts.push({ positions: [last, position], isMeasured: false });
      open = [];
    }
    open.push(position);
    last = position;
  };
  for (const position of track) follow(position);
  if (isKept(end) && isTimed(end) && isSilence(track.at(-1), end)) follow(end);
  if (open.length > 1 || parts.length === 0) parts.push({ positions: open, isMeasured: true });
  return parts;
}

function isSilence(from: TimedPosition | undefined, to: TimedPosition | undefined): boolean {
  return from !== undefined && to !== undefined && to.time - from.time > MAX_SILENCE_MS;
}

/** A start or an end; without a known time it cannot be held against others, and is believed. */
type Endpoint = Position & { readonly time: number | null };

function endpoint(position: Position, time: number | null): Endpoint | undefined {
  return isPlausiblePosition(position) ? { lat: position.lat, lng: position.lng, time } : undefined;
}

function isTimed(place: Endpoint): place is TimedPosition {
  return place.time !== null;
}

import { METERS_PER_DEGREE, nearestLongitude } from './earth.js';
import { FASTEST_PLAUSIBLE_KMH, type Position } from './plausible.js';

/** A position and the epoch milliseconds at which it was measured. */
export interface TimedPosition extends Position {
  readonly time: number;
}

/** Receivers are off by this much in streets between high buildings; shorter steps prove nothing. */
const TOLERANCE_METERS = 1_000;
const FASTEST_METERS_PER_MS = FASTEST_PLAUSIBLE_KMH / 3_600;

/**
 * The positions a vehicle can have driven along. From the longest stretch without an impossible step it goes
 * outwards in both directions of time, and what could not be reached from there is left out: a receiver that
 * reports a place hundreds of kilometres away for a minute would otherwise shrink the whole route to a dot.
 *
 * @param positions in order of time
 */
export function reachable<T extends TimedPosition>(positions: readonly T[]): readonly T[] {
  const longest = longestStretch(positions);
  if (longest.end - longest.begin === positions.length) return positions;
  const kept = positions.slice(longest.begin, longest.end);
  let first = kept[0];
  for (const position of positions.slice(0, longest.begin).reverse()) {
    if (first === undefined || !isStep(position, first)) continue;
    kept.unshift(position);
    first = position;
  }
  let last = kept.at(-1);
  for (const position of positions.slice(longest.end)) {
    if (last === undefined || !isStep(last, position)) continue;
    kept.push(position);
    last = position;
  }
  return kept;
}

function longestStretch(positions: readonly TimedPosition[]): { begin: number; end: number } {
  let longest = { begin: 0, end: 0 };
  let begin = 0;
  for (let end = 1; end <= positions.length; end += 1) {
    const [from, to] = [positions[end - 1], positions[end]];
    if (from !== undefined && to !== undefined && isStep(from, to)) continue;
    if (end - begin > longest.end - longest.begin) longest = { begin, end };
    begin = end;
  }
  return longest;
}

/** Whether a vehicle can have got from one position to the later one in the time between them. */
function isStep(from: TimedPosition, to: TimedPosition): boolean {
  const northward = (to.lat - from.lat) * METERS_PER_DEGREE;
  const east = nearestLongitude(to.lng, from.lng) - from.lng;
  const eastward = east * METERS_PER_DEGREE * Math.cos((from.lat * Math.PI) / 180);
  const most = TOLERANCE_METERS + (to.time - from.time) * FASTEST_METERS_PER_MS;
  return northward ** 2 + eastward ** 2 <= most ** 2;
}

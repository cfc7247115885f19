import { distanceBetween, METERS_PER_DEGREE } from './earth.js';
import { MAX_PLAUSIBLE_KMH, type Position } from './plausible.js';

/** Position with its measurement time in epoch milliseconds. */
export interface TimedPosition extends Position {
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
export function unreachable(positions: readonly TimedPosition[]): ReadonlySet<Position> {
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

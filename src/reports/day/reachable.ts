import { distanceBetween, METERS_PER_DEGREE } from './earth.js';
import { MAX_PLAUSIBLE_KMH, type Position } from './plausible.js';

/** Position with its measurement time in epoch milliseconds. */
export interface TimedPosition extends Position {
  readonly time: number;
}

/** Index range of consecutive positions, `end` exclusive. */
interface Stretch {
  readonly begin: number;
  readonly end: number;
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
  const stretches = splitAtJumps(positions);
  if (stretches.length <= 1) return new Set();
  let best: readonly TimedPosition[] = [];
  const longestFirst = stretches.toSorted((a, b) => b.end - b.begin - (a.end - a.begin));
  for (const stretch of longestFirst.slice(0, MAX_STARTS)) {
    const reached = reachedFrom(positions, stretch);
    if (reached.length > best.length) best = reached;
  }
  const kept = new Set(best);
  return new Set(positions.filter((position) => !kept.has(position)));
}

function splitAtJumps(positions: readonly TimedPosition[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let begin = 0;
  for (let end = 1; end <= positions.length; end += 1) {
    const [from, to] = [positions[end - 1], positions[end]];
    if (from !== undefined && to !== undefined && isStep(from, to)) continue;
    stretches.push({ begin, end });
    begin = end;
  }
  return stretches;
}

function reachedFrom(positions: readonly TimedPosition[], { begin, end }: Stretch): readonly TimedPosition[] {
  const stretch = positions.slice(begin, end);
  const before = walk(stretch[0], positions.slice(0, begin).reverse());
  const after = walk(stretch.at(-1), positions.slice(end));
  return [...before, ...stretch, ...after];
}

function walk(from: TimedPosition | undefined, positions: readonly TimedPosition[]): readonly TimedPosition[] {
  let last = from;
  return positions.filter((position) => {
    const isReached = last !== undefined && isStep(last, position);
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

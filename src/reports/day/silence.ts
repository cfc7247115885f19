/** Minimum length of a silence; receivers lose the sky for less in tunnels and yards. */
const MIN_SILENCE_MS = 5 * 60_000;
/** Time after which the events in between are unknown, for any reporting interval. */
const MAX_SILENCE_MS = 60 * 60_000;
/** Ratio of a silence to the usual interval. */
const TIMES_USUAL = 3;
/** Minimum number of intervals for a usual one. */
const MIN_INTERVALS = 3;

/**
 * Returns the longest time between two readings of a track that is not a silence, in milliseconds: three times the
 * usual (median) interval of that track, at least five minutes and at most an hour. A longer one is a gap on the chart
 * and a dashed line on the route.
 *
 * @param readings in order of time, epoch milliseconds
 */
export function longestKnown(readings: readonly { readonly time: number }[]): number {
  const intervals: number[] = [];
  for (let index = 1; index < readings.length; index += 1) {
    const interval = (readings[index]?.time ?? 0) - (readings[index - 1]?.time ?? 0);
    if (interval > 0) intervals.push(interval);
  }
  if (intervals.length < MIN_INTERVALS) return MIN_SILENCE_MS;
  // Most tracks are dense, and sorting takes longer than looking.
  if (intervals.every((interval) => interval * TIMES_USUAL <= MIN_SILENCE_MS)) return MIN_SILENCE_MS;
  intervals.sort((a, b) => a - b);
  const usual = intervals[(intervals.length - 1) >> 1] ?? 0;
  return Math.min(MAX_SILENCE_MS, Math.max(MIN_SILENCE_MS, TIMES_USUAL * usual));
}

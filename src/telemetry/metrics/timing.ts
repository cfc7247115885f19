import type { Observation, Observer } from '../../observation.js';

/**
 * An observer that times.
 *
 * @param ended gets what began, how it ended and how long it took in seconds
 * @param began is told at once
 */
export function timing<Start, End>(
  ended: (start: Start, end: End, seconds: number) => void,
  began?: (start: Start) => void,
): Observer<Start, End> {
  return {
    started(start): Observation<End> {
      began?.(start);
      const startedAt = performance.now();
      return { within: (work) => work(), finish: (end) => ended(start, end, (performance.now() - startedAt) / 1_000) };
    },
  };
}

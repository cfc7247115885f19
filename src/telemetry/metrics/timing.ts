import type { Observation, Observer } from '../../observation.js';

/** Gets what began, how it ended and how long it took in seconds. */
type Ended<Start, End> = (start: Start, end: End, seconds: number) => void;

/**
 * An observer that times.
 *
 * @param ended is told of each end
 * @param began is told at once
 */
export function timing<Start, End>(ended: Ended<Start, End>, began?: (start: Start) => void): Observer<Start, End> {
  return {
    started(start) {
      began?.(start);
      return new Timed(start, ended);
    },
  };
}

/** A class, because there are several for each request, and closures would have to be made for each. */
class Timed<Start, End> implements Observation<End> {
  readonly #start: Start;
  readonly #ended: Ended<Start, End>;
  readonly #startedAt = performance.now();

  constructor(start: Start, ended: Ended<Start, End>) {
    this.#start = start;
    this.#ended = ended;
  }

  within<T>(work: () => T): T {
    return work();
  }

  finish(end: End): void {
    this.#ended(this.#start, end, (performance.now() - this.#startedAt) / 1_000);
  }
}

/** Observed work in progress. */
export interface Observation<End> {
  /** Runs work as part of the observation, with all that it starts. */
  within<T>(work: () => T): T;
  /** Reports the end; call once. */
  finish(end: End): void;
}

/**
 * Receives the start and end of all work of one kind: the seam for metrics and traces. Observed code reports in its own
 * terms and does not know its observers. Without an observer, nothing is allocated or timed.
 */
export interface Observer<Start, End> {
  started(start: Start): Observation<End>;
}

/** Outcome of some work. */
export type Settled<T> = { readonly value: T } | { readonly error: unknown };

/**
 * Runs work under observation.
 *
 * @param endOf translates the outcome into the observer's terms
 * @throws errors of the work
 */
export function observed<T, End>(
  observation: Observation<End>,
  work: () => Promise<T>,
  endOf: (settled: Settled<T>) => End,
): Promise<T> {
  // Not an async function, which allocates more objects; a request makes several such calls.
  return observation.within(work).then(
    (value) => {
      observation.finish(endOf({ value }));
      return value;
    },
    (error: unknown) => {
      observation.finish(endOf({ error }));
      throw error;
    },
  );
}

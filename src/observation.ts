/** Something under way that somebody watches. */
export interface Observation<End> {
  /** Does what belongs to it: whatever begins meanwhile counts as a part of it. */
  within<T>(work: () => T): T;
  /** Tells how it ended; to be called once. */
  finish(end: End): void;
}

/**
 * Is told of everything of one kind that begins and ends: the seam for metrics and traces. Who is watched says in its
 * own words what happens, and knows nothing of who watches. Without an observer nothing is made and nothing is timed.
 */
export interface Observer<Start, End> {
  started(start: Start): Observation<End>;
}

/** What became of some work. */
export type Settled<T> = { readonly value: T } | { readonly error: unknown };

/**
 * Does some work under observation.
 *
 * @param endOf says in the observer's words how it ended
 * @throws what the work throws
 */
export function observed<T, End>(
  observation: Observation<End>,
  work: () => Promise<T>,
  endOf: (settled: Settled<T>) => End,
): Promise<T> {
  // Not an async function, which makes more objects: there are several of these in a request.
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

import { observed, type Observer } from '../observation.js';

/** Item of a job that is being processed, repetitions included. */
export interface StartedItem {
  /** Place in the body, from 0. */
  readonly index: number;
}

/**
 * Outcome of an item.
 *
 * - `done`: as requested
 * - `failed`: it is among the errors of the job
 * - `interrupted`: the job stopped, and the item is done later
 */
export type ItemEnd = 'done' | 'failed' | 'interrupted';

/** Observer of job items. */
export type ItemObserver = Observer<StartedItem, ItemEnd>;

/**
 * Processes an item, observed if there is an observer.
 *
 * @param hasFailed returns true for the result of a failure; throwing is an interruption
 */
export function observedItem<T>(
  observer: ItemObserver | undefined,
  index: number,
  work: () => Promise<T>,
  hasFailed: (outcome: T) => boolean,
): Promise<T> {
  if (observer === undefined) return work();
  return observed(observer.started({ index }), work, (settled) =>
    'error' in settled ? 'interrupted' : hasFailed(settled.value) ? 'failed' : 'done',
  );
}

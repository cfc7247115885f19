import { observed, type Observer } from '../observation.js';

/** An item of a job that is done now, its repetitions included. */
export interface StartedItem {
  /** Place in the body, from 0. */
  readonly index: number;
}

/**
 * What became of it.
 *
 * - `done`: as it was asked for
 * - `failed`: it is among the errors of the job
 * - `interrupted`: the job stopped, and the item is done later
 */
export type ItemEnd = 'done' | 'failed' | 'interrupted';

/** Watches the items of jobs. */
export type ItemObserver = Observer<StartedItem, ItemEnd>;

/**
 * Does an item, under observation if anybody watches.
 *
 * @param hasFailed whether what it led to is a failure; throwing is an interruption
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

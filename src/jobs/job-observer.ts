import type { JobIdentity } from '../job-record/job-record.js';
import { type Observer, observed } from '../observation.js';

/** Run of a job that begins, because a callback has claimed it. */
export interface StartedRun {
  readonly job: JobIdentity;
  /** From 1. */
  readonly attempt: number;
  /** Time when the job was accepted, milliseconds since 1970. */
  readonly createdAt: number;
  /** Number of items. */
  readonly total: number;
}

/**
 * Outcomes of a run.
 *
 * - `finished`: the job has ended and its outcome is stored, whatever the outcomes of its items
 * - `stopped`: the process shuts down; the job continues elsewhere
 * - `gave_way`: another organisation has work too; the job continues later
 * - `taken_over`: the lease was lost; another process runs the job
 * - `failed`: an error ended the run early; the queue delivers the job again
 */
export const RUN_OUTCOMES = ['finished', 'stopped', 'gave_way', 'taken_over', 'failed'] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** End of a run. `cancelled` items were not begun because their job was cancelled. */
export interface EndedRun {
  readonly outcome: RunOutcome;
  /** Present for a finished job; includes earlier runs. */
  readonly items?: { readonly done: number; readonly failed: number; readonly cancelled: number };
  /** Present if it failed. */
  readonly error?: unknown;
}

/** Observer of job runs. */
export type JobObserver = Observer<StartedRun, EndedRun>;

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

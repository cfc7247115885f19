import type { JobIdentity } from '../job-record/job-record.js';
import type { Observer } from '../observation.js';

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

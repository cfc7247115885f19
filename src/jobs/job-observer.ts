import type { JobIdentity } from '../job-record/job-record.js';
import type { Observer } from '../observation.js';

/** A run of a job that begins, because a callback has claimed it. */
export interface StartedRun {
  readonly job: JobIdentity;
  /** From 1. */
  readonly attempt: number;
  /** When the job was accepted, milliseconds since 1970. */
  readonly createdAt: number;
  /** Number of items. */
  readonly total: number;
}

/**
 * How a run ended.
 *
 * - `finished`: the job has ended and its outcome is stored, whatever became of its items
 * - `stopped`: the process shuts down; it goes on elsewhere
 * - `gave_way`: another organisation has work too; it goes on later
 * - `taken_over`: the lease was lost; another process runs it
 * - `failed`: an error kept it from its end; the queue delivers it again
 */
export type RunOutcome = 'finished' | 'stopped' | 'gave_way' | 'taken_over' | 'failed';

/** The end of a run. Items are `cancelled` that were not begun because their job was. */
export interface EndedRun {
  readonly outcome: RunOutcome;
  /** Of a job that has finished; those of earlier runs count in. */
  readonly items?: { readonly done: number; readonly failed: number; readonly cancelled: number };
  /** Present when it failed. */
  readonly error?: unknown;
}

/** Watches runs of jobs. */
export type JobObserver = Observer<StartedRun, EndedRun>;

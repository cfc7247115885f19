import type { JobIdentity, JobResult } from '../../job-record/job-record.js';
import type { Settled } from '../../observation.js';
import type { Work } from '../job.js';

/** Answer of a callback. */
export type JobReply = { readonly jobId: string } & (
  | {
      readonly outcome: 'handled';
      readonly result: JobResult;
      readonly replayed: boolean;
      /** Number of failed items that were not begun because the job was cancelled; 0 if absent. */
      readonly cancelledItems?: number;
    }
  | { readonly outcome: 'running'; readonly retryAfterMs: number }
  | { readonly outcome: 'unknown key'; readonly retryAfterMs: number }
  | { readonly outcome: 'conflict' }
  /** The job has not begun, or gave way, because other organisations have work too. */
  | { readonly outcome: 'must wait'; readonly retryAfterMs: number }
  | { readonly outcome: 'stopped' }
);

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

declare module '../../observation.js' {
  interface ObservedWork {
    run: Observed<StartedRun, EndedRun>;
  }
}

/** Converts a reply to the end of a run for observers. */
export function endOf(settled: Settled<JobReply>, { total }: Work): EndedRun {
  if ('error' in settled) return { outcome: 'failed', error: settled.error };
  switch (settled.value.outcome) {
    case 'handled': {
      const { result, cancelledItems: cancelled = 0 } = settled.value;
      const notDone = result.failedItems?.length ?? 0;
      return { outcome: 'finished', items: { done: total - notDone, failed: notDone - cancelled, cancelled } };
    }
    case 'running':
      return { outcome: 'taken_over' };
    case 'must wait':
      return { outcome: 'gave_way' };
    case 'stopped':
      return { outcome: 'stopped' };
    case 'conflict':
    case 'unknown key':
      // Returned before anything runs.
      return { outcome: 'failed' };
  }
}

import type { JobResult } from '../../job-record/job-record.js';
import type { Settled } from '../../observation.js';
import type { Work } from '../job.js';
import type { EndedRun } from '../job-observer.js';

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

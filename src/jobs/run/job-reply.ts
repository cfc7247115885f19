import type { JobResult } from '../../job-record/job-record.js';
import type { Settled } from '../../observation.js';
import type { Work } from '../job.js';
import type { EndedRun } from '../job-observer.js';

/** What a callback answers. */
export type JobReply = { readonly jobId: string } & (
  | {
      readonly outcome: 'handled';
      readonly result: JobResult;
      readonly replayed: boolean;
      /** Failed items that were not begun because the job was cancelled; none when absent. */
      readonly cancelledItems?: number;
    }
  | { readonly outcome: 'running'; readonly retryAfterMs: number }
  | { readonly outcome: 'unknown key'; readonly retryAfterMs: number }
  | { readonly outcome: 'conflict' }
  /** It has not begun, or gave way, because other organisations have work too. */
  | { readonly outcome: 'must wait'; readonly retryAfterMs: number }
  | { readonly outcome: 'stopped' }
);

/** How a run ended, in the words of who watches. */
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
      // Known before anything runs.
      return { outcome: 'failed' };
  }
}

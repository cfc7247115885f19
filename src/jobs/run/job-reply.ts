import { itemsOf } from '../record/job-ends.js';
import type { JobIdentity, JobRecord, JobResult } from '../record/job-record.js';
import type { Settled } from '../../base/observation.js';

export type JobReply = { readonly jobId: string } & (
  | { readonly outcome: 'handled'; readonly result: JobResult; readonly replayed: boolean }
  | { readonly outcome: 'running' | 'unknown key'; readonly retryAfterMs: number }
  /** The job has not begun, or has stopped, because other organisations have work too or another job runs alone. */
  | { readonly outcome: 'must wait'; readonly retryAfterMs: number; readonly runsAlone?: boolean }
  /**
   * `refused`: its start was; `given up`: it has ended too many gateways, and is not run until it is replayed;
   * `outdated`: it has ended after its message was queued.
   */
  | { readonly outcome: 'conflict' | 'refused' | 'given up' | 'outdated' | 'stopped' }
);

export interface StartedRun extends Pick<JobRecord, 'attempt' | 'createdAt' | 'total'> {
  readonly job: JobIdentity;
}

/**
 * Outcomes of a run.
 *
 * - `finished`: the job has ended and its outcome is stored
 * - `nothing_done`: likewise, but items failed and none was done
 * - `stopped`: the process shuts down; the job continues elsewhere
 * - `gave_way`: another organisation has work too, or a job has to run alone; the job continues later
 * - `taken_over`: the lease was lost; another process runs the job
 * - `failed`: an error ended the run early; the queue delivers the job again
 */
export const RUN_OUTCOMES = ['finished', 'nothing_done', 'stopped', 'gave_way', 'taken_over', 'failed'] as const;
type RunOutcome = (typeof RUN_OUTCOMES)[number];

export interface EndedRun {
  readonly outcome: RunOutcome;
  /** Numbers of items, those of earlier runs included; present for a finished job. */
  readonly items?: ReturnType<typeof itemsOf>;
  readonly error?: unknown;
}

declare module '../../base/observation.js' {
  interface ObservedWork {
    run: Observed<StartedRun, EndedRun>;
  }
}

/** Outcomes of a run by that of its reply. All other replies are given before anything runs. */
const OUTCOMES: Readonly<Partial<Record<JobReply['outcome'], RunOutcome>>> = {
  running: 'taken_over',
  'must wait': 'gave_way',
  stopped: 'stopped',
};

/** Converts a reply to the end of a run for observers. @param total number of items */
export function endOfRun(settled: Settled<JobReply>, total: number): EndedRun {
  if ('error' in settled) return { outcome: 'failed', error: settled.error };
  const { value: reply } = settled;
  if (reply.outcome !== 'handled') return { outcome: OUTCOMES[reply.outcome] ?? 'failed' };
  const items = itemsOf(total, reply.result);
  return { outcome: items.done === 0 && items.failed > 0 ? 'nothing_done' : 'finished', items };
}

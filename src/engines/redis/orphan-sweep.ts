import type { JobResult } from '../../job-record/job-record.js';
import type { JobStore } from '../../job-record/job-store.js';
import type { UnfinishedJob, UnfinishedJobs } from './unfinished-jobs.js';

/** What a sweep looks at. */
export interface OrphanSweep {
  readonly store: JobStore;
  readonly unfinished: UnfinishedJobs;
  /** Whether the queue will deliver the job. */
  readonly isDeliverable: (job: UnfinishedJob) => Promise<boolean>;
}

/** Reply of a job that nobody will deliver. */
export const ORPHANED_JOB: JobResult = {
  status: 503,
  body: JSON.stringify({
    message: 'The job was lost before it was finished. See what it did before starting it again.',
  }),
};

/**
 * Ends unfinished records that the queue will not deliver, so that nobody polls them forever. Several
 * processes may sweep at the same time.
 *
 * @param olderThanMs jobs submitted, or looked at, more recently are left alone
 * @returns how many records were ended
 */
export async function sweepOrphans(sweep: OrphanSweep, olderThanMs: number): Promise<number> {
  const { store, unfinished, isDeliverable } = sweep;
  const startedAt = Date.now();
  let ended = 0;
  for (;;) {
    const jobs = await unfinished.notSeenSince(startedAt - olderThanMs);
    if (jobs.length === 0) return ended;
    for (const job of jobs) {
      const record = await store.read(job);
      if (record === undefined || record.state === 'finished') {
        await unfinished.remove(job);
      } else if (!(await isDeliverable(job)) && (await store.fail(job, record, ORPHANED_JOB))) {
        ended += 1;
        await unfinished.remove(job);
      } else {
        // After the start of this sweep, so that it does not come round again.
        await unfinished.seen(job, Date.now() + 1);
      }
    }
  }
}

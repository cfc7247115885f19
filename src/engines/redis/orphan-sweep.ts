import { describeError, ServiceUnavailableError } from '../../errors.js';
import type { JobRecord, JobResult } from '../../job-record/job-record.js';
import type { JobStore } from '../../job-record/job-store.js';
import type { Logger } from '../../logging/logger.js';
import type { UnfinishedJob, UnfinishedJobs } from './unfinished-jobs.js';

/** Wait between two sweeps, by whichever process, in milliseconds. */
export const SWEEP_EVERY_MS = 5 * 60 * 1000;

/** What a sweep looks at. */
export interface OrphanSweep {
  readonly store: Pick<JobStore, 'read' | 'fail'>;
  readonly unfinished: Pick<UnfinishedJobs, 'notSeenSince' | 'seen' | 'remove'>;
  /** Whether the queue will deliver the job. */
  readonly isDeliverable: (job: UnfinishedJob) => Promise<boolean>;
  /** Asked before every batch; false ends the sweep. */
  readonly goOn: () => Promise<boolean>;
  readonly logger: Logger;
}

/** How a sweep is done. */
export interface SweepOptions {
  /** Jobs submitted, or looked at, more recently are left alone. */
  readonly olderThanMs: number;
  /** Ends the sweep before its next step. */
  readonly stopping?: AbortSignal;
}

/** Reply of a job that nobody will deliver. */
export const ORPHANED_JOB: JobResult = {
  status: 503,
  body: JSON.stringify({
    message: 'The job was lost before it was finished. See what it did before starting it again.',
  }),
};

/** What was found out about a job. */
interface Finding {
  readonly job: UnfinishedJob;
  readonly fate: 'over' | 'on its way' | 'unreadable' | { readonly orphan: JobRecord };
}

/**
 * Ends unfinished records that the queue will not deliver, so that nobody polls them forever. What is asked of Redis
 * about the jobs of a batch is asked at once, and their records are ended at once: a few round trips for all of them.
 *
 * @returns how many records were ended
 */
export async function sweepOrphans(sweep: OrphanSweep, { olderThanMs, stopping }: SweepOptions): Promise<number> {
  const { store, unfinished, goOn } = sweep;
  const startedAt = Date.now();
  let ended = 0;
  while (!stopping?.aborted && (await goOn())) {
    const jobs = await unfinished.notSeenSince(startedAt - olderThanMs);
    if (jobs.length === 0) break;
    const findings = await Promise.all(jobs.map((job) => look(job, sweep)));
    const over = findings.filter(({ fate }) => fate === 'over').map(({ job }) => job);
    if (stopping?.aborted) break;
    const failed = await Promise.all(
      findings.map(async ({ job, fate }) => {
        const isEnded = typeof fate === 'object' && (await store.fail(job, fate.orphan, ORPHANED_JOB));
        return isEnded ? [job] : [];
      }),
    );
    ended += failed.flat().length;
    over.push(...failed.flat());
    if (stopping?.aborted) break;
    await unfinished.remove(over);
    // After the start of this sweep, so that they do not come round again.
    await unfinished.seen(
      jobs.filter((job) => !over.includes(job)),
      Date.now() + 1,
    );
  }
  return ended;
}

async function look(job: UnfinishedJob, { store, isDeliverable, logger }: OrphanSweep): Promise<Finding> {
  try {
    const [record, deliverable] = await Promise.all([store.read(job), isDeliverable(job)]);
    if (record === undefined || record.state === 'finished') return { job, fate: 'over' };
    return { job, fate: deliverable ? 'on its way' : { orphan: record } };
  } catch (error) {
    if (error instanceof ServiceUnavailableError) throw error;
    // A record that is damaged costs its own job and not the sweep.
    logger.event('queue.orphan_unreadable', { jobId: job.jobId, kind: job.kind, reason: describeError(error) });
    return { job, fate: 'unreadable' };
  }
}

import type { JobInspection } from '../job-record/job-inspection.js';
import type { DeadLetter, JobQueue } from '../job-record/job-queue.js';
import type { JobIdentity, JobRecord } from '../job-record/job-record.js';
import type { JobStore } from '../job-record/job-store.js';
import { RefusedCommandError } from '../process/usage-error.js';

/** Stores of dead letters and their jobs. */
export interface JobPorts {
  readonly queue: JobQueue;
  readonly jobStore: JobStore;
  readonly inspection: JobInspection;
}

/**
 * Delivers a dead letter again. The job continues at its checkpoint, because a claim resumes a dead-lettered job
 * (`job-record/transitions.ts`).
 *
 * @throws {RefusedCommandError} it no longer exists
 */
export async function replay(queue: JobQueue, job: JobIdentity): Promise<void> {
  if (!(await queue.replay(job))) throw replayedByOthers();
}

/** Makes the error for a dead letter that another operator has replayed. */
export function replayedByOthers(): RefusedCommandError {
  return new RefusedCommandError('Somebody else has replayed this job just now.');
}

/**
 * Reads the status record of a dead letter.
 *
 * @throws {RefusedCommandError} it has expired
 */
export async function recordOf(jobStore: JobStore, message: DeadLetter['message']): Promise<JobRecord> {
  const record = await jobStore.read(message);
  if (record !== undefined) return record;
  throw new RefusedCommandError(
    'The status record of this job has expired, so nothing says which of its items ' +
      'were done. See what it did, and start a new job for the rest.',
  );
}

import type { JobInspection } from '../../job-record/job-inspection.js';
import type { JobQueue, JobSubmission } from '../../job-record/job-queue.js';
import type { SweepOptions } from './orphan-sweep.js';

/** Queue of several processes, with its clean-up. Its records are in Redis. */
export interface SharedQueue extends JobQueue, JobSubmission, Pick<JobInspection, 'queued'> {
  /**
   * Ends unfinished records that the queue does not know, or knows only as dead letters. One process sweeps at a time,
   * and again when its lease has expired.
   *
   * @param options.olderThanMs the deadline of a job is a good value
   * @returns number of ended records; 0 if another process sweeps
   * @throws {ServiceUnavailableError} when Redis, or the queue, cannot be reached
   */
  sweepOrphans(options: SweepOptions): Promise<number>;
  /** Releases the connection, which stays open; consumers close separately. */
  close(): Promise<void>;
}

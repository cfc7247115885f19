import type { JobInspection } from '../../job-record/job-inspection.js';
import type { JobQueue, JobSubmission } from '../../job-record/job-queue.js';
import type { SweepOptions } from './orphan-sweep.js';

/** A queue that several processes use, and what keeps it in order. Its records are in Redis. */
export interface SharedQueue extends JobQueue, JobSubmission, Pick<JobInspection, 'queued'> {
  /**
   * Ends unfinished records that the queue does not know, or knows only as dead letters. Of all processes one sweeps
   * at a time, and again when its lease has run out.
   *
   * @param options.olderThanMs the deadline of a job is a good value
   * @returns how many records were ended; 0 when somebody else sweeps
   * @throws {ServiceUnavailableError} when Redis, or the queue, cannot be reached
   */
  sweepOrphans(options: SweepOptions): Promise<number>;
  /** Lets go of the connection, which stays open; consumers are closed by themselves. */
  close(): Promise<void>;
}

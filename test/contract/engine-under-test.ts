import type { JobQueue, JobSubmission } from '../../src/jobs/record/job-queue.js';
import type { JobStore } from '../../src/jobs/record/job-store.js';
import type { OrganisationJobs } from '../../src/jobs/record/organisation-jobs.js';
import type { OtherProcess } from './child-process.js';

/** Delivery attempts of the queues of the contract. */
export const MAX_ATTEMPTS = 3;

/**
 * How long a consumer may be silent before its message goes to another one, in the queues of the contract: short,
 * because a test waits for its end, and longer than a busy machine keeps a living consumer from renewing it.
 */
export const MESSAGE_LEASE_MS = 2_000;

/** An engine that holds nothing yet, of one test. */
export interface EngineUnderTest {
  readonly store: JobStore;
  readonly queue: JobQueue;
  readonly submission: JobSubmission;
  readonly organisations: OrganisationJobs;
  /**
   * Lets time pass: by the clock of the store when that can be set, otherwise by waiting. A queue with a clock of its own
   * was opened with back-offs of a few milliseconds.
   */
  passTime(ms: number): Promise<void>;
  /** Whether SQS counts: a death of a consumer is no attempt, and a message that comes again later counts as being handled. */
  readonly countedBySqs?: true;
  /** How child processes open the same engine. */
  readonly otherProcess: OtherProcess;
  close(): Promise<void>;
}

import type { JobKind } from '../job-record/job-kinds.js';
import { drivingReportsJob, type DrivingReportsOptions } from './driving-reports-job.js';
import type { Job } from './job.js';
import { mobilesJob } from './mobiles-job.js';
import { userAccountsJob } from './user-accounts-job.js';

/** The three kinds of job. Routes, records and queue messages are driven by this table. */
export type JobTable = Readonly<Record<JobKind, Job>>;

/** What the jobs need. */
export interface JobTableOptions extends DrivingReportsOptions {
  /** Items of a bulk job. */
  readonly maxItems: number;
}

/** Builds the table; a new kind of job is one more line here and one more file beside this one. */
export function createJobTable(options: JobTableOptions): JobTable {
  return {
    'driving-reports': drivingReportsJob(options),
    'user-accounts': userAccountsJob(options),
    mobiles: mobilesJob(options),
  };
}

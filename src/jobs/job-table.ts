import type { JobKind } from '../job-record/job-kinds.js';
import { drivingReportsJob, type DrivingReportsOptions } from './kinds/driving-reports-job.js';
import { mobilesJob } from './kinds/mobiles-job.js';
import type { OfferedJob } from './offered-job.js';
import { userAccountsJob } from './kinds/user-accounts-job.js';

/** What the jobs need. */
export interface JobTableOptions extends DrivingReportsOptions {
  /** Items of a bulk job. */
  readonly maxItems: number;
  /** How long backend-api remembers an `Idempotency-Key`, at least, in milliseconds. */
  readonly keysRememberedMs: number;
}

/** Builds the one table of jobs: a line for each kind in `openapi/gateway.yaml`, and a file in `kinds/`. */
export function createJobTable(options: JobTableOptions) {
  return {
    'driving-reports': drivingReportsJob(options),
    'user-accounts': userAccountsJob(options),
    mobiles: mobilesJob(options),
  } as const satisfies { readonly [Kind in JobKind]: OfferedJob<Kind> };
}

/** Every kind of job. Routes, records, queue messages and the front end's operations are driven by this table. */
export type JobTable = ReturnType<typeof createJobTable>;

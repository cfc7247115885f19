import type { JobKind } from '../job-record/job-kinds.js';
import { drivingReportsJob, type DrivingReportsOptions } from './kinds/driving-reports-job.js';
import { mobilesJob } from './kinds/mobiles-job.js';
import type { OfferedJob } from './offered-job.js';
import { userAccountsJob } from './kinds/user-accounts-job.js';
import { GatewayError } from '../errors.js';

export interface JobTableOptions extends DrivingReportsOptions {
  /** Maximum number of items of a bulk job. */
  readonly maxItems: number;
  /** Minimum time for which backend-api remembers an `Idempotency-Key`, in milliseconds. */
  readonly keysRememberedMs: number;
}

/** Builds the table of jobs: one line for each kind in `openapi/gateway.yaml`, and one file in `kinds/`. */
export function createJobTable(options: JobTableOptions) {
  return {
    'driving-reports': drivingReportsJob(options),
    'user-accounts': userAccountsJob(options),
    mobiles: mobilesJob(options),
  } as const satisfies { readonly [Kind in JobKind]: OfferedJob<Kind> };
}

/** Table of all kinds of job. It drives routes, records, queue messages and the front end's operations. */
export type JobTable = ReturnType<typeof createJobTable>;

/** Organisation and role that decide which jobs a user may see (specification, "AuthUser (request context)"). */
export interface JobViewer {
  readonly Org: string;
  readonly IsAdmin: boolean;
}

/** @throws {GatewayError} `Forbidden` unless the user is an administrator */
export function requireAdministrator({ IsAdmin }: Pick<JobViewer, 'IsAdmin'>): void {
  if (!IsAdmin) throw new GatewayError('AdministratorsOnly');
}

/** Returns the kinds of job that a user may see. */
export function visibleKinds(jobs: JobTable, { IsAdmin }: Pick<JobViewer, 'IsAdmin'>): readonly JobKind[] {
  const all: readonly OfferedJob[] = Object.values(jobs);
  return all.filter(({ administratorsOnly }) => IsAdmin || !administratorsOnly).map(({ kind }) => kind);
}

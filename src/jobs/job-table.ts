import type { AuthUser } from '../../generated/graphql.js';
import type { JobKind } from './record/job-kinds.js';
import type { JobRecord } from './record/job-record.js';
import { drivingReportsJob, type DrivingReportsOptions } from './kinds/driving-reports-job.js';
import type { BulkJobOptions } from './kinds/bulk-job.js';
import { mobilesJob } from './kinds/mobiles-job.js';
import type { JobDefinition } from './job-definition.js';
import { userAccountsJob } from './kinds/user-accounts-job.js';
import type { Config } from '../base/config/config.js';
import { GatewayError } from '../base/errors.js';

export interface JobTableOptions extends DrivingReportsOptions, BulkJobOptions, Pick<Config, 'mobileUpdates'> {}

/** Creates the table of jobs: one line for each kind in `openapi/gateway.yaml`, and one file in `kinds/`. */
export function createJobTable(options: JobTableOptions) {
  return {
    'driving-reports': drivingReportsJob(options),
    'user-accounts': userAccountsJob(options),
    mobiles: { ...mobilesJob(options), administratorsStart: options.mobileUpdates === 'administrators' },
  } as const satisfies { readonly [Kind in JobKind]: JobDefinition<Kind> };
}

/** Table of all kinds of job. It drives routes, records, queue messages and the front end's operations. */
export type JobTable = ReturnType<typeof createJobTable>;

/** User, role and organisation, which decide on visible jobs (specification, "AuthUser (request context)"). */
export type JobViewer = Readonly<Pick<AuthUser, 'BackendUser' | 'Org' | 'IsAdmin'>>;

/**
 * Returns true if a user may see a job of the user's organisation: administrators may see all, others those that they
 * or nobody ordered. To a user who may not, there is no such job.
 */
export function isVisible(
  { administratorsOnly }: JobDefinition,
  { orderedBy }: JobRecord,
  { BackendUser, IsAdmin }: JobViewer,
): boolean {
  return IsAdmin || (!administratorsOnly && (orderedBy === undefined || orderedBy.BackendUser === BackendUser));
}

/** @throws {GatewayError} `Forbidden` unless the user is an administrator */
export function requireAdministrator({ IsAdmin }: Pick<JobViewer, 'IsAdmin'>): void {
  if (!IsAdmin) throw new GatewayError('AdministratorsOnly');
}

export function visibleKinds(jobs: JobTable, { IsAdmin }: Pick<JobViewer, 'IsAdmin'>): readonly JobKind[] {
  const all: readonly JobDefinition[] = Object.values(jobs);
  return all.filter(({ administratorsOnly }) => IsAdmin || !administratorsOnly).map(({ kind }) => kind);
}

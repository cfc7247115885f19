import { GatewayError } from '../errors.js';
import type { JobKind } from '../job-record/job-kinds.js';
import type { JobTable } from './job-table.js';
import type { OfferedJob } from './offered-job.js';

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

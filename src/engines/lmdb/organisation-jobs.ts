import { waitBehind, type OrganisationJobs, type OrganisationLimits } from '../../job-record/organisation-jobs.js';
import type { LmdbDatabase } from './database.js';
import type { LmdbJobRecords } from './job-records.js';

/** What is told of the jobs of counts. */
export interface LmdbOrganisationJobsParts {
  readonly database: LmdbDatabase;
  readonly records: LmdbJobRecords;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly limits: OrganisationLimits;
}

/** The jobs of each organisation on LMDB, which the records keep in step. */
export function createLmdbOrganisationJobs(parts: LmdbOrganisationJobsParts): OrganisationJobs {
  const { database, records, clock, limits } = parts;
  const { counts, index } = records;
  return {
    waitMs: ({ kind, org, jobId }) =>
      database.read<number>(() => {
        const now = clock();
        const running = counts.running(org, now);
        if (running < limits.maxRunning || !counts.othersHaveWork(org, now, false)) return 0;
        return waitBehind(jobId === undefined ? 0 : counts.older({ kind, org, jobId }) - running);
      }),
    surplus: (org) =>
      database.read(() => {
        const now = clock();
        const surplus = counts.surplus(org, limits.maxRunning, now);
        return surplus.length > 0 && counts.othersHaveWork(org, now, true) ? surplus : [];
      }),
    list: (org, page) => database.read(() => index.list(org, page)),
  };
}

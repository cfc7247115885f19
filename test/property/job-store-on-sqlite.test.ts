import { describe, it } from '@jest/globals';
import { SqliteDatabase } from '../../src/jobs/engines/sqlite/database.js';
import { SqliteJobRecords } from '../../src/jobs/engines/sqlite/job-records.js';
import { SqliteJobStore } from '../../src/jobs/engines/sqlite/job-store.js';
import { SqliteOrganisations } from '../../src/jobs/engines/sqlite/organisations.js';
import { NO_LIMITS } from '../../src/jobs/record/organisation-jobs.js';
import { enqueue } from '../../src/jobs/record/transitions.js';
import { captureLog } from '../support/captured-log.js';
import { forAllTests, temporaryDirectory } from '../support/resources.js';
import { chooseSeed } from '../support/seed.js';
import { HISTORIES, holdAgainstMemory, OWNERS, START, type OpenFor } from './job-store-histories.js';

describe('The job store on SQLite', () => {
  const logger = captureLog().logger;
  const clocks: (() => number)[] = [];
  const directory = forAllTests(temporaryDirectory);
  /** One for each owner, as if each was a process of its own. */
  const databases = Array.from({ length: OWNERS }, (_, owner) =>
    forAllTests(() =>
      SqliteDatabase.open({ directory: directory.path, logger, clock: () => clocks[owner]?.() ?? START }),
    ),
  );

  it("is that in memory under any interleaving, whatever the owners' clocks do", async () => {
    const seed = chooseSeed('job store on SQLite against the one in memory');
    let opened = 0;
    const openFor: OpenFor = (clock) => {
      const owner = opened++ % OWNERS;
      const database = databases[owner];
      if (database === undefined) throw new Error('An owner has no database.');
      clocks[owner] = clock;
      const records = new SqliteJobRecords(database, logger);
      const organisations = new SqliteOrganisations(database, NO_LIMITS);
      return Object.assign(new SqliteJobStore(database, records, organisations, undefined), {
        // As the queue does it, which adds its message in the same transaction.
        enqueue: (...[job, described]: Parameters<ReturnType<OpenFor>['enqueue']>) =>
          database.transact<boolean>(
            (now) => records.update(job, now, (record) => enqueue(record, described, now)).next !== undefined,
          ),
      });
    };
    await holdAgainstMemory(openFor, { numRuns: HISTORIES / 2, seed });
  });
});

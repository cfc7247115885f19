import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../src/base/logging/logger.js';
import { openSqliteEngine } from '../../src/jobs/engines/sqlite/open-sqlite.js';
import type { JobEngine } from '../../src/jobs/engines/job-engine.js';
import type { OpenedElsewhere } from './child-process.js';
import type { OrganisationLimits } from '../../src/jobs/record/organisation-jobs.js';
import { MAX_ATTEMPTS, MESSAGE_LEASE_MS, type EngineUnderTest } from './engine-under-test.js';

/** Opens an embedded engine in a directory of its own, with a clock that can be put forward. */
export async function openEmbedded(limits?: OrganisationLimits): Promise<EngineUnderTest> {
  const directory = await mkdtemp(join(tmpdir(), 'embedded-'));
  let ahead = 0;
  const engine = await openEngineAt(directory, () => Date.now() + ahead, limits);
  return {
    store: engine.jobStore,
    organisations: engine.organisations,
    queue: engine.queue,
    submission: engine.submission,
    passTime: (ms) => {
      ahead += ms;
      return Promise.resolve();
    },
    otherProcess: { module: import.meta.url, location: directory },
    close: async () => {
      await engine.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** Opens the engine of another process. @public imported there, by its name */
export async function openAt(location: string): Promise<OpenedElsewhere> {
  const engine = await openEngineAt(location, Date.now);
  return { store: engine.jobStore, queue: engine.queue, close: () => engine.close() };
}

/** Every file below a directory, as paths relative to it. */
export async function filesBelow(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function openEngineAt(directory: string, clock: () => number, limits?: OrganisationLimits): Promise<JobEngine> {
  return openSqliteEngine({
    directory,
    ...(limits && { limits }),
    clock,
    logger: createLogger({ level: 'silent' }),
    maxAttempts: MAX_ATTEMPTS,
    messageLeaseMs: MESSAGE_LEASE_MS,
    pollMs: 20,
  });
}

import { join } from 'node:path';
import { describeError, ServiceUnavailableError } from '../../errors.js';
import { NO_LIMITS, type OrganisationLimits } from '../../job-record/organisation-jobs.js';
import type { Logger } from '../../logging/logger.js';
import type { JobEngine } from '../job-engine.js';
import { createMemoryCounter } from '../memory-counter.js';
import { DamagedEntries } from './damaged-entries.js';
import { LmdbDatabase } from './database.js';
import { adoptEarlierDeadLetters } from './earlier-dead-letters.js';
import { takeExclusiveUse } from './exclusive-use.js';
import { createLmdbInspection } from './inspection.js';
import { LmdbJobRecords } from './job-records.js';
import { createLmdbJobStore } from './job-store.js';
import { PROGRESS_DIRECTORY, ProgressNotes } from './progress-notes.js';
import { LmdbReplayMemory } from './replay-memory.js';
import { createLmdbOrganisationJobs } from './organisation-jobs.js';
import { startSweeper } from './sweeper.js';
import { LmdbJobQueue } from './job-queue.js';
import { LmdbMessages } from './messages.js';
import { FORMAT, requireKnownFormat } from '../../job-record/format.js';
import { Table } from './table.js';

/** Under which the number of the format stands in its table. */
const FORMAT_KEY = 'format';

/** How the embedded engine is opened. */
export interface LmdbEngineOptions {
  /** Created when missing. It must not lie on a network file system. */
  readonly directory: string;
  readonly logger: Logger;
  /** Whether no other process may open the directory in this way; others may still open it. */
  readonly exclusive?: boolean;
  /** Delivery attempts of a message. */
  readonly maxAttempts: number;
  /** What one organisation may have under way; anything by default. */
  readonly limits?: OrganisationLimits;
  /** Milliseconds since 1970; the system's clock by default. */
  readonly clock?: () => number;
  /** Milliseconds after which the message of a dead consumer is delivered again; 30,000 by default. */
  readonly messageLeaseMs?: number;
  /** How often to look for messages of other processes, in milliseconds; 1,000 by default. */
  readonly pollMs?: number;
}

/**
 * Opens job store and queue without a server, in one LMDB environment. Close consumers before the engine: a message
 * still in hand then is delivered again when its lease has run out.
 *
 * @throws {Error} when the directory cannot be used, or is to be used alone and is not free
 */
export async function openLmdbEngine(options: LmdbEngineOptions): Promise<JobEngine> {
  const { directory, logger, maxAttempts, limits = NO_LIMITS, clock = Date.now } = options;
  const { messageLeaseMs = 30_000, pollMs = 1_000 } = options;
  const database = await LmdbDatabase.open({ directory, logger });
  await noteFormat(directory, database).catch(closing(database));
  const use = options.exclusive ? await takeExclusiveUse(directory, database).catch(closing(database)) : undefined;
  const damaged = new DamagedEntries(database, logger);
  const notes = new ProgressNotes(join(directory, PROGRESS_DIRECTORY));
  const records = new LmdbJobRecords(database, damaged, notes);
  const messages = new LmdbMessages(database, damaged);
  await adoptEarlierDeadLetters({ database, messages, damaged }, clock());
  const queue = new LmdbJobQueue({
    database,
    records,
    messages,
    clock,
    logger,
    maxAttempts,
    limits,
    times: { leaseMs: messageLeaseMs, pollMs },
  });
  const jobStore = createLmdbJobStore(database, records, clock, limits);
  // One environment holds both.
  const probe = {
    ping: () => jobStore.ping(),
    write: () => database.probeWrite(clock()),
    isInDoubt: () => database.isInDoubt(),
  };
  const replayMemory = new LmdbReplayMemory(database, damaged, clock);
  const stopSweeper = startSweeper({ database, records, messages, replayMemory, damaged, clock, logger });
  return {
    jobStore,
    queue,
    submission: queue,
    organisations: createLmdbOrganisationJobs({ database, records, clock, limits }),
    inspection: createLmdbInspection({ database, records, messages, clock }),
    counters: createMemoryCounter,
    replayMemory,
    embedded: true,
    probes: { jobStore: probe, queue: probe },
    ready: () => Promise.resolve(),
    check: () =>
      probe.write().then(
        () => [],
        (error: unknown) => [describeError(error instanceof ServiceUnavailableError ? error.cause : error)],
      ),
    close: async () => {
      stopSweeper();
      queue.stop();
      await use?.end();
      await database.close();
      notes.close();
    },
  };
}

/** Lets an error pass when the database is closed. */
function closing(database: LmdbDatabase): (error: unknown) => Promise<never> {
  return async (error) => {
    await database.close();
    throw error;
  };
}

/**
 * Notes in a directory which format is written there from now on. A gateway has its directory alone, so the number
 * stands for everything in it: an older version that comes later is refused before it touches anything.
 *
 * @throws {Error} when a newer version has used the directory; nothing is written then
 */
async function noteFormat(directory: string, database: LmdbDatabase): Promise<void> {
  const table = new Table<number, string>(database, 'format', Number);
  const stored = await database.read(() => table.get(FORMAT_KEY));
  try {
    requireKnownFormat(`What lies in ${directory}`, stored);
  } catch (error) {
    throw new Error(describeError(error instanceof Error ? error.cause : error), { cause: error });
  }
  if (stored !== FORMAT) await database.transact(() => table.put(FORMAT_KEY, FORMAT));
}

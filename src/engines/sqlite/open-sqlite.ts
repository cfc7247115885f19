import { describeError, ServiceUnavailableError } from '../../errors.js';
import { encodeKeyPart } from '../../job-record/job-record.js';
import { NO_LIMITS, type OrganisationLimits } from '../../job-record/organisation-jobs.js';
import type { Logger } from '../../logging/logger.js';
import type { JobEngine } from '../job-engine.js';
import { createMemoryCounter } from '../memory-counter.js';
import { SqliteDatabase } from './database.js';
import { takeGatewayLock } from './gateway-lock.js';
import { SqliteJobQueue } from './job-queue.js';
import { SqliteJobRecords } from './job-records.js';
import { createSqliteJobStore } from './job-store.js';
import { SqliteMessages } from './messages.js';
import { createSqliteOrganisationJobs, SqliteOrganisations } from './organisations.js';
import { SqliteReplayMemory } from './replay-memory.js';
import { startSweeper } from './sweeper.js';

/** Settings of the embedded engine. */
export interface SqliteEngineOptions {
  /** Created if missing. It must not be on a network file system. */
  readonly directory: string;
  readonly logger: Logger;
  /** True if no other process may open the directory in this way; others may still open it. */
  readonly exclusive?: boolean;
  /** True if the file must exist; by default it is created if missing. */
  readonly existing?: boolean;
  /** Maximum number of delivery attempts of a message. */
  readonly maxAttempts: number;
  /** Limits of one organisation; none by default. */
  readonly limits?: OrganisationLimits;
  /** Milliseconds since 1970; the system's clock by default. */
  readonly clock?: () => number;
  /** Lease time of a job, in milliseconds; 60,000 by default. A longer lease is shortened. */
  readonly leaseMs?: number;
  /** Milliseconds after which the message of a dead consumer is delivered again; 30,000 by default. */
  readonly messageLeaseMs?: number;
  /** Interval of looks for messages of other processes, in milliseconds; 1,000 by default. */
  readonly pollMs?: number;
}

/**
 * Opens job store and queue without a server, in one SQLite file. Close consumers before the engine: messages still
 * held then are delivered again when their leases have expired.
 *
 * @throws {UnusableDataError} when the data in the directory cannot be used
 * @throws {Error} when the directory cannot be used, or exclusive use was requested and it is taken
 */
export async function openSqliteEngine(options: SqliteEngineOptions): Promise<JobEngine> {
  const { directory, logger, maxAttempts, limits = NO_LIMITS, clock = Date.now } = options;
  const { leaseMs: jobLeaseMs = 60_000, messageLeaseMs = 30_000, pollMs = 1_000 } = options;
  const lock = options.exclusive ? takeGatewayLock(directory) : undefined;
  const database = await SqliteDatabase.open({ directory, logger, existing: options.existing ?? false }).catch(
    (error: unknown) => {
      lock?.release();
      throw error;
    },
  );
  const records = new SqliteJobRecords(database, logger);
  const messages = new SqliteMessages(database);
  const organisations = new SqliteOrganisations(database);
  const parts = { database, records, messages, organisations, clock, limits };
  const times = { leaseMs: messageLeaseMs, pollMs };
  const queue = new SqliteJobQueue({ ...parts, logger, maxAttempts, times });
  // One file holds both.
  const probe = {
    ping: () => database.ping(),
    write: () => database.probeWrite(clock()),
    isInDoubt: () => database.isInDoubt(),
  };
  const replayMemory = new SqliteReplayMemory(database, clock);
  const swept = { ...parts, replayMemory, messageLeaseMs, jobLeaseMs, logger };
  const stopSweeper = lock && startSweeper(swept);
  return {
    jobStore: createSqliteJobStore(parts),
    queue,
    submission: queue,
    organisations: createSqliteOrganisationJobs(parts),
    inspection: {
      find: (jobId) => database.read(() => records.find(encodeKeyPart(jobId))),
      queued: () => database.read(() => messages.queued(clock())),
    },
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
      stopSweeper?.();
      queue.stop();
      await database.close();
      lock?.release();
    },
  };
}

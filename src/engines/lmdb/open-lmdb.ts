import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Logger } from '../../logger.js';
import type { JobEngine } from '../job-engine.js';
import { DamagedEntries } from './damaged-entries.js';
import { LmdbDatabase } from './database.js';
import { LmdbJobRecords } from './job-records.js';
import { createLmdbJobStore } from './job-store.js';
import { startSweeper } from './sweeper.js';
import { LmdbJobQueue } from './job-queue.js';
import { LmdbMessages } from './messages.js';

/** How the embedded engine is opened. */
export interface LmdbEngineOptions {
  /** Created when missing. Several processes may open it; it must not lie on a network file system. */
  readonly directory: string;
  readonly logger: Logger;
  /** Delivery attempts of a message. */
  readonly maxAttempts: number;
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
 * @throws {Error} when the directory cannot be used
 */
export async function openLmdbEngine(options: LmdbEngineOptions): Promise<JobEngine> {
  const { directory, logger, maxAttempts, clock = Date.now, messageLeaseMs = 30_000, pollMs = 1_000 } = options;
  const database = await LmdbDatabase.open(directory);
  const damaged = new DamagedEntries(database, logger);
  const records = new LmdbJobRecords(database, damaged);
  const messages = new LmdbMessages(database, damaged);
  const queue = new LmdbJobQueue({
    database,
    records,
    messages,
    clock,
    logger,
    maxAttempts,
    times: { leaseMs: messageLeaseMs, pollMs },
  });
  const stopSweeper = startSweeper({ database, records, messages, damaged, clock, logger });
  return {
    jobStore: createLmdbJobStore(database, records, clock),
    queue,
    submission: queue,
    counters: (keyPrefix, points, duration) => new RateLimiterMemory({ keyPrefix, points, duration }),
    embedded: true,
    ready: () => Promise.resolve(),
    check: () => Promise.resolve([]),
    close: async () => {
      stopSweeper();
      queue.stop();
      await database.close();
    },
  };
}

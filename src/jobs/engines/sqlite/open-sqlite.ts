import type { ReplayMemory } from '../../record/callback-signature.js';
import { NO_LIMITS, type OrganisationLimits } from '../../record/organisation-jobs.js';
import { faultsOf, type JobEngine } from '../job-engine.js';
import { MemoryCounter, memoryTexts } from '../memory-counter.js';
import { SqliteDatabase, type SqliteDatabaseOptions } from './database.js';
import { lockFaults, takeGatewayLock } from './gateway-lock.js';
import { createSqliteQueue } from './job-queue.js';
import { SqliteJobRecords } from './job-records.js';
import { SqliteJobStore } from './job-store.js';
import { SqliteMessages } from './messages.js';
import { SqliteOrganisations } from './organisations.js';
import { describeError } from '../../../base/errors.js';
import { DEAD_LETTER_RETENTION_MS, MAX_WAIT_MS } from '../../record/job-queue.js';
import { repeat } from '../../../base/waits.js';
import type { SqliteConsumerParts } from './consumer.js';

export interface SqliteEngineOptions extends Omit<SqliteDatabaseOptions, 'flush'> {
  readonly maxAttempts: number;
  readonly limits?: OrganisationLimits;
  /** Lease time of a job, in milliseconds; 60,000 by default. A longer lease is shortened. */
  readonly leaseMs?: number;
  /** Lease time of a message, in milliseconds; 30,000 by default. It is delivered again when its consumer has died. */
  readonly messageLeaseMs?: number;
  /** Interval of looks for messages of other processes, in milliseconds; 1,000 by default. */
  readonly pollMs?: number;
}

/** Maximum number of leases that a start ends; a gateway runs far fewer jobs at a time. */
const MAX_LEASES = 1_000;

/**
 * Opens job store and queue without a server, in one SQLite file. Consumers must be closed before; a message that is
 * still held is delivered again when its lease has expired. Exclusive use ends all leases of before.
 *
 * @throws {UnusableDataError} when the directory or the data in it cannot be used
 * @throws {Error} when exclusive use was requested and another process has it
 */
export async function openSqliteEngine(options: SqliteEngineOptions): Promise<JobEngine> {
  const { directory, logger, maxAttempts, limits = NO_LIMITS } = options;
  const { leaseMs: jobLeaseMs = 60_000, messageLeaseMs = 30_000, pollMs = 1_000 } = options;
  const unlock = options.exclusive ? await takeGatewayLock(directory) : undefined;
  const database = await SqliteDatabase.open(options).catch((error: unknown) => {
    unlock?.();
    throw error;
  });
  const records = new SqliteJobRecords(database, logger);
  const messages = new SqliteMessages(database);
  if (unlock) {
    const begin = (now: number): void => {
      messages.endLeases(now);
      records.shortenLeases(now, 0, MAX_LEASES);
    };
    // The lock says that no other owner lives. If this cannot be written, which was logged, the leases expire.
    await database.transact(begin).catch(() => undefined);
    // Later ones are held by this process, which lives.
    database.onLeap = (leapMs, now) => {
      messages.lengthenLeases(leapMs);
      records.lengthenLeases(leapMs, now);
    };
  }
  const organisations = new SqliteOrganisations(database, limits);
  const parts = { database, records, messages, organisations, limits, logger, maxAttempts, messageLeaseMs, pollMs };
  const queue = createSqliteQueue(parts);
  const sweepAll = async (stopping: AbortSignal): Promise<void> => {
    await sweep({ ...parts, jobLeaseMs }, stopping).catch((error: unknown) => {
      if (!stopping.aborted) logger.event('store.sweep_failed', { reason: describeError(error) });
    });
  };
  const sweeper = unlock && repeat(sweepAll, { firstMs: 0, everyMs: EXPIRED_SWEEP_MS });
  return {
    jobStore: new SqliteJobStore(database, records, organisations, limits.onChange),
    queue,
    submission: queue,
    organisations,
    inspection: {
      find: (jobId, enough) => database.read(() => records.find(jobId, enough)),
      queued: () => database.read((now) => messages.queued(now)),
    },
    texts: memoryTexts(),
    counters: (_name, points, seconds) => new MemoryCounter(points, seconds),
    replayMemory: createSqliteReplayMemory(database),
    embedded: true,
    mark: () => undefined,
    // Store and queue share one file, and therefore one probe.
    probes: { jobStore: database, queue: database },
    ready: () => Promise.resolve(),
    check: async () => [...(await database.write().then(() => [], faultsOf)), ...lockFaults(directory)],
    close: async () => {
      await sweeper?.close();
      queue.stop();
      await database.close();
      unlock?.();
    },
  };
}

const ADD_ID = 'INSERT OR IGNORE INTO callback_ids (id, expires_at) VALUES (?, ?)';

/** Creates a memory on disk, so that it survives a restart. */
export function createSqliteReplayMemory(database: SqliteDatabase): ReplayMemory {
  return { remember: (id, ms) => database.transact<boolean>((now) => database.query(ADD_ID).run(id, now + ms) > 0) };
}

const EXPIRED_SWEEP_MS = 60_000;
/** Number of rows changed by one transaction: few, so that it does not block the event loop noticeably. */
const BATCH = 20;

/** Unused pages (of 4 KiB) that the file keeps, and those that one transaction gives back. */
const [SPARE_PAGES, STEP_PAGES] = [1_024, 100];

interface SweeperParts extends Pick<SqliteConsumerParts, 'database' | 'records' | 'messageLeaseMs' | 'logger'> {
  readonly jobLeaseMs: number;
}

/**
 * Removes expired entries, shortens leases and waits that a wrong clock made too long, and gives unused space back, in
 * small transactions, between which the event loop has its turns.
 *
 * @param stopping ends the sweep after the current transaction
 * @returns number of removed or changed entries
 */
export async function sweep(parts: SweeperParts, stopping?: AbortSignal): Promise<number> {
  const { database, records, messageLeaseMs, jobLeaseMs, logger } = parts;
  const old = (now: number): number => database.age.at(now);
  const remove = (table: string, key: string, end: string, before: number): number =>
    database
      .query(`DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${end} <= ? LIMIT ${BATCH})`)
      .run(before);
  const capDueTimes = `UPDATE messages SET due_at = CASE WHEN token IS NULL THEN ?1 ELSE ?2 END WHERE died_at IS NULL
    AND due_at > ?2 AND (token IS NOT NULL OR due_at > ?1)`;
  const noteTime = (now: number): number => {
    const { seenAt, aheadAt, ranMs } = database.age.note(now, 'jobs', logger);
    const keep = 'INSERT OR REPLACE INTO clock (rowid, seen_at, ahead_at, ran_ms) VALUES (1, ?, ?, ?)';
    database.query(keep).run(seenAt, aheadAt, Math.floor(ranMs));
    return 0;
  };
  const tasks: readonly ((now: number) => number)[] = [
    noteTime,
    (now) => database.query(capDueTimes).run(now + MAX_WAIT_MS, now + messageLeaseMs),
    (now) => records.shortenLeases(now, jobLeaseMs, BATCH),
    (now) => remove('jobs', 'rowid', 'expires_at', old(now)),
    (now) => remove('messages', 'rowid', 'died_at', old(now) - DEAD_LETTER_RETENTION_MS),
    (now) => remove('callback_ids', 'id', 'expires_at', old(now)),
  ];
  let total = 0;
  for (const task of tasks) {
    for (let count = BATCH; count === BATCH && !stopping?.aborted; total += count) {
      count = await database.writeDeferred(task);
    }
  }
  while (!stopping?.aborted && (await database.writeDeferred<boolean>(() => giveBack(database))));
  return total;
}

/** Gives a few unused pages back. @returns true if there may be more; a file that cannot shrink has none */
function giveBack(database: SqliteDatabase): boolean {
  const unused = (): number => Number(database.query('PRAGMA freelist_count').first()?.[0]);
  const before = unused();
  if (before <= SPARE_PAGES) return false;
  database.giveBack(STEP_PAGES);
  return unused() < before;
}

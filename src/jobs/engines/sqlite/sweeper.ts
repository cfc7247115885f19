import { describeError } from '../../../base/errors.js';
import { DEAD_LETTER_RETENTION_MS, MAX_WAIT_MS } from '../../record/job-queue.js';
import { repeat } from '../../../base/waits.js';
import type { SqliteConsumerParts } from './consumer.js';
import type { SqliteDatabase } from './database.js';

const EXPIRED_SWEEP_MS = 60_000;
/** Number of rows changed by one transaction: few, so that it does not block the event loop noticeably. */
const BATCH = 20;

/** Unused pages (of 4 KiB) that the file keeps, and those that one transaction gives back. */
const [SPARE_PAGES, STEP_PAGES] = [1_024, 100];

export interface SweeperParts extends Pick<SqliteConsumerParts, 'database' | 'records' | 'messageLeaseMs'> {
  /** Maximum lease of a job, in milliseconds. */
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
  const { database, records, messageLeaseMs, jobLeaseMs } = parts;
  const remove = (table: string, key: string, end: string, before: number): number =>
    database
      .query(`DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${end} <= ? LIMIT ${BATCH})`)
      .run(before);
  const capDueTimes = `UPDATE messages SET due_at = CASE WHEN token IS NULL THEN ?1 ELSE ?2 END WHERE died_at IS NULL
    AND due_at > ?2 AND (token IS NOT NULL OR due_at > ?1)`;
  const tasks: readonly ((now: number) => number)[] = [
    (now) => database.query(capDueTimes).run(now + MAX_WAIT_MS, now + messageLeaseMs),
    (now) => records.shortenLeases(now, jobLeaseMs, BATCH),
    (now) => remove('jobs', 'rowid', 'expires_at', now),
    (now) => remove('messages', 'rowid', 'died_at', now - DEAD_LETTER_RETENTION_MS),
    (now) => remove('callback_ids', 'id', 'expires_at', now),
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

/** Sweeps now and then once a minute, until closed. */
export function startSweeper(parts: SweeperParts & Pick<SqliteConsumerParts, 'logger'>): ReturnType<typeof repeat> {
  return repeat(
    async (stopping) => {
      await sweep(parts, stopping).catch((error: unknown) => {
        if (!stopping.aborted) parts.logger.event('store.sweep_failed', { reason: describeError(error) });
      });
    },
    { firstMs: 0, everyMs: EXPIRED_SWEEP_MS },
  );
}

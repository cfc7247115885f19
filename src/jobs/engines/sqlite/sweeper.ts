import { describeError } from '../../../base/errors.js';
import { DEAD_LETTER_RETENTION_MS, MAX_WAIT_MS } from '../../record/job-queue.js';
import { repeat } from '../../../base/waits.js';
import type { SqliteConsumerParts } from './consumer.js';

const EXPIRED_SWEEP_MS = 60_000;
/** Number of rows changed by one transaction: few, so that it does not block the event loop noticeably. */
const BATCH = 20;

export interface SweeperParts extends Pick<SqliteConsumerParts, 'database' | 'records' | 'messageLeaseMs'> {
  /** Maximum lease of a job, in milliseconds. */
  readonly jobLeaseMs: number;
}

/**
 * Removes expired entries, and shortens leases and waits that a wrong clock made too long, in small transactions.
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
  return total;
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

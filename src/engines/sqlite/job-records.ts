import { describeError } from '../../errors.js';
import { parseItemOutcome, parseJobRecordFields, toJobRecordFields } from '../../job-record/fields.js';
import { type ItemOutcome, type JobIdentity, type JobRecord } from '../../job-record/job-record.js';
import { DamagedError } from '../../job-record/stored.js';
import { isHandled, shortenLease, type Transition } from '../../job-record/transitions.js';
import type { Logger } from '../../logging/logger.js';
import { jsonIn } from '../../wire/json-content.js';
import type { SqliteDatabase } from './database.js';
import { keyOf } from './query.js';

interface Step {
  readonly live: JobRecord | undefined;
  readonly next: JobRecord;
  readonly now: number;
}

/** Facts beside the record: whether it belongs to the list of its organisation, and whether its claim is only a bar. */
type WrittenAs = Partial<Readonly<Record<'listed' | 'isBar', boolean>>>;

export type SqliteJobRecords = ReturnType<typeof createSqliteJobRecords>;

/**
 * Creates the reader and writer of job records and of the outcomes of items. The functions are synchronous: call them
 * within a transaction or a read of the database. A damaged record affects only its job: reading it throws a {@link
 * DamagedError} until `getOrRemove` removes it.
 */
export function createSqliteJobRecords(database: SqliteDatabase, logger: Logger) {
  /** Returns the record; undefined if absent or expired. */
  function get(job: JobIdentity, now: number): JobRecord | undefined {
    const row = database
      .query('SELECT record FROM jobs WHERE org = ? AND id = ? AND expires_at > ?')
      .first(...keyOf(job), now);
    return row && parseJobRecordFields(jsonIn(String(row[0])));
  }

  /** Returns the record like {@link get}, but removes an unreadable one. */
  function getOrRemove(job: JobIdentity, now: number): JobRecord | undefined {
    try {
      return get(job, now);
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error;
      const key = keyOf(job);
      logger.event('store.entry_damaged', { table: 'jobs', key: key.join(' '), reason: describeError(error) });
      database.query('DELETE FROM jobs WHERE org = ? AND id = ?').run(...key);
      return undefined;
    }
  }

  /**
   * Returns the jobs of every kind and organisation that have a record with this encoded id, expired or not. It scans
   * every key.
   */
  function find(encodedId: string): readonly JobIdentity[] {
    return database
      .query("SELECT org, id FROM jobs WHERE substr(id, instr(id, ':') + 1) = ?")
      .jobs([encodedId], (job) => job);
  }

  /** Makes a transition. @returns the record before it, and the one written if any */
  function update(
    job: JobIdentity,
    now: number,
    transition: (record: JobRecord | undefined, now: number) => Transition,
  ): { readonly live: JobRecord | undefined; readonly next: Transition } {
    const live = get(job, now);
    const next = transition(live, now);
    if (next !== undefined) write(job, { live, next, now });
    return { live, next };
  }

  /** Writes the next record in place of the live one, if any. */
  function write(job: JobIdentity, { live, next, now }: Step, { listed = false, isBar = false }: WrittenAs = {}): void {
    const key = keyOf(job);
    const run = (sql: string, ...parameters: readonly (string | number | null)[]): number =>
      database.query(sql).run(...parameters);
    // Deletes an expired record together with its items.
    if (live === undefined) run('DELETE FROM jobs WHERE org = ? AND id = ? AND expires_at <= ?', ...key, now);
    if (isHandled(next)) run('DELETE FROM items WHERE org = ? AND id = ?', ...key);
    if (next.state === 'finished') {
      run('UPDATE messages SET is_open = 0 WHERE org = ? AND id = ? AND is_open = 1', ...key);
    }
    const record = JSON.stringify(toJobRecordFields(next));
    if (live !== undefined && live.lease === next.lease && live.expiresAt === next.expiresAt) {
      run('UPDATE jobs SET record = ? WHERE org = ? AND id = ?', record, ...key);
      return;
    }
    const isClaim = next.lease !== undefined && next.lease.fencingToken !== live?.lease?.fencingToken;
    const claimedAt = isClaim ? (isBar ? 0 : now) : null;
    const leasedUntil = next.lease?.expiresAt ?? null;
    run(
      `INSERT INTO jobs (org, id, record, created_at, listed, claimed_at, leased_until, expires_at, orderer)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (org, id) DO UPDATE SET record = excluded.record, leased_until = excluded.leased_until,
         claimed_at = COALESCE(excluded.claimed_at, claimed_at), expires_at = excluded.expires_at`,
      ...[...key, record, next.createdAt, listed ? 1 : 0, claimedAt, leasedUntil, next.expiresAt],
      next.orderedBy?.BackendUser ?? null,
    );
  }

  /** Returns the outcomes of the items so far, in order. An item with a damaged outcome has failed. */
  function items(job: JobIdentity): readonly ItemOutcome[] {
    const rows = database
      .query('SELECT item, outcome FROM items WHERE org = ? AND id = ? ORDER BY item')
      .all(...keyOf(job));
    return rows.map((row) => {
      try {
        return parseItemOutcome(JSON.parse(String(row[1])));
      } catch {
        return { index: Number(row[0]), failure: 'it was handled, but what became of it cannot be read any more' };
      }
    });
  }

  function addItems(job: JobIdentity, items: readonly ItemOutcome[]): void {
    const add = database.query('INSERT OR REPLACE INTO items (org, id, item, outcome) VALUES (?, ?, ?, ?)');
    for (const item of items) add.run(...keyOf(job), item.index, JSON.stringify(item));
  }

  /** Shortens leases that a wrong clock made too long. @returns their number; there may be more if it is the limit */
  function shortenLeases(now: number, maxLeaseMs: number, limit: number): number {
    const leased = database.query('SELECT org, id FROM jobs WHERE leased_until > ? LIMIT ?');
    const jobs = leased.jobs([now + maxLeaseMs, limit], (job) => job);
    for (const job of jobs) {
      const live = getOrRemove(job, now);
      const next = live && shortenLease(live, maxLeaseMs, now);
      if (next !== undefined) write(job, { live, next, now });
    }
    return jobs.length;
  }

  return { get, getOrRemove, find, update, write, items, addItems, shortenLeases };
}

import { describeError } from '../../../base/errors.js';
import { parseItemOutcome, parseRecordFields, toRecordFields } from '../../record/record-fields.js';
import { encodeKeyPart, type ItemOutcome, type JobIdentity, type JobRecord } from '../../record/job-record.js';
import { DamagedError } from '../../record/stored-fields.js';
import { isHandled, lengthenLease, shortenLease, type Transition } from '../../record/transitions.js';
import type { Logger } from '../../../base/logging/logger.js';
import { jsonIn } from '../../../base/wire/json-content.js';
import type { SqliteDatabase } from './database.js';
import { keyOf } from './query.js';

interface Change {
  readonly live: JobRecord | undefined;
  readonly next: JobRecord;
  readonly now: number;
}

/** Facts beside the record: whether it is in the list of its organisation, and whether its claim is a placeholder. */
type WrittenAs = Partial<Readonly<Record<'listed' | 'isPlaceholder', boolean>>>;

/**
 * Reader and writer of job records and of the outcomes of items. The methods are synchronous: call them within a
 * transaction or a read of the database. A damaged record affects only its job: reading it throws a {@link
 * DamagedError} until `getOrRemove` removes it.
 */
export class SqliteJobRecords {
  readonly #database: SqliteDatabase;
  readonly #logger: Logger;

  constructor(database: SqliteDatabase, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  /** Returns the record; undefined if absent or expired. */
  get(job: JobIdentity, now: number): JobRecord | undefined {
    const row = this.#database
      .query('SELECT record FROM jobs WHERE org = ? AND id = ? AND expires_at > ?')
      .first(...keyOf(job), this.#database.age.at(now));
    return row && parseRecordFields(jsonIn(String(row[0])));
  }

  /** Returns the record like {@link get}, but removes an unreadable one. */
  getOrRemove(job: JobIdentity, now: number): JobRecord | undefined {
    try {
      return this.get(job, now);
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error;
      const key = keyOf(job);
      this.#logger.event('store.entry_damaged', { table: 'jobs', key: key.join(' '), reason: describeError(error) });
      this.#database.query('DELETE FROM jobs WHERE org = ? AND id = ?').run(...key);
      return undefined;
    }
  }

  /**
   * Returns the jobs of every kind and organisation that have a record with this id, or any id without one, expired or
   * not. It scans every key, until it has enough.
   */
  find(jobId: string | undefined, enough = -1): readonly JobIdentity[] {
    return this.#database
      .query("SELECT org, id FROM jobs WHERE ?1 IS NULL OR substr(id, instr(id, ':') + 1) = ?1 LIMIT ?2")
      .jobs([jobId === undefined ? null : encodeKeyPart(jobId), enough], (job) => job);
  }

  /** Makes a transition. @returns the record before it, and the one written if any */
  update(
    job: JobIdentity,
    now: number,
    transition: (record: JobRecord | undefined, now: number) => Transition,
  ): { readonly live: JobRecord | undefined; readonly next: Transition } {
    const live = this.get(job, now);
    const next = transition(live, now);
    if (next !== undefined) this.write(job, { live, next, now });
    return { live, next };
  }

  write(
    job: JobIdentity,
    { live, next, now }: Change,
    { listed = false, isPlaceholder = false }: WrittenAs = {},
  ): void {
    const key = keyOf(job);
    const run = (sql: string, ...parameters: readonly (string | number | null)[]): number =>
      this.#database.query(sql).run(...parameters);
    // Deletes an expired record together with its items.
    if (live === undefined)
      run('DELETE FROM jobs WHERE org = ? AND id = ? AND expires_at <= ?', ...key, this.#database.age.at(now));
    if (isHandled(next)) run('DELETE FROM items WHERE org = ? AND id = ?', ...key);
    if (next.state === 'finished') {
      run('UPDATE messages SET is_open = 0 WHERE org = ? AND id = ? AND is_open = 1', ...key);
    }
    const record = JSON.stringify(toRecordFields(next));
    if (live !== undefined && live.lease === next.lease && live.expiresAt === next.expiresAt) {
      run('UPDATE jobs SET record = ? WHERE org = ? AND id = ?', record, ...key);
      return;
    }
    const isClaim = next.lease !== undefined && next.lease.fencingToken !== live?.lease?.fencingToken;
    const claimedAt = isClaim ? (isPlaceholder ? 0 : now) : null;
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
  items(job: JobIdentity): readonly ItemOutcome[] {
    const rows = this.#database
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

  addItems(job: JobIdentity, items: readonly ItemOutcome[]): void {
    const add = this.#database.query('INSERT OR REPLACE INTO items (org, id, item, outcome) VALUES (?, ?, ?, ?)');
    for (const item of items) add.run(...keyOf(job), item.index, JSON.stringify(item));
  }

  /** Lengthens leases that were valid before the clock was put forward, because their owners live. */
  lengthenLeases(leapMs: number, now: number): void {
    const leased = this.#database.query('SELECT org, id FROM jobs WHERE leased_until > ?');
    for (const job of leased.jobs([now - leapMs], (each) => each)) {
      // The record of a job without an id may be kept for less than the leap.
      const live = this.getOrRemove(job, now - leapMs);
      const next = live && lengthenLease(live, leapMs);
      if (next !== undefined) this.write(job, { live, next, now });
    }
  }

  /** Shortens leases that a wrong clock made too long. @returns their number; there may be more if it is the limit */
  shortenLeases(now: number, maxLeaseMs: number, limit: number): number {
    const leased = this.#database.query('SELECT org, id FROM jobs WHERE leased_until > ? LIMIT ?');
    const jobs = leased.jobs([now + maxLeaseMs, limit], (job) => job);
    for (const job of jobs) {
      const live = this.getOrRemove(job, now);
      const next = live && shortenLease(live, maxLeaseMs, now);
      if (next !== undefined) this.write(job, { live, next, now });
    }
    return jobs.length;
  }
}

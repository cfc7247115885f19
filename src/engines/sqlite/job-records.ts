import { describeError } from '../../errors.js';
import { DamagedRecordError, parseJobRecordFields, toJobRecordFields } from '../../job-record/fields.js';
import { parseItemOutcome, type ItemOutcome } from '../../job-record/item-outcome.js';
import type { JobIdentity, JobRecord } from '../../job-record/job-record.js';
import { shortenLease } from '../../job-record/transitions.js';
import type { Logger } from '../../logging/logger.js';
import type { SqliteDatabase } from './database.js';
import { jobIn, keyOf, numberIn, textIn } from './query.js';

/** Entries that an engine keeps beside a record. */
export interface WrittenAs {
  /** True if the record was ordered, and belongs to the list of its organisation. */
  readonly listed?: boolean;
  /** True if it is claimed only as a bar, and does not count as running. */
  readonly isBar?: boolean;
}

/** Computes the next record from the live one; undefined for no change. */
type Transition = (record: JobRecord | undefined) => JobRecord | undefined;

/**
 * Records of jobs with the outcomes of their items. Methods are synchronous: call them within {@link
 * SqliteDatabase.transact} or, for reads, {@link SqliteDatabase.read}. A damaged record affects only its job: readers
 * get a {@link DamagedRecordError}, until {@link getOrRemove} removes it.
 */
export class SqliteJobRecords {
  readonly #get;
  readonly #put;
  readonly #replace;
  readonly #removeBefore;
  readonly #remove;
  readonly #removeItems;
  readonly #items;
  readonly #addItem;
  readonly #find;
  readonly #close;
  readonly #removeExpired;
  readonly #leasedBeyond;
  readonly #logger: Logger;

  constructor(database: SqliteDatabase, logger: Logger) {
    this.#logger = logger;
    this.#get = database.query('SELECT record FROM jobs WHERE org = ? AND id = ? AND expires_at > ?');
    this.#put = database.query(
      `INSERT INTO jobs (org, id, record, created_at, listed, claimed_at, leased_until, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (org, id) DO UPDATE SET record = excluded.record, leased_until = excluded.leased_until,
         claimed_at = COALESCE(excluded.claimed_at, claimed_at), expires_at = excluded.expires_at`,
    );
    this.#replace = database.query('UPDATE jobs SET record = ? WHERE org = ? AND id = ?');
    this.#removeBefore = database.query('DELETE FROM jobs WHERE org = ? AND id = ? AND expires_at <= ?');
    this.#remove = database.query('DELETE FROM jobs WHERE org = ? AND id = ?');
    this.#removeItems = database.query('DELETE FROM items WHERE org = ? AND id = ?');
    this.#items = database.query('SELECT item, outcome FROM items WHERE org = ? AND id = ? ORDER BY item');
    this.#addItem = database.query('INSERT OR REPLACE INTO items (org, id, item, outcome) VALUES (?, ?, ?, ?)');
    this.#find = database.query("SELECT org, id FROM jobs WHERE substr(id, instr(id, ':') + 1) = ?");
    this.#close = database.query('UPDATE messages SET is_open = 0 WHERE org = ? AND id = ? AND is_open = 1');
    this.#removeExpired = database.query(
      'DELETE FROM jobs WHERE rowid IN (SELECT rowid FROM jobs WHERE expires_at <= ? LIMIT ?)',
    );
    this.#leasedBeyond = database.query('SELECT org, id FROM jobs WHERE leased_until > ? LIMIT ?');
  }

  /** Returns the record; undefined if absent or expired. */
  get(job: JobIdentity, now: number): JobRecord | undefined {
    const row = this.#get.first(...keyOf(job), now);
    return row && parseRecord(textIn(row, 0));
  }

  /** Returns the record like {@link get}, but removes an unreadable one. */
  getOrRemove(job: JobIdentity, now: number): JobRecord | undefined {
    try {
      return this.get(job, now);
    } catch (error) {
      if (!(error instanceof DamagedRecordError)) throw error;
      const [org, id] = keyOf(job);
      this.#logger.event('store.entry_damaged', { table: 'jobs', key: `${org} ${id}`, reason: describeError(error) });
      this.#remove.run(org, id);
      return undefined;
    }
  }

  /** Returns the jobs that have a record under an encoded id, expired or not. Scans every key. */
  find(encodedId: string): readonly JobIdentity[] {
    return this.#find.all(encodedId).flatMap((row) => jobIn(row) ?? []);
  }

  /**
   * Replaces the record by the result of a transition.
   *
   * @returns the written record; undefined without a write
   */
  update(job: JobIdentity, now: number, transition: Transition): JobRecord | undefined {
    const live = this.get(job, now);
    const next = transition(live);
    if (next !== undefined) this.write(job, { live, next, now });
    return next;
  }

  /** Writes a record in place of the live one, or a new one. */
  write(
    job: JobIdentity,
    step: { readonly live: JobRecord | undefined; readonly next: JobRecord; readonly now: number },
    { listed = false, isBar = false }: WrittenAs = {},
  ): void {
    const { live, next, now } = step;
    const key = keyOf(job);
    // Removes an expired one with its items.
    if (live === undefined) this.#removeBefore.run(...key, now);
    if (next.result?.status === 200) this.#removeItems.run(...key);
    if (next.state === 'finished') this.#close.run(...key);
    const record = JSON.stringify(toJobRecordFields(next));
    if (live !== undefined && live.lease === next.lease && live.expiresAt === next.expiresAt) {
      this.#replace.run(record, ...key);
      return;
    }
    const isClaim = next.lease !== undefined && next.lease.fencingToken !== live?.lease?.fencingToken;
    const claimedAt = isClaim ? (isBar ? 0 : now) : null;
    const leasedUntil = next.lease?.expiresAt ?? null;
    this.#put.run(...key, record, next.createdAt, listed ? 1 : 0, claimedAt, leasedUntil, next.expiresAt);
  }

  /** Returns the outcomes of the items so far, in order. An item with a damaged outcome has failed. */
  items(job: JobIdentity): readonly ItemOutcome[] {
    return this.#items.all(...keyOf(job)).map((row) => {
      try {
        return parseItemOutcome(JSON.parse(textIn(row, 1)));
      } catch {
        return { index: numberIn(row, 0), failure: 'it was handled, but what became of it cannot be read any more' };
      }
    });
  }

  /** Adds outcomes to those of a record. */
  addItems(job: JobIdentity, items: readonly ItemOutcome[]): void {
    for (const item of items) this.#addItem.run(...keyOf(job), item.index, JSON.stringify(item));
  }

  /** Removes expired records. @returns their number; `limit` if there may be more */
  removeExpired(now: number, limit: number): number {
    return this.#removeExpired.run(now, limit);
  }

  /** Shortens leases written by a wrong clock to the length of a new one. @returns their number; `limit`: maybe more */
  shortenLeases(now: number, maxLeaseMs: number, limit: number): number {
    const rows = this.#leasedBeyond.all(now + maxLeaseMs, limit);
    for (const row of rows) {
      const job = jobIn(row);
      if (job === undefined) continue;
      const live = this.getOrRemove(job, now);
      const next = live && shortenLease(live, maxLeaseMs, now);
      if (next !== undefined) this.write(job, { live, next, now });
    }
    return rows.length;
  }
}

function parseRecord(json: string): JobRecord {
  let stored: unknown;
  try {
    stored = JSON.parse(json);
  } catch (cause) {
    throw new DamagedRecordError('A stored job record is damaged: it is no JSON.', { cause });
  }
  return parseJobRecordFields(stored);
}

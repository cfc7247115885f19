import type { Database } from 'lmdb';

import { parseItemOutcome, type ItemOutcome } from '../../job-record/item-outcome.js';
import { parseJobRecordFields, toJobRecordFields } from '../../job-record/fields.js';
import { jobRecordKey, type JobIdentity, type JobRecord } from '../../job-record/job-record.js';
import { fitKey, type LmdbDatabase } from './database.js';

/**
 * The table of job records with the outcomes of their items, and its index by expiry. Methods are synchronous: within
 * {@link LmdbDatabase.transact} or, those that only look, {@link LmdbDatabase.read}.
 */
export class LmdbJobRecords {
  readonly #records: Database<unknown, string>;
  /** `[key, index]` of every item that was done. */
  readonly #items: Database<unknown, [string, number]>;
  /** `[expiresAt, key]` of every record. */
  readonly #byExpiry: Database<true, [number, string]>;

  constructor(database: LmdbDatabase) {
    this.#records = database.table('job-records');
    this.#items = database.table('job-items');
    this.#byExpiry = database.table('job-records-by-expiry');
  }

  /** The record, or undefined when there is none or it has expired. */
  get(job: JobIdentity, now: number): JobRecord | undefined {
    const record = this.#stored(keyOf(job));
    return record !== undefined && record.expiresAt > now ? record : undefined;
  }

  /**
   * Replaces the record by what a transition makes of it.
   *
   * @param transition gets the live record and tells the next one, or undefined to leave everything as it is
   * @returns whether something was written
   */
  update(job: JobIdentity, now: number, transition: (record: JobRecord | undefined) => JobRecord | undefined): boolean {
    const key = keyOf(job);
    const stored = this.#stored(key);
    const live = stored !== undefined && stored.expiresAt > now ? stored : undefined;
    const next = transition(live);
    if (next === undefined) return false;
    // Outcomes of a record that has expired belong to nobody, and those of a job that was handled are in its reply.
    if (live === undefined || next.result?.status === 200) this.#removeItems(key);
    if (stored?.expiresAt !== next.expiresAt) {
      if (stored !== undefined) this.#byExpiry.removeSync([stored.expiresAt, key]);
      this.#byExpiry.putSync([next.expiresAt, key], true);
    }
    this.#records.putSync(key, toJobRecordFields(next));
    return true;
  }

  /** Removes records that have expired, the oldest first. @returns how many; `limit` when there may be more */
  removeExpired(now: number, limit: number): number {
    const expired = [...this.#byExpiry.getKeys({ end: [now, LAST], limit })];
    for (const [expiresAt, key] of expired) {
      this.#records.removeSync(key);
      this.#removeItems(key);
      this.#byExpiry.removeSync([expiresAt, key]);
    }
    return expired.length;
  }

  /** Outcomes of the items so far, in their order. */
  items(job: JobIdentity): readonly ItemOutcome[] {
    const key = keyOf(job);
    return [...this.#items.getRange(itemsOf(key))].map(({ value }) => parseItemOutcome(value));
  }

  /** Adds outcomes to those of a record. */
  addItems(job: JobIdentity, items: readonly ItemOutcome[]): void {
    const key = keyOf(job);
    for (const item of items) this.#items.putSync([key, item.index], item);
  }

  #removeItems(key: string): void {
    for (const itemKey of [...this.#items.getKeys(itemsOf(key))]) this.#items.removeSync(itemKey);
  }

  #stored(key: string): JobRecord | undefined {
    const fields = this.#records.get(key);
    return fields === undefined ? undefined : parseJobRecordFields(fields);
  }
}

function itemsOf(key: string): { start: [string, number]; end: [string, number] } {
  return { start: [key, 0], end: [key, Number.MAX_SAFE_INTEGER] };
}

/** Sorts behind every key. */
const LAST = '\uffff';

function keyOf(job: JobIdentity): string {
  return fitKey(jobRecordKey(job));
}

import { parseItemOutcome, type ItemOutcome } from '../../job-record/item-outcome.js';
import { parseJobRecordFields, toJobRecordFields } from '../../job-record/fields.js';
import { jobRecordKey, type JobIdentity, type JobRecord } from '../../job-record/job-record.js';
import type { DamagedEntries } from './damaged-entries.js';
import { fitKey, type LmdbDatabase } from './database.js';
import { identityOf } from './message-id.js';
import { LmdbOrganisationCounts } from './organisation-counts.js';
import { LmdbOrganisationIndex } from './organisation-index.js';
import type { NotedProgress, ProgressNotes } from './progress-notes.js';
import { DamagedEntryError, LAST, Table, type TimedKey } from './table.js';

/**
 * The table of job records with the outcomes of their items, and its index by expiry. Methods are synchronous: within
 * {@link LmdbDatabase.transact} or, those that only look, {@link LmdbDatabase.read}. A record that is damaged costs its
 * job: whoever reads it gets a `DamagedEntryError`, until {@link setAsideDamaged} makes room for another one.
 */
export class LmdbJobRecords {
  readonly #records: Table<JobRecord, string>;
  /** `[key, index]` of every item that was done. */
  readonly #items: Table<ItemOutcome, [string, number]>;
  /** Keys of records by the time of their expiry. */
  readonly #byExpiry: Table<unknown, TimedKey>;
  readonly #damaged: DamagedEntries;
  readonly #notes: ProgressNotes;
  /** How many of them each organisation has open and running. */
  readonly counts: LmdbOrganisationCounts;
  /** Which of them each organisation has started. */
  readonly index: LmdbOrganisationIndex;

  constructor(database: LmdbDatabase, damaged: DamagedEntries, notes: ProgressNotes) {
    this.#records = new Table(database, 'job-records', parseJobRecordFields, toJobRecordFields);
    this.#items = new Table(database, 'job-items', parseItemOutcome);
    this.#byExpiry = new Table(database, 'job-records-by-expiry', (stored) => stored);
    this.#damaged = damaged;
    this.#notes = notes;
    this.counts = new LmdbOrganisationCounts(database);
    this.index = new LmdbOrganisationIndex(database);
  }

  /** The record, or undefined when there is none or it has expired. */
  get(job: JobIdentity, now: number): JobRecord | undefined {
    const key = keyOf(job);
    const record = this.#records.get(key);
    return record !== undefined && record.expiresAt > now ? this.#withNote(key, record) : undefined;
  }

  /** The jobs that have a record under an id, expired or not. Looks at the key of every record. */
  find(jobId: string): readonly JobIdentity[] {
    const jobs = this.#records.keys().flatMap((key) => identityOf(key) ?? []);
    return jobs.filter((job) => job.jobId === jobId);
  }

  /** When a job was ordered, for those who only look; undefined without a record that can be read. */
  createdAt(job: JobIdentity): number | undefined {
    return this.#records.peek(keyOf(job))?.createdAt;
  }

  /**
   * Notes progress beside the record of a job.
   *
   * @returns false when it was not, and belongs into the record; there it shows whether the job is still owned
   */
  note(job: JobIdentity, noted: NotedProgress): boolean {
    return this.#notes.write(keyOf(job), noted);
  }

  /** Removes what was noted beside the record: the job has ended, or was given back. */
  removeNote(job: JobIdentity): void {
    this.#notes.remove(keyOf(job));
  }

  /**
   * Replaces the record by what a transition makes of it.
   *
   * @param transition gets the live record and tells the next one, or undefined to leave everything as it is
   * @returns whether something was written
   */
  update(job: JobIdentity, now: number, transition: (record: JobRecord | undefined) => JobRecord | undefined): boolean {
    return this.write(job, now, transition) !== undefined;
  }

  /** The same. @returns what was written */
  write(
    job: JobIdentity,
    now: number,
    transition: (record: JobRecord | undefined) => JobRecord | undefined,
  ): JobRecord | undefined {
    const key = keyOf(job);
    const stored = this.#records.get(key);
    const live = stored !== undefined && stored.expiresAt > now ? this.#withNote(key, stored) : undefined;
    const next = transition(live);
    if (next === undefined) return undefined;
    // Outcomes of a record that has expired belong to nobody, and those of a job that was handled are in its reply.
    if (live === undefined || next.result?.status === 200) this.#removeItems(key);
    if (stored?.expiresAt !== next.expiresAt) {
      if (stored !== undefined) this.#byExpiry.remove([stored.expiresAt, key]);
      this.#byExpiry.put([next.expiresAt, key], true);
    }
    this.#records.put(key, next);
    this.counts.follow(job, live, next, now);
    const mayBeAhead = next.cancelledAt === undefined;
    if (next.lease !== undefined) this.#notes.recordWritten(key, next.lease.fencingToken, mayBeAhead);
    return next;
  }

  /** Makes room for a new record when that of the job cannot be read; the job has none then. */
  setAsideDamaged(job: JobIdentity, now: number): void {
    this.#damaged.read(this.#records, keyOf(job), now);
  }

  /** Removes records that have expired, the oldest first. @returns how many; `limit` when there may be more */
  removeExpired(now: number, limit: number): number {
    const expired = this.#damaged.keys(this.#byExpiry, { end: [now, LAST], limit }, now);
    for (const entry of expired) {
      const [, key] = entry;
      this.#byExpiry.remove(entry);
      // Of a record that was set aside the entry remained, and another record may have taken its place.
      if ((this.#damaged.read(this.#records, key, now)?.expiresAt ?? now) > now) continue;
      this.#records.remove(key);
      this.#removeItems(key);
      this.#notes.remove(key);
      const job = identityOf(key);
      if (job !== undefined) this.counts.gone(job);
    }
    return expired.length;
  }

  /** Outcomes of the items so far, in their order. An item whose outcome is damaged has failed. */
  items(job: JobIdentity): readonly ItemOutcome[] {
    return this.#items.keys(itemsOf(keyOf(job))).flatMap((itemKey) => {
      try {
        return this.#items.get(itemKey) ?? [];
      } catch (error) {
        if (!(error instanceof DamagedEntryError)) throw error;
        return { index: itemKey[1], failure: 'it was handled, but what became of it cannot be read any more' };
      }
    });
  }

  /** Puts damaged outcomes of items aside. @returns all of them, as {@link items} */
  repairItems(job: JobIdentity, now: number): readonly ItemOutcome[] {
    const key = keyOf(job);
    const items = this.items(job);
    for (const item of items) {
      const itemKey: [string, number] = [key, item.index];
      if (this.#damaged.read(this.#items, itemKey, now) === undefined) this.#items.put(itemKey, item);
    }
    return items;
  }

  /** Adds outcomes to those of a record. */
  addItems(job: JobIdentity, items: readonly ItemOutcome[]): void {
    const key = keyOf(job);
    for (const item of items) this.#items.put([key, item.index], item);
  }

  #withNote(key: string, record: JobRecord): JobRecord {
    if (record.lease === undefined) return record;
    const noted = this.#notes.read(key, record.lease.fencingToken);
    if (noted === undefined || noted.done <= record.done) return record;
    return { ...record, done: noted.done, checkpoint: noted.checkpoint };
  }

  #removeItems(key: string): void {
    for (const itemKey of this.#items.keys(itemsOf(key))) this.#items.remove(itemKey);
  }
}

function itemsOf(key: string): { start: [string, number]; end: [string, number] } {
  return { start: [key, 0], end: [key, Number.MAX_SAFE_INTEGER] };
}

function keyOf(job: JobIdentity): string {
  return fitKey(jobRecordKey(job));
}

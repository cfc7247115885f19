import type { Database } from 'lmdb';

import { parseJobRecordFields, toJobRecordFields } from '../../job-record/fields.js';
import { jobRecordKey, type JobIdentity, type JobRecord } from '../../job-record/job-record.js';
import { fitKey, type LmdbDatabase } from './database.js';

/**
 * The table of job records and its index by expiry. Its methods are synchronous: they are to be called within
 * {@link LmdbDatabase.transact} or, those that only look, {@link LmdbDatabase.read}.
 */
export class LmdbJobRecords {
  private readonly records: Database<unknown, string>;
  /** `[expiresAt, key]` of every record. */
  private readonly byExpiry: Database<true, [number, string]>;

  constructor(database: LmdbDatabase) {
    this.records = database.table('job-records');
    this.byExpiry = database.table('job-records-by-expiry');
  }

  /** The record, or undefined when there is none or it has expired. */
  get(job: JobIdentity, now: number): JobRecord | undefined {
    const record = this.stored(keyOf(job));
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
    const stored = this.stored(key);
    const next = transition(stored !== undefined && stored.expiresAt > now ? stored : undefined);
    if (next === undefined) return false;
    if (stored?.expiresAt !== next.expiresAt) {
      if (stored !== undefined) this.byExpiry.removeSync([stored.expiresAt, key]);
      this.byExpiry.putSync([next.expiresAt, key], true);
    }
    this.records.putSync(key, toJobRecordFields(next));
    return true;
  }

  /** Removes records that have expired, the oldest first. @returns how many; `limit` when there may be more */
  removeExpired(now: number, limit: number): number {
    const expired = [...this.byExpiry.getKeys({ end: [now, LAST], limit })];
    for (const [expiresAt, key] of expired) {
      this.records.removeSync(key);
      this.byExpiry.removeSync([expiresAt, key]);
    }
    return expired.length;
  }

  private stored(key: string): JobRecord | undefined {
    const fields = this.records.get(key);
    return fields === undefined ? undefined : parseJobRecordFields(fields);
  }
}

/** Sorts behind every key. */
const LAST = '\uffff';

function keyOf(job: JobIdentity): string {
  return fitKey(jobRecordKey(job));
}

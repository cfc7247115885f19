import {
  beyondLimit,
  IndexScan,
  isAtLimit,
  LEAST_ITEMS,
  MAX_SCANNED,
  memberOf,
  ORDER_MINUTE_MS,
  organisationTag,
  waitBehind,
  type IndexedJobs,
  type IndexPage,
  type OrganisationJobs,
  type OrganisationLimits,
  type OrganisationLoad,
} from '../../record/organisation-jobs.js';
import type { JobMessage } from '../../record/job-queue.js';
import type { JobIdentity } from '../../record/job-record.js';
import type { SqliteDatabase } from './database.js';
import { keyOf, type Row } from './query.js';

/** Bytes of the records that no process holds, and the end of the first, by orderer. */
const KEPT = `SELECT orderer, total(octet_length(record)), min(expires_at) FROM jobs
  WHERE org = ? AND listed = 1 AND leased_until IS NULL AND expires_at > ? GROUP BY orderer`;

/** Items of the jobs that were ordered after a time, and the end of the minute of the first, by orderer. */
const ORDERED = `SELECT orderer, total(max(json_extract(record, '$.total'), ${LEAST_ITEMS})),
  min(created_at) + ${ORDER_MINUTE_MS} FROM jobs WHERE org = ? AND listed = 1 AND created_at > ? GROUP BY orderer`;

const IS_RUNNING = 'leased_until > ?2 AND claimed_at > 0';

/** Jobs of each organisation, counted from the tables. */
export class SqliteOrganisations implements OrganisationJobs {
  readonly #database: SqliteDatabase;
  readonly #limits: OrganisationLimits;

  constructor(database: SqliteDatabase, limits: OrganisationLimits) {
    this.#database = database;
    this.#limits = limits;
  }

  /** Returns the load of an organisation before an order. Call it within a transaction. */
  load({ org, described: { orderedBy } }: JobMessage, now: number): OrganisationLoad {
    const tag = organisationTag(org);
    const [open, openBytes] =
      this.#database.query('SELECT count(*), total(bytes) FROM messages WHERE org = ? AND is_open = 1').first(tag) ??
      [];
    const kept = this.#database.query(KEPT).all(tag, now);
    const ordered = this.#database.query(ORDERED).all(tag, now - ORDER_MINUTE_MS);
    const isOwn = ([orderer]: Row): boolean => orderer === (orderedBy?.BackendUser ?? null);
    const loadOf = (rows: readonly Row[]) => {
      const sum = (some: readonly Row[]): number => some.reduce((total, [, value]) => total + Number(value), 0);
      const first = Math.min(...rows.map(([, , end]) => Number(end)));
      return { all: sum(rows), own: sum(rows.filter(isOwn)), freeInMs: rows.length === 0 ? 0 : first - now };
    };
    return {
      open: Number(open),
      openBytes: Number(openBytes),
      kept: loadOf(kept),
      ordered: loadOf(ordered),
      hasOthers: [...kept, ...ordered].some((row) => !isOwn(row)),
    };
  }

  /** Returns true if an organisation may run no further job now. Call it within a transaction. */
  mustWait(org: string | undefined, now: number): boolean {
    if (!isAtLimit(this.#running(org, now).length, this.#limits)) return false;
    return (
      this.#hasAnother('messages WHERE OTHER AND is_open = 1', org, now) ||
      this.#hasAnother(`jobs WHERE OTHER AND ${IS_RUNNING}`, org, now)
    );
  }

  waitMs({ kind, org, jobId }: Parameters<OrganisationJobs['waitMs']>[0]): Promise<number> {
    return this.#database.read<number>((now) => {
      if (!this.mustWait(org, now)) return 0;
      if (jobId === undefined) return waitBehind(0);
      const older = this.#database
        .query(
          `SELECT count(*) FROM messages WHERE org = ?1 AND is_open = 1
           AND opened_at < (SELECT opened_at FROM messages WHERE org = ?1 AND id = ?2)`,
        )
        .first(...keyOf({ kind, org, jobId }));
      return waitBehind(Number(older?.[0]) - this.#running(org, now).length);
    });
  }

  jobsToPreempt(org: string | undefined): Promise<readonly JobIdentity[]> {
    return this.#database.read((now) => {
      const jobsToPreempt = beyondLimit(this.#running(org, now), this.#limits);
      const waits = `messages AS m WHERE OTHER AND is_open = 1
        AND NOT EXISTS (SELECT 1 FROM jobs WHERE org = m.org AND id = m.id AND leased_until > ?2)`;
      return jobsToPreempt.length > 0 && this.#hasAnother(waits, org, now) ? jobsToPreempt : [];
    });
  }

  list(org: string | undefined, page: IndexPage): Promise<IndexedJobs> {
    return this.#database.read((now) => {
      const scan = new IndexScan(page);
      const [before, id] = page.after ? [page.after.createdAt, memberOf(page.after)] : [Number.MAX_SAFE_INTEGER, ''];
      const takesAll = page.kinds === undefined && page.orderer === undefined;
      const limit = takesAll ? page.limit + 1 : MAX_SCANNED + 1;
      const jobs = this.#database
        .query(
          `SELECT org, id, created_at, orderer FROM jobs WHERE org = ? AND listed = 1 AND (created_at, id) < (?, ?)
           AND expires_at > ? ORDER BY created_at DESC, id DESC LIMIT ?`,
        )
        .jobs([organisationTag(org), before, id, now, limit], (job, [, , createdAt, orderer]) => {
          return { ...job, createdAt: Number(createdAt), orderer: typeof orderer === 'string' ? orderer : undefined };
        });
      return scan.end(jobs.some((job) => !scan.offer(job)));
    });
  }

  /** Returns an organisation's running jobs, in the order of their claims. */
  #running(org: string | undefined, now: number): readonly JobIdentity[] {
    return this.#database
      .query(`SELECT org, id FROM jobs WHERE org = ?1 AND ${IS_RUNNING} ORDER BY claimed_at, rowid`)
      .jobs([organisationTag(org), now], (job) => job);
  }

  /**
   * Returns true if any other organisation has such a row. Two ranges of the index are searched instead of the whole
   * table.
   */
  #hasAnother(rows: string, org: string | undefined, now: number): boolean {
    const [before, after] = ['<', '>'].map(
      (side) => `EXISTS (SELECT 1 FROM ${rows.replace('OTHER', `org ${side} ?1`)})`,
    );
    // Both parameters are named in the text, because SQLite refuses a parameter that a statement does not have.
    const found = this.#database.query(`SELECT ${before} OR ${after}, ?2`).first(organisationTag(org), now);
    return found?.[0] === 1;
  }
}

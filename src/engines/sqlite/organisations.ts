import {
  IndexScan,
  isAtBound,
  MAX_SCANNED,
  memberOf,
  organisationTag,
  surplusOf,
  waitBehind,
  type IndexedJobs,
  type IndexPage,
  type OrganisationJobs,
  type OrganisationLimits,
  type OrganisationLoad,
} from '../../job-record/organisation-jobs.js';
import type { JobIdentity } from '../../job-record/job-record.js';
import type { SqliteDatabase } from './database.js';
import { jobIn, keyOf } from './query.js';

const IS_RUNNING = 'leased_until > ?2 AND claimed_at > 0';

/** Jobs of each organisation, counted from the tables. */
export class SqliteOrganisations implements OrganisationJobs {
  readonly #database: SqliteDatabase;
  readonly #limits: OrganisationLimits;

  constructor(database: SqliteDatabase, limits: OrganisationLimits) {
    this.#database = database;
    this.#limits = limits;
  }

  /** Returns the number and bytes of an organisation's open jobs. Call it within a transaction. */
  load(org: string | undefined): OrganisationLoad {
    const [open, openBytes] =
      this.#database
        .query('SELECT count(*), total(bytes) FROM messages WHERE org = ? AND is_open = 1')
        .first(organisationTag(org)) ?? [];
    return { open: Number(open), openBytes: Number(openBytes) };
  }

  /** Returns true if an organisation may run no further job now. Call it within a transaction. */
  mustWait(org: string | undefined, now: number): boolean {
    if (!isAtBound(this.#running(org, now).length, this.#limits)) return false;
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

  surplus(org: string | undefined): Promise<readonly JobIdentity[]> {
    return this.#database.read((now) => {
      const surplus = surplusOf(this.#running(org, now), this.#limits);
      const waits = `messages AS m WHERE OTHER AND is_open = 1
        AND NOT EXISTS (SELECT 1 FROM jobs WHERE org = m.org AND id = m.id AND leased_until > ?2)`;
      return surplus.length > 0 && this.#hasAnother(waits, org, now) ? surplus : [];
    });
  }

  list(org: string | undefined, page: IndexPage): Promise<IndexedJobs> {
    return this.#database.read(() => {
      const scan = new IndexScan(page);
      const [before, id] = page.after ? [page.after.createdAt, memberOf(page.after)] : [Number.MAX_SAFE_INTEGER, ''];
      const limit = page.kinds === undefined ? page.limit + 1 : MAX_SCANNED + 1;
      const rows = this.#database
        .query(
          `SELECT org, id, created_at FROM jobs WHERE org = ? AND listed = 1 AND (created_at, id) < (?, ?)
           ORDER BY created_at DESC, id DESC LIMIT ?`,
        )
        .all(organisationTag(org), before, id, limit);
      for (const row of rows) {
        const job = jobIn(row);
        if (job !== undefined && !scan.offer({ ...job, createdAt: Number(row[2]) })) return scan.end(true);
      }
      return scan.end(false);
    });
  }

  /** Returns an organisation's running jobs, in the order of their claims. */
  #running(org: string | undefined, now: number): readonly JobIdentity[] {
    return this.#database
      .query(`SELECT org, id FROM jobs WHERE org = ?1 AND ${IS_RUNNING} ORDER BY claimed_at, rowid`)
      .all(organisationTag(org), now)
      .flatMap((row) => jobIn(row) ?? []);
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

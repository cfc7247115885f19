import {
  beyondLimit,
  IndexScan,
  isAtLimit,
  MAX_SCANNED,
  memberOf,
  organisationTag,
  waitBehind,
  type IndexedJobs,
  type IndexPage,
  type OrganisationJobs,
  type OrganisationLimits,
  type OrganisationLoad,
} from '../../job-record/organisation-jobs.js';
import type { JobIdentity } from '../../job-record/job-record.js';
import type { SqliteDatabase } from './database.js';
import { keyOf } from './query.js';

const IS_RUNNING = 'leased_until > ?2 AND claimed_at > 0';

export type SqliteOrganisations = ReturnType<typeof createSqliteOrganisations>;

/** Creates the jobs of each organisation, counted from the tables. */
export function createSqliteOrganisations(database: SqliteDatabase, limits: OrganisationLimits) {
  /** Returns the number and bytes of an organisation's open jobs. Call it within a transaction. */
  function load(org: string | undefined): OrganisationLoad {
    const [open, openBytes] =
      database
        .query('SELECT count(*), total(bytes) FROM messages WHERE org = ? AND is_open = 1')
        .first(organisationTag(org)) ?? [];
    return { open: Number(open), openBytes: Number(openBytes) };
  }

  /** Returns true if an organisation may run no further job now. Call it within a transaction. */
  function mustWait(org: string | undefined, now: number): boolean {
    if (!isAtLimit(running(org, now).length, limits)) return false;
    return (
      hasAnother('messages WHERE OTHER AND is_open = 1', org, now) ||
      hasAnother(`jobs WHERE OTHER AND ${IS_RUNNING}`, org, now)
    );
  }

  function waitMs({ kind, org, jobId }: Parameters<OrganisationJobs['waitMs']>[0]): Promise<number> {
    return database.read<number>((now) => {
      if (!mustWait(org, now)) return 0;
      if (jobId === undefined) return waitBehind(0);
      const older = database
        .query(
          `SELECT count(*) FROM messages WHERE org = ?1 AND is_open = 1
           AND opened_at < (SELECT opened_at FROM messages WHERE org = ?1 AND id = ?2)`,
        )
        .first(...keyOf({ kind, org, jobId }));
      return waitBehind(Number(older?.[0]) - running(org, now).length);
    });
  }

  function jobsToPreempt(org: string | undefined): Promise<readonly JobIdentity[]> {
    return database.read((now) => {
      const jobsToPreempt = beyondLimit(running(org, now), limits);
      const waits = `messages AS m WHERE OTHER AND is_open = 1
        AND NOT EXISTS (SELECT 1 FROM jobs WHERE org = m.org AND id = m.id AND leased_until > ?2)`;
      return jobsToPreempt.length > 0 && hasAnother(waits, org, now) ? jobsToPreempt : [];
    });
  }

  function list(org: string | undefined, page: IndexPage): Promise<IndexedJobs> {
    return database.read((now) => {
      const scan = new IndexScan(page);
      const [before, id] = page.after ? [page.after.createdAt, memberOf(page.after)] : [Number.MAX_SAFE_INTEGER, ''];
      const takesAll = page.kinds === undefined && page.orderer === undefined;
      const limit = takesAll ? page.limit + 1 : MAX_SCANNED + 1;
      const jobs = database
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
  function running(org: string | undefined, now: number): readonly JobIdentity[] {
    return database
      .query(`SELECT org, id FROM jobs WHERE org = ?1 AND ${IS_RUNNING} ORDER BY claimed_at, rowid`)
      .jobs([organisationTag(org), now], (job) => job);
  }

  /**
   * Returns true if any other organisation has such a row. Two ranges of the index are searched instead of the whole
   * table.
   */
  function hasAnother(rows: string, org: string | undefined, now: number): boolean {
    const [before, after] = ['<', '>'].map(
      (side) => `EXISTS (SELECT 1 FROM ${rows.replace('OTHER', `org ${side} ?1`)})`,
    );
    // Both parameters are named in the text, because SQLite refuses a parameter that a statement does not have.
    const found = database.query(`SELECT ${before} OR ${after}, ?2`).first(organisationTag(org), now);
    return found?.[0] === 1;
  }

  return { load, mustWait, waitMs, jobsToPreempt, list };
}

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
import { jobIn, keyOf, numberIn } from './query.js';

/** Counts of organisations' jobs. Methods are synchronous: for a transaction or a read of the database. */
export class SqliteOrganisations {
  readonly #open;
  readonly #older;
  readonly #running;
  readonly #othersHaveWork;
  readonly #othersWait;
  readonly #list;

  constructor(database: SqliteDatabase) {
    const isRunning = 'leased_until > ? AND claimed_at > 0';
    // Two ranges of the index instead of a full scan.
    const ofOthers = (select: string): string =>
      ['<', '>'].map((side) => `EXISTS (${select.replace('OTHER', `org ${side} ?`)})`).join(' OR ');
    this.#open = database.query('SELECT count(*), total(bytes) FROM messages WHERE org = ? AND is_open = 1');
    this.#older = database.query(
      `SELECT count(*) FROM messages WHERE org = ?1 AND is_open = 1
       AND opened_at < (SELECT opened_at FROM messages WHERE org = ?1 AND id = ?2)`,
    );
    this.#running = database.query(
      `SELECT org, id FROM jobs WHERE org = ? AND ${isRunning} ORDER BY claimed_at, rowid`,
    );
    this.#othersHaveWork = database.query(
      `SELECT ${ofOthers('SELECT 1 FROM messages WHERE OTHER AND is_open = 1')}
       OR ${ofOthers(`SELECT 1 FROM jobs WHERE OTHER AND ${isRunning}`)}`,
    );
    this.#othersWait = database.query(
      `SELECT ${ofOthers(
        `SELECT 1 FROM messages AS m WHERE OTHER AND is_open = 1
         AND NOT EXISTS (SELECT 1 FROM jobs WHERE org = m.org AND id = m.id AND leased_until > ?)`,
      )}`,
    );
    this.#list = database.query(
      `SELECT org, id, created_at FROM jobs WHERE org = ? AND listed = 1 AND (created_at, id) < (?, ?)
       ORDER BY created_at DESC, id DESC LIMIT ?`,
    );
  }

  /** Returns the number and bytes of an organisation's open jobs. */
  load(org: string | undefined): OrganisationLoad {
    const [open, openBytes] = this.#open.first(organisationTag(org)) ?? [];
    return { open: Number(open), openBytes: Number(openBytes) };
  }

  /** Returns the number of its organisation's open jobs that were opened before a job. */
  older(job: JobIdentity): number {
    return Number(this.#older.first(...keyOf(job))?.[0]);
  }

  /** Returns an organisation's running jobs, in the order of their claims. */
  running(org: string | undefined, now: number): readonly JobIdentity[] {
    return this.#running.all(organisationTag(org), now).flatMap((row) => jobIn(row) ?? []);
  }

  /** Returns true if any other organisation has an open or a running job. */
  othersHaveWork(org: string | undefined, now: number): boolean {
    const tag = organisationTag(org);
    return this.#othersHaveWork.first(tag, tag, tag, now, tag, now)?.[0] === 1;
  }

  /** Returns true if any other organisation has an open job that is not running. */
  othersWait(org: string | undefined, now: number): boolean {
    const tag = organisationTag(org);
    return this.#othersWait.first(tag, now, tag, now)?.[0] === 1;
  }

  /** Returns an organisation's ordered jobs, newest first. */
  list(org: string | undefined, page: IndexPage): IndexedJobs {
    const scan = new IndexScan(page);
    const [before, id] = page.after ? [page.after.createdAt, memberOf(page.after)] : [Number.MAX_SAFE_INTEGER, ''];
    const limit = page.kinds === undefined ? page.limit + 1 : MAX_SCANNED + 1;
    for (const row of this.#list.all(organisationTag(org), before, id, limit)) {
      const job = jobIn(row);
      const createdAt = numberIn(row, 2);
      if (job !== undefined && !scan.offer({ ...job, createdAt })) return scan.end(true);
    }
    return scan.end(false);
  }
}

/** Parts behind {@link OrganisationJobs}. */
export interface OrganisationJobsParts {
  readonly database: SqliteDatabase;
  readonly organisations: SqliteOrganisations;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly limits: OrganisationLimits;
}

/** Creates the view of each organisation's jobs, as counted by `SqliteOrganisations`. */
export function createSqliteOrganisationJobs(parts: OrganisationJobsParts): OrganisationJobs {
  const { database, organisations, clock, limits } = parts;
  return {
    waitMs: ({ kind, org, jobId }) =>
      database.read<number>(() => {
        const now = clock();
        const running = organisations.running(org, now).length;
        if (!isAtBound(running, limits) || !organisations.othersHaveWork(org, now)) return 0;
        return waitBehind(jobId === undefined ? 0 : organisations.older({ kind, org, jobId }) - running);
      }),
    surplus: (org) =>
      database.read(() => {
        const now = clock();
        const surplus = surplusOf(organisations.running(org, now), limits);
        if (surplus.length === 0 || !organisations.othersWait(org, now)) return [];
        return surplus.map(({ kind, jobId }) => ({ kind, jobId }));
      }),
    list: (org, page) => database.read(() => organisations.list(org, page)),
  };
}

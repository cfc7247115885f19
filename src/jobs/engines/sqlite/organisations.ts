import { LRUCache } from 'lru-cache';
import {
  beyondLimit,
  IndexScan,
  isAtLimit,
  MAX_SCANNED,
  memberOf,
  ORDER_MINUTE_MS,
  UNKNOWN_BYTES,
  orderedItems,
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
import { keyOf } from './query.js';

/** Kept bytes of an organisation and of a user, and the number of other users. */
const KEPT = `SELECT total(bytes), total(bytes) FILTER (WHERE orderer = ?2), count(*) FILTER (WHERE orderer <> ?2)
  FROM kept WHERE org = ?1`;

/** Removes expired records, which the sweep has not reached yet. */
const REMOVE_EXPIRED = 'DELETE FROM jobs WHERE rowid IN (SELECT rowid FROM jobs WHERE expires_at <= ? LIMIT 200)';

/** End of the record that was ordered first, which is about the first to expire. */
const FIRST_END = 'SELECT expires_at FROM jobs WHERE org = ? AND listed = 1 ORDER BY created_at LIMIT 1';

/** Maximum number of organisations of which the orders of a minute are remembered. */
const MAX_REMEMBERED = 1_000;

/** Items of the orders of a minute, by orderer. The gateway alone takes orders, so a restart may forget them. */
interface Minute {
  readonly since: number;
  readonly items: Map<string, number>;
}

const IS_RUNNING = 'leased_until > ?2 AND claimed_at > 0';

export class SqliteOrganisations implements OrganisationJobs {
  readonly #database: SqliteDatabase;
  readonly #limits: OrganisationLimits;
  readonly #minutes = new LRUCache<string, Minute>({ max: MAX_REMEMBERED });

  constructor(database: SqliteDatabase, limits: OrganisationLimits) {
    this.#database = database;
    this.#limits = limits;
  }

  /** Returns the load of an organisation before an order. Call it within a transaction. */
  load(order: JobMessage, now: number): OrganisationLoad {
    const tag = organisationTag(order.org);
    const user = userOf(order);
    const [open, openBytes] =
      this.#database.query('SELECT count(*), total(bytes) FROM messages WHERE org = ? AND is_open = 1').first(tag) ??
      [];
    const { since, items } = this.#minute(tag, now);
    const kept = this.#kept(tag, user, now);
    const minute = [...items];
    const ordered = minute.reduce((total, [, value]) => total + value, 0);
    return {
      open: Number(open),
      openBytes: Number(openBytes),
      kept,
      ordered: { all: ordered, own: items.get(user) ?? 0, freeInMs: since + ORDER_MINUTE_MS - now },
      hasOthers: kept.hasOthers || minute.some(([orderer]) => orderer !== user),
    };
  }

  /** Returns the kept bytes. Near the limit, expired records are removed, which the sweep has not reached yet. */
  #kept(tag: string, user: string, now: number) {
    const read = (): readonly number[] => this.#database.query(KEPT).first(tag, user)?.map(Number) ?? [];
    let [all = 0, own = 0, others = 0] = read();
    let freeInMs = 0;
    if (all > this.#limits.maxKeptBytes / 2 - UNKNOWN_BYTES) {
      this.#database.query(REMOVE_EXPIRED).run(this.#database.age.at(now));
      [all = 0, own = 0, others = 0] = read();
      freeInMs = Math.max(0, Number(this.#database.query(FIRST_END).first(tag)?.[0] ?? now) - now);
    }
    return { all, own, hasOthers: others > 0, freeInMs };
  }

  noteOrder(order: JobMessage, now: number): void {
    const tag = organisationTag(order.org);
    const minute = this.#minute(tag, now);
    minute.items.set(userOf(order), (minute.items.get(userOf(order)) ?? 0) + orderedItems(order));
    this.#minutes.set(tag, minute);
  }

  #minute(tag: string, now: number): Minute {
    const minute = this.#minutes.get(tag);
    const isOver = minute === undefined || now < minute.since || now - minute.since >= ORDER_MINUTE_MS;
    return isOver ? { since: now, items: new Map() } : minute;
  }

  /** Returns true if an organisation may run no further job now. Call it within a transaction. */
  mustWait(org: string | undefined, now: number): boolean {
    if (!isAtLimit(this.#runningCount(org, now), this.#limits)) return false;
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
      return waitBehind(Number(older?.[0]) - this.#runningCount(org, now));
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
        .jobs(
          [organisationTag(org), before, id, this.#database.age.at(now), limit],
          (job, [, , createdAt, orderer]) => {
            return { ...job, createdAt: Number(createdAt), orderer: typeof orderer === 'string' ? orderer : undefined };
          },
        );
      return scan.end(jobs.some((job) => !scan.offer(job)));
    });
  }

  /** Counts running jobs, which is much cheaper than to list them. */
  #runningCount(org: string | undefined, now: number): number {
    const count = this.#database.query(`SELECT count(*) FROM jobs WHERE org = ?1 AND ${IS_RUNNING}`);
    return Number(count.first(organisationTag(org), now)?.[0]);
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

/** Returns the user in the sums of an organisation; empty if unknown. */
function userOf({ described: { orderedBy } }: JobMessage): string {
  return orderedBy?.BackendUser ?? '';
}

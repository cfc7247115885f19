import { IndexScan } from '../../job-record/index-scan.js';
import { isJobKind, type JobKind } from '../../job-record/job-kinds.js';
import { RECORD_RETENTION_MS, type JobIdentity } from '../../job-record/job-record.js';
import type { IndexedJob, IndexedJobs, IndexPage, IndexPosition } from '../../job-record/organisation-jobs.js';
import { fieldsOf, parseIdentity, wholeNumber } from '../../job-record/stored-message.js';
import { fitKey, type LmdbDatabase } from './database.js';
import { idOf, keyOf, tagOf } from './organisation-keys.js';
import { LAST, Table, type TimedKey } from './table.js';

/** A job of an organisation, by the time at which it was started. */
type IndexKey = [org: string, createdAt: number, id: string];

/** Entries of the index that are read together when a page needs more than it holds. */
const INDEX_BATCH = 200;

/**
 * The jobs that were started in each organisation, for those who look for them again. Methods are synchronous: to be
 * called within a transaction or, those that only look, a read. An entry that is damaged counts for nothing.
 */
export class LmdbOrganisationIndex {
  readonly #index: Table<IndexedJob, IndexKey>;
  /** Keys of the index by time. */
  readonly #byTime: Table<IndexKey, TimedKey>;

  constructor(database: LmdbDatabase) {
    this.#index = new Table(database, 'organisation-index', parseIndexed);
    this.#byTime = new Table(database, 'organisation-index-by-time', parseIndexKey);
  }

  /** Notes a job. */
  add({ kind, org, jobId }: JobIdentity, createdAt: number): void {
    const [tag, id] = keyOf({ kind, org, jobId });
    this.#index.put([tag, createdAt, id], { kind, org, jobId, createdAt });
    this.#byTime.put([createdAt, fitKey(`${tag}:${id}`)], [tag, createdAt, id]);
  }

  /** Jobs of an organisation, newest first. */
  list(org: string | undefined, page: IndexPage): IndexedJobs {
    const tag = tagOf(org);
    const scan = new IndexScan(page);
    let from: IndexKey = page.after ? positionKey(tag, page.after) : [tag, Number.MAX_SAFE_INTEGER, LAST];
    for (let limit = page.limit + 2; ; limit = INDEX_BATCH) {
      const keys = this.#index.keys({ start: from, end: [tag, 0, ''], reverse: true, limit });
      for (const key of keys) {
        const [, createdAt, id] = key;
        const kind = kindOf(id);
        if (kind === undefined || (createdAt === from[1] && id === from[2])) continue;
        if (!scan.offer({ kind, createdAt }, () => this.#index.peek(key))) return scan.end(true);
      }
      const last = keys.at(-1);
      if (last === undefined || keys.length < limit) return scan.end(false);
      from = last;
    }
  }

  /** Forgets what is older than a record lives. @returns how much; `limit` when there may be more */
  removeOld(now: number, limit: number): number {
    const keys = this.#byTime.keys({ end: [now - RECORD_RETENTION_MS, LAST], limit });
    for (const key of keys) {
      const indexed = this.#byTime.peek(key);
      if (indexed !== undefined) this.#index.remove(indexed);
      this.#byTime.remove(key);
    }
    return keys.length;
  }
}

function positionKey(tag: string, position: IndexPosition): IndexKey {
  return [tag, position.createdAt, idOf(position)];
}

function kindOf(id: string): JobKind | undefined {
  const kind = id.slice(0, id.indexOf(':'));
  return isJobKind(kind) ? kind : undefined;
}

function parseIndexed(stored: unknown): IndexedJob {
  return { ...parseIdentity(stored), createdAt: wholeNumber(fieldsOf(stored, 'entry'), 'createdAt') };
}

function parseIndexKey(stored: unknown): IndexKey {
  const parts: readonly unknown[] = Array.isArray(stored) ? stored : [];
  const [org, createdAt, id] = parts;
  if (typeof org === 'string' && typeof createdAt === 'number' && typeof id === 'string') return [org, createdAt, id];
  throw new TypeError('The key of the index is none.');
}

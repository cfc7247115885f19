import type { Key } from 'lmdb';
import { IndexScan } from '../../job-record/index-scan.js';
import { isJobKind, type JobKind } from '../../job-record/job-kinds.js';
import { encodeKeyPart, RECORD_RETENTION_MS, type JobIdentity, type JobRecord } from '../../job-record/job-record.js';
import {
  organisationTag,
  type IndexedJob,
  type IndexedJobs,
  type IndexPage,
  type IndexPosition,
  type OrganisationLimits,
} from '../../job-record/organisation-jobs.js';
import { fitKey, type LmdbDatabase } from './database.js';
import { DamagedEntryError, LAST, Table, type TimedKey } from './table.js';
import { fieldsOf, parseIdentity, wholeNumber } from '../stored-message.js';

/** A job of an organisation, by its organisation and its own name. */
type JobKey = [org: string, id: string];

/** The same by the time at which it was started. */
type IndexKey = [org: string, createdAt: number, id: string];

interface Open extends JobIdentity {
  readonly bytes: number;
  readonly openedAt: number;
}

interface Running extends JobIdentity {
  readonly claimedAt: number;
  readonly leasedUntil: number;
}

/**
 * The jobs of each organisation: the index of those that were started, which are open, and which run. It follows the
 * records, in the transaction that changes them. Methods are synchronous: to be called within a transaction or, those
 * that only look, a read. An entry that is damaged counts for nothing, and goes when its job does.
 */
export class LmdbOrganisationTable {
  readonly #index: Table<IndexedJob, IndexKey>;
  /** Keys of the index by time. */
  readonly #indexByTime: Table<IndexKey, TimedKey>;
  readonly #open: Table<Open, JobKey>;
  readonly #running: Table<Running, JobKey>;

  constructor(database: LmdbDatabase) {
    this.#index = new Table(database, 'organisation-index', parseIndexed);
    this.#indexByTime = new Table(database, 'organisation-index-by-time', parseIndexKey);
    this.#open = new Table(database, 'organisation-open', parseOpen);
    this.#running = new Table(database, 'organisation-running', parseRunning);
  }

  /** Whether an organisation may open a further job of so many bytes. */
  hasRoom(org: string | undefined, bytes: number, { maxOpen, maxOpenBytes }: OrganisationLimits): boolean {
    const keys = this.#open.keys(within(tagOf(org)));
    if (keys.length >= maxOpen) return false;
    return keys.reduce((sum, key) => sum + (read(this.#open, key)?.bytes ?? 0), bytes) <= maxOpenBytes;
  }

  /** Counts a job as open. */
  open({ kind, org, jobId }: JobIdentity, bytes: number, now: number): void {
    this.#open.put(keyOf({ kind, org, jobId }), { kind, org, jobId, bytes, openedAt: now });
  }

  /** Notes a job in the index. */
  index({ kind, org, jobId }: JobIdentity, createdAt: number): void {
    const [tag, id] = keyOf({ kind, org, jobId });
    this.#index.put([tag, createdAt, id], { kind, org, jobId, createdAt });
    this.#indexByTime.put([createdAt, fitKey(`${tag}:${id}`)], [tag, createdAt, id]);
  }

  /** Follows a record that was written. @param live what it was before; undefined when there was none */
  follow(job: JobIdentity, live: JobRecord | undefined, next: JobRecord, now: number): void {
    const key = keyOf(job);
    if (next.state === 'finished') this.#open.remove(key);
    if (next.lease === undefined) {
      if (live === undefined || live.lease !== undefined) this.#running.remove(key);
      return;
    }
    if (live?.lease?.expiresAt === next.lease.expiresAt) return;
    const isNew = live?.lease?.fencingToken !== next.lease.fencingToken;
    const claimedAt = isNew ? undefined : read(this.#running, key)?.claimedAt;
    const { kind, org, jobId } = job;
    const leasedUntil = next.lease.expiresAt;
    this.#running.put(key, { kind, org, jobId, claimedAt: claimedAt ?? now, leasedUntil });
  }

  /** A claimed record that nothing is run under. */
  notRunning(job: JobIdentity): void {
    this.#running.remove(keyOf(job));
  }

  /** The record of a job is gone. */
  gone(job: JobIdentity): void {
    this.#open.remove(keyOf(job));
    this.#running.remove(keyOf(job));
  }

  /** Forgets open jobs of an organisation whose records have ended or do not exist. */
  reconcile(org: string | undefined, recordOf: (job: JobIdentity) => JobRecord | undefined): void {
    for (const key of this.#open.keys(within(tagOf(org)))) {
      const job = read(this.#open, key);
      const record = job && readable(() => recordOf(job));
      if (record === undefined || record.state === 'finished') this.#open.remove(key);
    }
  }

  /** How many jobs of an organisation run. */
  running(org: string | undefined, now: number): number {
    return this.#live(tagOf(org), now).length;
  }

  /** Its running jobs beyond a number, those claimed last. */
  surplus(org: string | undefined, max: number, now: number): readonly Pick<JobIdentity, 'kind' | 'jobId'>[] {
    return this.#live(tagOf(org), now)
      .toSorted((one, other) => one.claimedAt - other.claimedAt)
      .slice(max)
      .map(({ kind, jobId }) => ({ kind, jobId }));
  }

  /** Open jobs of its organisation that were opened before a job. */
  older({ kind, org, jobId }: JobIdentity): number {
    const tag = tagOf(org);
    const openedAt = read(this.#open, keyOf({ kind, org, jobId }))?.openedAt ?? 0;
    return this.#open.keys(within(tag)).filter((key) => (read(this.#open, key)?.openedAt ?? 0) < openedAt).length;
  }

  /** Whether any other organisation has an open or a running job, or, if asked for, one that is open and waits. */
  othersHaveWork(org: string | undefined, now: number, waiting: boolean): boolean {
    const own = tagOf(org);
    for (const tag of organisationsIn(this.#open)) {
      if (tag !== own && (!waiting || this.#hasWaiting(tag, now))) return true;
    }
    if (waiting) return false;
    return organisationsIn(this.#running).some((tag) => tag !== own && this.#live(tag, now).length > 0);
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
        if (!scan.offer({ kind, createdAt }, () => read(this.#index, key))) return scan.end(true);
      }
      const last = keys.at(-1);
      if (last === undefined || keys.length < limit) return scan.end(false);
      from = last;
    }
  }

  /** Forgets what is older than a record lives. @returns how much; `limit` when there may be more */
  removeOld(now: number, limit: number): number {
    const keys = this.#indexByTime.keys({ end: [now - RECORD_RETENTION_MS, LAST], limit });
    for (const key of keys) {
      const indexed = read(this.#indexByTime, key);
      if (indexed !== undefined) this.#index.remove(indexed);
      this.#indexByTime.remove(key);
    }
    return keys.length;
  }

  #live(tag: string, now: number): readonly Running[] {
    return this.#running
      .keys(within(tag))
      .flatMap((key) => read(this.#running, key) ?? [])
      .filter(({ leasedUntil }) => leasedUntil > now);
  }

  #hasWaiting(tag: string, now: number): boolean {
    return this.#open.keys(within(tag)).some((key) => (read(this.#running, key)?.leasedUntil ?? 0) <= now);
  }
}

/** Entries of the index that are read together when a page needs more than it holds. */
const INDEX_BATCH = 200;

/** Two parts of this length, and a number, are what a key may hold. */
const MAX_PART = 900;

function tagOf(org: string | undefined): string {
  return fitKey(organisationTag(org), MAX_PART);
}

function keyOf(job: JobIdentity): JobKey {
  return [tagOf(job.org), idOf(job)];
}

function idOf({ kind, jobId }: Pick<JobIdentity, 'kind' | 'jobId'>): string {
  return fitKey(`${kind}:${encodeKeyPart(jobId)}`, MAX_PART);
}

function positionKey(tag: string, position: IndexPosition): IndexKey {
  return [tag, position.createdAt, idOf(position)];
}

function kindOf(id: string): JobKind | undefined {
  const kind = id.slice(0, id.indexOf(':'));
  return isJobKind(kind) ? kind : undefined;
}

function within(tag: string): { start: [string]; end: [string, string] } {
  return { start: [tag], end: [tag, LAST] };
}

/** Every organisation once. */
function organisationsIn<V>(table: Table<V, JobKey>): readonly string[] {
  const found: string[] = [];
  let [key] = table.keys({ limit: 1 });
  // Behind a damaged key nothing can be said.
  while (Array.isArray(key) && typeof key[0] === 'string') {
    found.push(key[0]);
    [key] = table.keys({ start: [key[0], LAST], limit: 1 });
  }
  return found;
}

function read<V, K extends Key>(table: Table<V, K>, key: K): V | undefined {
  return readable(() => table.get(key));
}

/** What is stored; undefined when there is nothing, or nothing that can be read. */
function readable<V>(look: () => V | undefined): V | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof DamagedEntryError) return undefined;
    throw error;
  }
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

function parseOpen(stored: unknown): Open {
  const fields = fieldsOf(stored, 'entry');
  return { ...parseIdentity(stored), bytes: wholeNumber(fields, 'bytes'), openedAt: wholeNumber(fields, 'openedAt') };
}

function parseRunning(stored: unknown): Running {
  const fields = fieldsOf(stored, 'entry');
  const [claimedAt, leasedUntil] = [wholeNumber(fields, 'claimedAt'), wholeNumber(fields, 'leasedUntil')];
  return { ...parseIdentity(stored), claimedAt, leasedUntil };
}

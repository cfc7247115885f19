import type { JobIdentity, JobRecord } from '../../job-record/job-record.js';
import type { OrganisationLimits } from '../../job-record/organisation-jobs.js';
import { fieldsOf, parseIdentity, wholeNumber } from '../../job-record/stored-message.js';
import type { LmdbDatabase } from './database.js';
import { keyOf, tagOf, within, type JobKey } from './organisation-keys.js';
import { DamagedEntryError, LAST, Table } from './table.js';

interface Open extends JobIdentity {
  readonly bytes: number;
  readonly openedAt: number;
}

interface Running extends JobIdentity {
  readonly claimedAt: number;
  readonly leasedUntil: number;
}

/**
 * What the limits of organisations count: which jobs of each are open, and which run. It follows the records, in the
 * transaction that changes them. Methods are synchronous: to be called within a transaction or, those that only look, a
 * read. An entry that is damaged counts for nothing, and goes when its job does.
 */
export class LmdbOrganisationCounts {
  readonly #open: Table<Open, JobKey>;
  readonly #running: Table<Running, JobKey>;

  constructor(database: LmdbDatabase) {
    this.#open = new Table(database, 'organisation-open', parseOpen);
    this.#running = new Table(database, 'organisation-running', parseRunning);
  }

  /** Whether an organisation may open a further job of so many bytes. */
  hasRoom(org: string | undefined, bytes: number, { maxOpen, maxOpenBytes }: OrganisationLimits): boolean {
    // Otherwise each job that is opened would look at all that are.
    if (maxOpen === Infinity && maxOpenBytes === Infinity) return true;
    const keys = this.#open.keys(within(tagOf(org)));
    if (keys.length >= maxOpen) return false;
    return keys.reduce((sum, key) => sum + (this.#open.peek(key)?.bytes ?? 0), bytes) <= maxOpenBytes;
  }

  /** Counts a job as open. */
  open({ kind, org, jobId }: JobIdentity, bytes: number, now: number): void {
    this.#open.put(keyOf({ kind, org, jobId }), { kind, org, jobId, bytes, openedAt: now });
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
    const claimedAt = isNew ? undefined : this.#running.peek(key)?.claimedAt;
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
      const job = this.#open.peek(key);
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
    const openedAt = this.#open.peek(keyOf({ kind, org, jobId }))?.openedAt ?? 0;
    return this.#open.keys(within(tag)).filter((key) => (this.#open.peek(key)?.openedAt ?? 0) < openedAt).length;
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

  #live(tag: string, now: number): readonly Running[] {
    return this.#running
      .keys(within(tag))
      .flatMap((key) => this.#running.peek(key) ?? [])
      .filter(({ leasedUntil }) => leasedUntil > now);
  }

  #hasWaiting(tag: string, now: number): boolean {
    return this.#open.keys(within(tag)).some((key) => (this.#running.peek(key)?.leasedUntil ?? 0) <= now);
  }
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

/** What is looked at; undefined when there is nothing, or nothing that can be read. */
function readable<V>(look: () => V | undefined): V | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof DamagedEntryError) return undefined;
    throw error;
  }
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

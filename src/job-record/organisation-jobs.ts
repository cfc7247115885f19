import { TooManyRequestsError } from '../errors.js';
import type { JobKind } from './job-kinds.js';
import { encodeKeyPart, parseJobRecordKey, type JobIdentity } from './job-record.js';

/**
 * Limits of one organisation. An open job was started and has not ended; a running one has a live lease. Jobs without
 * an organisation count as those of one more organisation.
 */
export interface OrganisationLimits {
  readonly maxOpen: number;
  /** Message bytes of the open jobs. */
  readonly maxOpenBytes: number;
  /** Running jobs, while another organisation has work: open or running jobs. */
  readonly maxRunning: number;
  /** Called with the share of the limits of open jobs that an organisation uses with an order; refused above 1. */
  readonly onOrder?: ((share: number) => void) | undefined;
}

/** No limits; for stores that one test, or one command, uses alone. */
export const NO_LIMITS: OrganisationLimits = { maxOpen: Infinity, maxOpenBytes: Infinity, maxRunning: Infinity };

/** Job of an organisation, as in the index. */
export interface IndexedJob extends JobIdentity {
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Place in the index: behind a job or, without an id, behind all jobs of its kind and millisecond. */
export type IndexPosition = Pick<IndexedJob, 'createdAt' | 'kind' | 'jobId'>;

export interface IndexPage {
  readonly limit: number;
  readonly kinds?: readonly JobKind[];
  readonly after?: IndexPosition;
}

export interface IndexedJobs {
  readonly jobs: readonly IndexedJob[];
  /** Start of the next page; absent on the last one. */
  readonly next?: IndexPosition;
}

/**
 * Jobs of each organisation, with counts of open and running ones. Every method throws `ServiceUnavailableError` when
 * it cannot be reached.
 */
export interface OrganisationJobs {
  /**
   * Returns the time a job has to wait before it may be claimed, because its organisation is at its limit of running
   * jobs while another one has work. Later jobs get longer waits, so that they come again in order, and at most a few
   * dozen come per second.
   *
   * @param job without an id if it has none yet
   * @returns milliseconds; 0 if it may be claimed now
   */
  waitMs(job: Pick<JobIdentity, 'kind' | 'org'> & { readonly jobId: string | undefined }): Promise<number>;
  /**
   * Returns running jobs of an organisation that should give way: those claimed last, beyond its limit while a job of
   * another organisation waits.
   */
  surplus(org: string | undefined): Promise<readonly Pick<JobIdentity, 'kind' | 'jobId'>[]>;
  /**
   * Returns jobs started within the lifetime of a record, newest first. A few may have lost their records already. At
   * most a thousand entries are scanned: for a rare kind a page may be short although more follow.
   */
  list(org: string | undefined, page: IndexPage): Promise<IndexedJobs>;
}

/** Encodes an organisation as a key or part of one. An empty tag would be invalid, and no code is encoded like this. */
export function organisationTag(org: string | undefined): string {
  return org === undefined ? '/' : encodeKeyPart(org);
}

/** Encodes a job within its organisation. */
export function memberOf({ kind, jobId }: Pick<JobIdentity, 'kind' | 'jobId'>): string {
  return `${kind}:${encodeKeyPart(jobId)}`;
}

/** Parses a tag and a text of {@link memberOf}; undefined if invalid. */
export function jobOfMember(tag: string, member: string): JobIdentity | undefined {
  const [kind, ...rest] = member.split(':');
  return parseJobRecordKey(`job:{${kind ?? ''}:${tag === organisationTag(undefined) ? '' : tag}:${rest.join(':')}}`);
}

/** Minimum pause before a job that had to wait may be tried again, in milliseconds. */
export const WAIT_MS = 1_000;

/** Number of waiting jobs of an organisation that may come again after the minimum wait. */
const COMES_SOON = 10;
const MAX_WAIT_MS = 10_000;

/** Returns the wait of a job behind a number of older ones of its organisation, in milliseconds. */
export function waitBehind(older: number): number {
  return Math.min(WAIT_MS * Math.max(1, Math.ceil(older / COMES_SOON)), MAX_WAIT_MS);
}

export interface OrganisationLoad {
  readonly open: number;
  /** Message bytes of its open jobs. */
  readonly openBytes: number;
}

/** Returns the share of its limits that an organisation uses with a further job of a size in bytes; 1 is all of it. */
export function shareUsed({ open, openBytes }: OrganisationLoad, bytes: number, limits: OrganisationLimits): number {
  return Math.max((open + 1) / limits.maxOpen, (openBytes + bytes) / limits.maxOpenBytes);
}

/**
 * Returns true if an organisation may run a further job only while no other one has work: an open or a running job.
 *
 * @param running number of its running jobs
 */
export function isAtBound(running: number, { maxRunning }: OrganisationLimits): boolean {
  return running >= maxRunning;
}

/**
 * Returns running jobs of an organisation that should give way while an open job of another organisation does not run.
 *
 * @param running its running jobs, in the order of their claims
 */
export function surplusOf<T>(running: readonly T[], { maxRunning }: OrganisationLimits): readonly T[] {
  return running.slice(maxRunning);
}

/** The end of a job is unpredictable; this is soon enough for a waiting client. */
const OPEN_RETRY_MS = 30_000;

/** A job cannot be started because its organisation has too many open ones. */
export class TooManyOpenJobsError extends TooManyRequestsError {
  constructor() {
    super('TooManyOpenJobs', OPEN_RETRY_MS);
  }
}

/** Maximum number of entries scanned for a page. */
export const MAX_SCANNED = 1_000;

/**
 * Builds a page from index entries that come newest first, those of one millisecond by kind and id in descending order.
 */
export class IndexScan {
  readonly #page: IndexPage;
  readonly #jobs: IndexedJob[] = [];
  #scanned = 0;
  #last: IndexPosition | undefined;

  constructor(page: IndexPage) {
    this.#page = page;
  }

  /** Takes the next entry. @returns true if a further one is needed */
  offer(job: IndexedJob): boolean {
    if (this.#scanned === MAX_SCANNED) return false;
    const { kind, createdAt } = job;
    const isWanted = this.#page.kinds?.includes(kind) ?? true;
    if (isWanted && this.#jobs.length === this.#page.limit) return false;
    this.#scanned += 1;
    if (isWanted) this.#jobs.push(job);
    // A client sees the position, and may not be allowed to know of the omitted jobs.
    this.#last = { kind, createdAt, jobId: isWanted ? job.jobId : '' };
    return true;
  }

  /** Returns the page. @param hasMore whether entries remain */
  end(hasMore: boolean): IndexedJobs {
    return { jobs: this.#jobs, ...(hasMore && this.#last && { next: this.#last }) };
  }
}

import { TooManyRequestsError } from '../errors.js';
import type { JobKind } from './job-kinds.js';
import { encodeKeyPart, parseJobRecordKey, type JobIdentity } from './job-record.js';

/**
 * What one organisation may have under way. An open job is one that was started and has not ended; a running one has
 * a live lease. Jobs without an organisation count as those of one more organisation.
 */
export interface OrganisationLimits {
  readonly maxOpen: number;
  /** Bytes of the messages of the open jobs. */
  readonly maxOpenBytes: number;
  /** Running jobs, while another organisation has work: open or running jobs. */
  readonly maxRunning: number;
}

/** Limits nothing; for stores that one test, or one command, has to itself. */
export const NO_LIMITS: OrganisationLimits = { maxOpen: Infinity, maxOpenBytes: Infinity, maxRunning: Infinity };

/** A job of an organisation, as the index knows it. */
export interface IndexedJob extends JobIdentity {
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** A place in the index: behind a job, or, without an id, behind all jobs of its kind and millisecond. */
export type IndexPosition = Pick<IndexedJob, 'createdAt' | 'kind' | 'jobId'>;

/** Which part of the index is wanted. */
export interface IndexPage {
  readonly limit: number;
  /** All of them when absent. */
  readonly kinds?: readonly JobKind[];
  /** Where the page before ended. */
  readonly after?: IndexPosition;
}

/** A part of the index. */
export interface IndexedJobs {
  readonly jobs: readonly IndexedJob[];
  /** Where the next page begins; absent when there is none. */
  readonly next?: IndexPosition;
}

/**
 * The jobs of each organisation: which there are, how many are open, how many run. Every method throws
 * `ServiceUnavailableError` when it cannot be asked.
 */
export interface OrganisationJobs {
  /**
   * How long a job has to wait before it may be claimed, because its organisation runs as many as it may while another
   * one has work. Jobs that were started later are told to wait for longer, so that they come again in their order,
   * and however many wait, a few dozen of them come in a second.
   *
   * @param job without an id when it has none yet
   * @returns milliseconds; 0 when it may be claimed now
   */
  waitMs(job: Pick<JobIdentity, 'kind' | 'org'> & { readonly jobId: string | undefined }): Promise<number>;
  /**
   * Running jobs of an organisation that should give way: those claimed last, beyond what it may run while a job of
   * another organisation waits.
   */
  surplus(org: string | undefined): Promise<readonly Pick<JobIdentity, 'kind' | 'jobId'>[]>;
  /**
   * Jobs that were started within the lifetime of a record, newest first. Records of a few may be gone already. No
   * more than a thousand entries are looked at: of a rare kind there may be fewer than asked for, and more later.
   */
  list(org: string | undefined, page: IndexPage): Promise<IndexedJobs>;
}

/** An organisation within a key, or as one. An empty tag would be none, and no code is encoded like this. */
export function organisationTag(org: string | undefined): string {
  return org === undefined ? '/' : encodeKeyPart(org);
}

/** A job within its organisation. */
export function memberOf({ kind, jobId }: Pick<JobIdentity, 'kind' | 'jobId'>): string {
  return `${kind}:${encodeKeyPart(jobId)}`;
}

/** The job that a tag and a text of {@link memberOf} name; undefined when they name none. */
export function jobOfMember(tag: string, member: string): JobIdentity | undefined {
  const [kind, ...rest] = member.split(':');
  return parseJobRecordKey(`job:{${kind ?? ''}:${tag === organisationTag(undefined) ? '' : tag}:${rest.join(':')}}`);
}

/** When a job that had to wait may be tried again at the earliest, in milliseconds. */
export const WAIT_MS = 1_000;

/** Waiting jobs of an organisation that may come again after the shortest wait. */
const COMES_SOON = 10;
const MAX_WAIT_MS = 10_000;

/** How long a job waits that has so many older ones of its organisation before it, in milliseconds. */
export function waitBehind(older: number): number {
  return Math.min(WAIT_MS * Math.max(1, Math.ceil(older / COMES_SOON)), MAX_WAIT_MS);
}

/** Counts of the jobs of one organisation. */
export interface OrganisationLoad {
  readonly open: number;
  /** Bytes of the messages of its open jobs. */
  readonly openBytes: number;
}

/** Whether an organisation may open a further job of so many bytes. */
export function hasRoom({ open, openBytes }: OrganisationLoad, bytes: number, limits: OrganisationLimits): boolean {
  return open < limits.maxOpen && openBytes + bytes <= limits.maxOpenBytes;
}

/**
 * Whether an organisation may run a further job only while no other one has work: an open or a running job.
 *
 * @param running jobs of it that run
 */
export function isAtBound(running: number, { maxRunning }: OrganisationLimits): boolean {
  return running >= maxRunning;
}

/**
 * Running jobs of an organisation that should give way while an open job of another organisation does not run.
 *
 * @param running those of it that run, in the order in which they were claimed
 */
export function surplusOf<T>(running: readonly T[], { maxRunning }: OrganisationLimits): readonly T[] {
  return running.slice(maxRunning);
}

/** Nobody knows when a job ends; this is soon enough for whoever waits. */
const OPEN_RETRY_MS = 30_000;

/** A job cannot be started because its organisation has too many open ones. */
export class TooManyOpenJobsError extends TooManyRequestsError {
  constructor() {
    super('Your organisation has ordered as much as it may before some of its jobs have ended.', OPEN_RETRY_MS);
  }
}

/** Entries that are looked at for a page, however few of them are wanted. */
export const MAX_SCANNED = 1_000;

/** Makes a page of entries of the index that come newest first, those of one millisecond by kind and id, last first. */
export class IndexScan {
  readonly #page: IndexPage;
  readonly #jobs: IndexedJob[] = [];
  #scanned = 0;
  #last: IndexPosition | undefined;

  constructor(page: IndexPage) {
    this.#page = page;
  }

  /** Takes the next entry. @returns whether the one behind it should be looked for */
  offer(job: IndexedJob): boolean {
    if (this.#scanned === MAX_SCANNED) return false;
    const { kind, createdAt } = job;
    const isWanted = this.#page.kinds?.includes(kind) ?? true;
    if (isWanted && this.#jobs.length === this.#page.limit) return false;
    this.#scanned += 1;
    if (isWanted) this.#jobs.push(job);
    // A position is shown to whoever asks, who may not know of the jobs that were left out.
    this.#last = { kind, createdAt, jobId: isWanted ? job.jobId : '' };
    return true;
  }

  /** The page. @param hasMore whether an entry was left */
  end(hasMore: boolean): IndexedJobs {
    return { jobs: this.#jobs, ...(hasMore && this.#last && { next: this.#last }) };
  }
}

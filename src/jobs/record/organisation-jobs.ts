import { GatewayError } from '../../base/errors.js';
import type { JobMessage } from './job-queue.js';
import type { JobKind } from './job-kinds.js';
import { encodeKeyPart, parseJobRecordKey, type JobIdentity } from './job-record.js';
import type { OnJobChange } from './job-store.js';

/**
 * Limits of one organisation. An open job was started and has not ended; a running job has a live lease. Jobs without
 * an organisation count like those of one.
 */
export interface OrganisationLimits {
  readonly maxOpen: number;
  /** Bytes of the messages of all open jobs. */
  readonly maxOpenBytes: number;
  /** Number of running jobs, while another organisation has an open or running job. */
  readonly maxRunning: number;
  /** Bytes of the records of all jobs that have ended, until these expire. One of several users may have half. */
  readonly maxKeptBytes: number;
  /** Items of jobs that are ordered within a minute. One of several users may order half. */
  readonly maxItemsPerMinute: number;
  /** Called for each order, with the shares of its organisation. An order with a share above 1 is refused. */
  readonly onOrder: ((org: string | undefined, shares: OrderShares) => void) | undefined;
  /** Counts what becomes of jobs. */
  readonly onChange: OnJobChange | undefined;
}

/** Reasons for which the limits of an organisation refuse an order, in the order of their checks. */
const ORDER_LIMITS = ['TooManyOrders', 'TooManyKeptJobs', 'TooManyOpenJobs'] as const;
type OrderLimit = (typeof ORDER_LIMITS)[number];

/** Share of each limit that an organisation, or the user who orders, uses with an order; 1 is the limit. */
export type OrderShares = Readonly<Record<OrderLimit, number>>;

/** No limits, for stores with a single user, such as a test or a command. */
export const NO_LIMITS: OrganisationLimits = {
  maxOpen: Infinity,
  maxOpenBytes: Infinity,
  maxRunning: Infinity,
  maxKeptBytes: Infinity,
  maxItemsPerMinute: Infinity,
  onOrder: undefined,
  onChange: undefined,
};

export interface IndexedJob extends JobIdentity {
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** `BackendUser` who ordered it; undefined if unknown, as for jobs of 0.1.0. */
  readonly orderer?: string | undefined;
}

/** Position in the index: after a job or, if the id is empty, after all jobs of that kind and millisecond. */
export type IndexPosition = Pick<IndexedJob, 'createdAt' | 'kind' | 'jobId'>;

export interface IndexPage {
  readonly limit: number;
  readonly kinds?: readonly JobKind[];
  /** Leaves out jobs that another `BackendUser` is known to have ordered. */
  readonly orderer?: string;
  readonly after?: IndexPosition;
}

export interface IndexedJobs {
  readonly jobs: readonly IndexedJob[];
  /** Start of the next page; absent on the last one. */
  readonly next?: IndexPosition;
}

/** Jobs of each organisation, with their counts. Every method throws `ServiceUnavailableError` of the store. */
export interface OrganisationJobs {
  /**
   * Returns the time for which a job has to wait before it may be claimed, because its organisation is at its limit of
   * running jobs while another one has work, in milliseconds; 0 if it may be claimed now. Newer jobs get longer waits,
   * so that they come in order, and at most a few dozen come per second.
   */
  waitMs(job: Pick<JobIdentity, 'kind' | 'org'> & { readonly jobId: string | undefined }): Promise<number>;
  /** Returns the running jobs beyond its limit that should give way, because a job of another organisation waits. */
  jobsToPreempt(org: string | undefined): Promise<readonly Pick<JobIdentity, 'kind' | 'jobId'>[]>;
  /**
   * Returns jobs started within the lifetime of a record, newest first. A few may have lost their records already. At
   * most {@link MAX_SCANNED} entries are read, so a page for a rare kind may be short although more jobs follow.
   */
  list(org: string | undefined, page: IndexPage): Promise<IndexedJobs>;
}

/** Encodes an organisation as a key or a part of one, which is not empty. No organisation code is encoded as `/`. */
export function organisationTag(org: string | undefined): string {
  return org === undefined ? '/' : encodeKeyPart(org);
}

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
const MAX_PAUSE_MS = 10_000;

/** Returns the wait of a job behind a number of older ones of its organisation, in milliseconds. */
export function waitBehind(older: number): number {
  return Math.min(WAIT_MS * Math.max(1, Math.ceil(older / COMES_SOON)), MAX_PAUSE_MS);
}

/** Load of an organisation, and of the user who orders. */
interface LoadOf {
  readonly all: number;
  readonly own: number;
  /** Time until some of it is gone, in milliseconds. */
  readonly freeInMs: number;
}

export interface OrganisationLoad {
  readonly open: number;
  readonly openBytes: number;
  /** Bytes of jobs that have ended and are kept. */
  readonly kept: LoadOf;
  /** Items that were ordered within the last minute. */
  readonly ordered: LoadOf;
  /** True if another user has ordered a job that is still kept. */
  readonly hasOthers: boolean;
}

/** Share of a limit from which an organisation is named to operators. */
export const NEAR_LIMIT = 0.8;

/** Bytes for which a job counts among those that are kept as long as it has not ended, or if its size is unknown. */
export const UNKNOWN_BYTES = 2_000;

/** Minimum number of items for which a job counts in its minute. */
const LEAST_ITEMS = 10;

export const ORDER_MINUTE_MS = 60_000;

export function orderedItems({ described: { total } }: Pick<JobMessage, 'described'>): number {
  return Math.max(total, LEAST_ITEMS);
}

export function sharesUsed(load: OrganisationLoad, order: JobMessage, limits: OrganisationLimits): OrderShares {
  const { open, openBytes, kept, ordered, hasOthers } = load;
  const shareOf = ({ all, own }: LoadOf, more: number, max: number): number =>
    Math.max((all + more) / max, hasOthers ? (own + more) / (max / 2) : 0);
  return {
    TooManyOrders: shareOf(ordered, orderedItems(order), limits.maxItemsPerMinute),
    TooManyKeptJobs: shareOf(kept, UNKNOWN_BYTES, limits.maxKeptBytes),
    TooManyOpenJobs: Math.max((open + 1) / limits.maxOpen, (openBytes + order.payload.length) / limits.maxOpenBytes),
  };
}

/** Returns the error of an order that is refused; undefined for one that is accepted. */
export function limitErrorOf(shares: OrderShares, { kept, ordered }: OrganisationLoad): OverLimitError | undefined {
  const reason = ORDER_LIMITS.find((limit) => shares[limit] > 1);
  if (reason === undefined) return undefined;
  const waits = { TooManyOrders: ordered.freeInMs, TooManyKeptJobs: kept.freeInMs, TooManyOpenJobs: OPEN_WAIT_MS };
  return new OverLimitError(reason, {}, { retryAfterSeconds: Math.max(1, Math.ceil(waits[reason] / 1_000)) });
}

/** Returns true if an organisation with so many running jobs may run a further one only while no other has work. */
export function isAtLimit(running: number, { maxRunning }: OrganisationLimits): boolean {
  return running >= maxRunning;
}

/** Returns the jobs beyond the limit of their organisation. @param running jobs in the order of their claims */
export function beyondLimit<T>(running: readonly T[], { maxRunning }: OrganisationLimits): readonly T[] {
  return running.slice(maxRunning);
}

/** Wait at the limit of open jobs, in milliseconds: their ends cannot be predicted. */
const OPEN_WAIT_MS = 30_000;

/** A job cannot be started because of the limits of its organisation. */
export class OverLimitError extends GatewayError<OrderLimit> {}

/** Number of characters at the end of a UUID that hold 48 random bits. An id without them names no job. */
const NAMING = 12;
const SHOWN = 36 - NAMING;

/**
 * Returns the position behind a job in a form that does not name it, because clients see it and may not be allowed to
 * know the id. Jobs of the same millisecond whose ids begin alike, which UUIDs do not, count as passed.
 */
export function unnamed({ createdAt, kind, jobId }: IndexPosition): IndexPosition {
  return { createdAt, kind, jobId: jobId.slice(0, -NAMING).slice(0, SHOWN) };
}

export const MAX_SCANNED = 1_000;

/** Builds a page of entries that come newest first; within a millisecond, by kind and id in descending order. */
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
    const { kinds, orderer } = this.#page;
    const isOwn = orderer === undefined || job.orderer === undefined || job.orderer === orderer;
    const isWanted = isOwn && (kinds?.includes(kind) ?? true);
    if (isWanted && this.#jobs.length === this.#page.limit) return false;
    this.#scanned += 1;
    if (isWanted) this.#jobs.push(job);
    this.#last = isWanted ? { kind, createdAt, jobId: job.jobId } : unnamed(job);
    return true;
  }

  /** Returns the page. @param hasMore whether entries remain */
  end(hasMore: boolean): IndexedJobs {
    return { jobs: this.#jobs, ...(hasMore && this.#last && { next: this.#last }) };
  }
}

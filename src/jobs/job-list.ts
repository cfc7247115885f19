import { faultOf, describeError, invalidInput, ServiceUnavailableError, tooManyRequests } from '../base/errors.js';
import { isWhole, NewerFormatError } from './record/stored-fields.js';
import { jsonIn } from '../base/wire/json-content.js';
import { JOB_KINDS, type JobKind, isJobKind } from './record/job-kinds.js';
import type { JobStore } from './record/job-store.js';
import {
  MAX_SCANNED,
  unnamed,
  type IndexedJob,
  type IndexPage,
  type IndexPosition,
  type OrganisationJobs,
} from './record/organisation-jobs.js';
import { ConnectionShares } from '../clients/connection-shares.js';
import type { Logger } from '../base/logging/logger.js';
import { kindName, stateName, statusOf, type JobStatus } from './job-status.js';
import { type JobTable, requireAdministrator, visibleKinds, type JobViewer } from './job-table.js';
import { onAbort, yieldToEventLoop } from '../base/waits.js';

/** Number of waiting pages of one organisation: a user has half, as many as the front end of one requests at once. */
const ONE_AT_A_TIME = { connections: 1, maxWaiting: 200, fair: true };
const RETRY_MS = 1_000;

/**
 * Reads one page at a time for each organisation, so that the requests of one organisation delay only that one. Users
 * of an organisation take turns.
 */
export class PagesInTurn {
  /** By organisation, with pages in progress. */
  readonly #turns = new Map<string, ConnectionShares>();

  /**
   * @throws {GatewayError} `TooManyRequests` when too many pages of the user or the organisation wait, and this one is
   *   not read; the reason of the signal if that is aborted first
   */
  async read<T>({ org, user, signal }: PageReader, page: () => Promise<T>): Promise<T> {
    const turns = this.#turns.get(org) ?? new ConnectionShares(ONE_AT_A_TIME);
    this.#turns.set(org, turns);
    let unfollow: (() => void) | undefined;
    const follow = (leave: (reason: Error) => void): void => {
      unfollow = onAbort(signal, () => leave(signal.reason as Error)); // that of a cut-off
    };
    try {
      signal.throwIfAborted();
      const end = await turns
        .acquire([user], follow)
        .catch((error: unknown) => {
          throw signal.aborted ? error : tooManyRequests('TooManyJobLists', RETRY_MS);
        })
        .finally(() => unfollow?.());
      return await page().finally(end);
    } finally {
      if (turns.use.inUse === 0) this.#turns.delete(org);
    }
  }
}

/**
 * Encodes a position in the list of jobs as opaque text for clients. It stays valid when jobs are added, and is not
 * secret: it names a job that its reader may see, or none.
 */
export function jobCursor({ createdAt, kind, jobId }: IndexPosition): string {
  return Buffer.from(JSON.stringify([createdAt, kind, jobId])).toString('base64url');
}

/** Parses a cursor. @throws {GatewayError} `BadInput` if invalid */
export function readJobCursor(cursor: string): IndexPosition {
  const value = jsonIn(Buffer.from(cursor, 'base64url').toString());
  const [createdAt, kind, jobId] = (Array.isArray(value) ? value : []) as readonly unknown[]; // of unknown values
  const isJob = typeof kind === 'string' && isJobKind(kind) && typeof jobId === 'string' && jobId.isWellFormed();
  if (isJob && isWhole(createdAt)) return { createdAt, kind, jobId };
  throw invalidInput([{ path: ['after'], ...faultOf('NotCursor') }]);
}

const READ_TOGETHER = 25;

/** Number of characters of stored replies after which a page ends early. Each reply may name thousands of items. */
const MAX_REPLIES = 1024 * 1024;

interface Wanted extends IndexPage, Pick<JobQuery, 'createdAfter' | 'answer'> {
  readonly state?: JobStatus['state'];
}

export interface JobQuery {
  /** Kind of the jobs; if absent, all kinds that the user may see. */
  readonly kind?: JobStatus['kind'];
  readonly state?: JobStatus['state'];
  /** Milliseconds since 1970; only newer jobs are listed. */
  readonly createdAfter?: number;
  readonly limit: number;
  /** Cursor {@link JobPage.next} of the page before. */
  readonly after?: string;
  readonly answer: AnswerRoom;
  /** Ends the wait for the user's turn. */
  readonly signal: AbortSignal;
}

/** Room for jobs in an answer. A page ends before the first job that does not fit. */
interface AnswerRoom {
  fits(status: JobStatus): boolean;
  /** Makes the error of a page for whose first job there is no room. */
  tooLarge(): Error;
}

interface PageReader {
  readonly org: string;
  readonly user: string;
  readonly signal: AbortSignal;
}

interface JobEntry {
  readonly node: JobStatus;
  readonly cursor: string;
}

export interface JobPage {
  readonly jobs: readonly JobEntry[];
  readonly next?: string;
}

interface JobListOptions {
  readonly jobs: JobTable;
  readonly organisations: Pick<OrganisationJobs, 'list'>;
  readonly jobStore: Pick<JobStore, 'read'>;
}

export class JobList {
  readonly #options: JobListOptions;
  readonly #pages = new PagesInTurn();

  constructor(options: JobListOptions) {
    this.#options = options;
  }

  /**
   * Returns a page, newest first: all jobs for administrators, and those that they ordered for other users. Jobs with
   * expired or unreadable records are left out, and so are those in another state than asked for.
   *
   * @throws {GatewayError} `Forbidden` when only administrators may see the kind, `BadInput` for an invalid cursor
   * @throws {GatewayError} `TooManyRequests` when too many pages of the user or the organisation wait to be read
   * @throws {ServiceUnavailableError} when the store cannot be reached
   */
  async page(user: JobViewer, { kind, after, signal, ...query }: JobQuery, log: Logger): Promise<JobPage> {
    const kinds = kindsFor(this.#options.jobs, user, kind);
    const position = after !== undefined && { after: readJobCursor(after) };
    const own = !user.IsAdmin && { orderer: user.BackendUser };
    return this.#pages.read({ org: user.Org, user: user.BackendUser, signal }, () =>
      this.#read(user.Org, { ...query, kinds, ...own, ...position }, log),
    );
  }

  async #read(org: string, wanted: Wanted, log: Logger): Promise<JobPage> {
    const page: JobEntry[] = [];
    const endAt = (position: IndexPosition): JobPage => {
      const isShown = page.at(-1)?.node.jobId === position.jobId;
      return { jobs: page, next: jobCursor(isShown ? position : unnamed(position)) };
    };
    const { state, createdAfter = 0, answer, ...index } = wanted;
    const limit = state === undefined ? index.limit : Math.max(index.limit, READ_TOGETHER);
    let size = 0;
    let read = 0;
    let { after } = index;
    for (;;) {
      const listed = await this.#options.organisations.list(org, { ...index, limit, ...(after && { after }) });
      const jobs = listed.jobs.filter(({ createdAt }) => createdAt > createdAfter);
      const next = (listed.next?.createdAt ?? 0) > createdAfter ? listed.next : undefined;
      for (let start = 0; start < jobs.length; start += READ_TOGETHER) {
        // An embedded store reads synchronously, which blocks the event loop.
        if (read > 0) await yieldToEventLoop();
        const batch = jobs.slice(start, start + READ_TOGETHER);
        const found = await Promise.all(batch.map((job) => listedJob(this.#options, job, wanted, log)));
        read += batch.length;
        for (const [at, job] of batch.entries()) {
          const { status, size: added = 0 } = found[at] ?? {};
          if (status !== undefined && !answer.fits(status)) {
            const last = page.at(-1);
            if (last === undefined) throw answer.tooLarge();
            return { jobs: page, next: last.cursor };
          }
          if (status !== undefined) page.push({ node: status, cursor: jobCursor(job) });
          size += added;
          const isLast = start + at === jobs.length - 1;
          if ((size > MAX_REPLIES || page.length === index.limit) && !isLast) return endAt(job);
        }
      }
      if (next === undefined) return { jobs: page };
      const isFull = page.length === index.limit || size > MAX_REPLIES || read >= MAX_SCANNED;
      if (state === undefined || isFull) {
        return jobs.at(-1)?.jobId === next.jobId ? endAt(next) : { jobs: page, next: jobCursor(next) };
      }
      after = next;
    }
  }
}

/** Reads a job for a page. A job whose orderer the index does not know is judged by its record. */
async function listedJob(
  { jobs, jobStore }: JobListOptions,
  { kind, org, jobId }: IndexedJob,
  { orderer, state }: Wanted,
  log: Logger,
) {
  const job = { kind, org, jobId };
  try {
    const record = await jobStore.read(job);
    if (record === undefined) return undefined;
    if (orderer !== undefined && record.orderedBy?.BackendUser !== orderer) return undefined;
    const size = record.result?.body.length ?? 0;
    if (state !== undefined && stateName(record.state) !== state) return { size };
    return { status: statusOf(jobs[kind], job, record), size };
  } catch (error) {
    // A damaged or newer record leaves out its own job only.
    if (error instanceof ServiceUnavailableError && !(error instanceof NewerFormatError)) throw error;
    log.event('job.record_unreadable', { ...job, reason: describeError(error) });
    return undefined;
  }
}

/** @throws {GatewayError} `Forbidden` */
function kindsFor(table: JobTable, user: JobViewer, name: JobStatus['kind'] | undefined): readonly JobKind[] {
  const visible = visibleKinds(table, user);
  if (name === undefined) return visible;
  const asked = JOB_KINDS.filter((kind) => kindName(kind) === name);
  if (!asked.every((kind) => visible.includes(kind))) requireAdministrator(user);
  return asked;
}

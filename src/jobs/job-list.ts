import { describeError, ServiceUnavailableError } from '../errors.js';
import { NewerFormatError } from '../job-record/format.js';
import { JOB_KINDS, type JobKind } from '../job-record/job-kinds.js';
import type { JobIdentity, JobRecord } from '../job-record/job-record.js';
import type { JobStore } from '../job-record/job-store.js';
import type { IndexedJob, IndexPage, OrganisationJobs } from '../job-record/organisation-jobs.js';
import type { Logger } from '../logging/logger.js';
import { jobCursor, readJobCursor } from './job-cursor.js';
import { kindName, statusOf, type JobStatus } from './job-status.js';
import type { JobTable } from './job-table.js';
import type { StatusField } from './offered-job.js';
import { requireAdministrator, visibleKinds, type JobViewer } from './job-visibility.js';
import { PagesInTurn } from './pages-in-turn.js';
import { turn } from '../turn.js';

/** Number of records read together. */
const READ_TOGETHER = 25;

/** Characters of stored replies after which a page ends early: each reply may name thousands of items. */
const MAX_REPLIES = 1024 * 1024;

/** Filter and page of a list. */
export interface JobQuery {
  /** All kinds that the user may see if absent. */
  readonly kind?: JobStatus['kind'];
  readonly limit: number;
  /** {@link JobPage.next} of the page before. */
  readonly after?: string;
}

/** Job of a page, and the cursor behind it. */
export interface JobEntry {
  readonly node: JobStatus;
  readonly cursor: string;
}

/** A page of jobs. */
export interface JobPage {
  readonly jobs: readonly JobEntry[];
  /** Cursor of the next page; absent on the last one. */
  readonly next?: string;
}

/** List of an organisation's jobs, as seen by pollers. */
export interface JobList {
  /**
   * Returns a page, newest first. Jobs with expired or unreadable records are left out.
   *
   * @param log logs unreadable records
   * @throws {GatewayError} `Forbidden` when only administrators may see the kind, `BadInput` when the cursor is invalid
   * @throws {TooManyRequestsError} when too many pages of the organisation wait to be read
   * @throws {ServiceUnavailableError} when the store cannot be reached
   */
  page(user: JobViewer, query: JobQuery, log: Logger): Promise<JobPage>;
}

/** Creates the list. */
export function createJobList({
  jobs: table,
  organisations,
  jobStore,
}: {
  readonly jobs: JobTable;
  readonly organisations: Pick<OrganisationJobs, 'list'>;
  readonly jobStore: Pick<JobStore, 'read'>;
}): JobList {
  async function listed(job: IndexedJob, log: Logger): Promise<Listed | undefined> {
    try {
      const record = await jobStore.read(job);
      return record && { status: statusOf<StatusField>(table[job.kind], job.jobId, record), size: sizeOf(record) };
    } catch (error) {
      const isOutage = error instanceof ServiceUnavailableError && !(error instanceof NewerFormatError);
      if (isOutage) throw error;
      // A damaged or newer record drops its own job, not the page.
      log.event('job.record_unreadable', { ...identityOf(job), reason: describeError(error) });
      return undefined;
    }
  }

  const pages = new PagesInTurn();
  return {
    async page(user, { kind, limit, after }, log) {
      const kinds = kindsFor(table, user, kind);
      const position = after !== undefined && { after: readJobCursor(after) };
      return pages.read(user.Org, () => readPage(user.Org, { limit, kinds, ...position }, log));
    },
  };

  async function readPage(org: string, wanted: IndexPage, log: Logger): Promise<JobPage> {
    const { jobs, next } = await organisations.list(org, wanted);
    const page: JobEntry[] = [];
    let size = 0;
    for (let start = 0; start < jobs.length; start += READ_TOGETHER) {
      // An embedded store reads synchronously and blocks the event loop.
      if (start > 0) await turn();
      const batch = jobs.slice(start, start + READ_TOGETHER);
      const statuses = await Promise.all(batch.map((job) => listed(job, log)));
      for (const [index, job] of batch.entries()) {
        const found = statuses[index];
        if (found === undefined) continue;
        page.push({ node: found.status, cursor: jobCursor(job) });
        size += found.size;
        const isLast = start + index === jobs.length - 1;
        if (size > MAX_REPLIES && !isLast) return { jobs: page, next: jobCursor(job) };
      }
    }
    return { jobs: page, ...(next && { next: jobCursor(next) }) };
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

interface Listed {
  readonly status: JobStatus;
  readonly size: number;
}

function sizeOf({ result }: JobRecord): number {
  return result?.body.length ?? 0;
}

function identityOf({ kind, org, jobId }: JobIdentity): JobIdentity {
  return { kind, org, jobId };
}

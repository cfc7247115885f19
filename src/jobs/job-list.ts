import { describeError, ServiceUnavailableError } from '../errors.js';
import type { JobIdentity, JobRecord } from '../job-record/job-record.js';
import type { JobStore } from '../job-record/job-store.js';
import type { IndexedJob, IndexPage, IndexPosition, OrganisationJobs } from '../job-record/organisation-jobs.js';
import type { Logger } from '../logger.js';
import { jobStatusOf, type JobStatus } from './job-status.js';

/** Records that are read together. */
const READ_TOGETHER = 25;

/** Characters of stored replies behind which a page ends early: each of them may name thousands of items. */
const MAX_REPLIES = 1024 * 1024;

/** A page of jobs. */
export interface JobPage {
  readonly jobs: readonly JobStatus[];
  /** Where the next page begins; absent when there is none. */
  readonly next?: IndexPosition;
}

/** Lists the jobs of an organisation, as pollers may see them. */
export interface JobList {
  /**
   * A page, newest first. Jobs whose records have expired, or cannot be read, are left out.
   *
   * @param log is told which cannot be read
   * @throws {ServiceUnavailableError} when the store cannot be reached
   */
  page(org: string, page: IndexPage, log: Logger): Promise<JobPage>;
}

/** Creates the list. */
export function createJobList({
  organisations,
  jobStore,
}: {
  readonly organisations: Pick<OrganisationJobs, 'list'>;
  readonly jobStore: Pick<JobStore, 'read'>;
}): JobList {
  async function statusOf(job: IndexedJob, log: Logger): Promise<Listed | undefined> {
    try {
      const record = await jobStore.read(job);
      return record && { status: jobStatusOf(job, record), size: sizeOf(record) };
    } catch (error) {
      if (error instanceof ServiceUnavailableError) throw error;
      // A record that is damaged costs its own job and not the page.
      log.event('job.record_unreadable', { ...identityOf(job), reason: describeError(error) });
      return undefined;
    }
  }

  return {
    async page(org, page, log) {
      const { jobs, next } = await organisations.list(org, page);
      const listed: JobStatus[] = [];
      let size = 0;
      for (let start = 0; start < jobs.length; start += READ_TOGETHER) {
        const batch = jobs.slice(start, start + READ_TOGETHER);
        const statuses = await Promise.all(batch.map((job) => statusOf(job, log)));
        for (const [index, job] of batch.entries()) {
          const found = statuses[index];
          if (found === undefined) continue;
          listed.push(found.status);
          size += found.size;
          const isLast = next === undefined && start + index === jobs.length - 1;
          if (size > MAX_REPLIES && !isLast) return { jobs: listed, next: job };
        }
      }
      return { jobs: listed, ...(next && { next }) };
    },
  };
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

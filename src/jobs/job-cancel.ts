import { GatewayError } from '../base/errors.js';
import { endWithoutRun } from './record/job-ends.js';
import { JOB_KINDS } from './record/job-kinds.js';
import { type JobIdentity, type JobRecord, ordererOf } from './record/job-record.js';
import type { Cancelled, JobStore } from './record/job-store.js';
import type { Order, StartedJob } from './job-start.js';
import { type JobTable, isVisible, type JobViewer } from './job-table.js';

export type CancelStore = Pick<JobStore, 'cancel' | 'read' | 'readItems'>;

export interface CancellingOrder extends Order {
  readonly user: Order['user'] & JobViewer;
}

/**
 * Cancels a job. A running one begins no further items; any other that has not ended ends at once, by its record alone,
 * because the body is encrypted in the queue. @returns undefined if the job has no record any more
 */
export async function cancelJob(
  jobStore: Pick<JobStore, 'cancel' | 'readItems'>,
  job: JobIdentity,
  record: JobRecord,
): Promise<Cancelled | undefined> {
  if (record.state === 'finished') return jobStore.cancel(job);
  const items = record.attempt === 0 ? [] : await jobStore.readItems(job);
  return jobStore.cancel(job, endWithoutRun(job.kind, record, items));
}

/**
 * Cancels a job of the user's organisation, and logs it. Callers of the callbacks choose the ids, so jobs of several
 * kinds may have the same id: all of them are cancelled.
 *
 * @throws {GatewayError} `NotFound`, also for a job that the user may not see
 * @throws {ServiceUnavailableError} and errors of `commit`
 */
export async function cancelVisibleJobs(
  jobStore: CancelStore,
  jobs: JobTable,
  { user, log, commit }: CancellingOrder,
  jobId: string,
): Promise<StartedJob> {
  // The id of a record is always well-formed text.
  if (!jobId.isWellFormed()) throw new GatewayError('UnknownJob');
  const { Org: org } = user;
  const found = await Promise.all(
    JOB_KINDS.map(async (kind) => {
      const job = { kind, org, jobId };
      const record = await jobStore.read(job);
      return record !== undefined && isVisible(jobs[kind], record, user) ? [{ job, record }] : [];
    }),
  );
  const visible = found.flat();
  const asked = await commit(() => Promise.all(visible.map(({ job, record }) => cancelJob(jobStore, job, record))));
  for (const [index, { job }] of visible.entries()) {
    if (asked[index]?.changed) log.event('job.cancelled', { ...job, cancelledBy: ordererOf(user) });
  }
  const [first] = visible.flatMap(({ job }, index) => {
    const end = asked[index];
    return end ? [{ ...job, createdAt: end.createdAt, state: end.state, cancelled: end.cancelled }] : [];
  });
  if (first === undefined) throw new GatewayError('UnknownJob');
  return first;
}

import type { ValidateFunction } from 'ajv';
import type { components } from '../../generated/gateway.js';
import * as replies from '../../generated/validators/gateway.js';
import { notFound } from '../errors.js';
import type { JobIdentity, JobRecord } from '../job-record/job-record.js';
import type { JobStore } from '../job-record/job-store.js';

type Schemas = components['schemas'];

/** What every kind of job tells a poller. */
export interface JobStatus {
  readonly jobId: string;
  readonly completed: boolean;
  readonly state: 'PENDING' | 'RUNNING' | 'FINISHED';
  readonly progress: { readonly done: number; readonly total: number };
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly status: 'Success' | 'Failure' | null;
  readonly errors: string[] | null;
}

/** Status of a driving report job. */
export interface DrivingReportsJobStatus extends JobStatus {
  readonly key: string | null;
  readonly errorList: Schemas['DriverError'][] | null;
}

/** Status of a bulk user account job. */
export interface UserAccountsJobStatus extends JobStatus {
  readonly createdUserAccountId: number[] | null;
}

/** Reads the outcome of jobs, as pollers may see it. Unknown jobs and those of other organisations look alike. */
export interface JobStatusReader {
  drivingReports(org: string, jobId: string): Promise<DrivingReportsJobStatus>;
  userAccounts(org: string, jobId: string): Promise<UserAccountsJobStatus>;
  mobiles(org: string, jobId: string): Promise<JobStatus>;
}

/** Creates the reader. Its methods throw `NotFound`, or `ServiceUnavailableError` when the store is down. */
export function createJobStatusReader(jobStore: JobStore): JobStatusReader {
  async function read(job: JobIdentity): Promise<JobRecord> {
    // An id of broken text cannot be that of a record.
    const record = job.jobId.isWellFormed() ? await jobStore.read(job) : undefined;
    if (record === undefined) throw notFound('There is no such job.');
    return record;
  }
  return {
    async drivingReports(org, jobId) {
      const record = await read({ kind: 'driving-reports', org, jobId });
      const reply = handledReply(record, replies.DrivingReportReply);
      const errorList = reply?.errorList ? [...reply.errorList] : null;
      const errors = errorList?.map(({ mobileId, employeeCode, message }) => `${mobileId} ${employeeCode}: ${message}`);
      return { ...statusOf(jobId, record, errors), key: reply?.key ?? null, errorList };
    },
    async userAccounts(org, jobId) {
      const record = await read({ kind: 'user-accounts', org, jobId });
      const reply = handledReply(record, replies.BulkUserAccountReply);
      const created = reply?.data?.created_user_account_id;
      return { ...statusOf(jobId, record, reply?.errors), createdUserAccountId: created ? [...created] : null };
    },
    async mobiles(org, jobId) {
      const record = await read({ kind: 'mobiles', org, jobId });
      return statusOf(jobId, record, handledReply(record, replies.BulkMobileReply)?.errors);
    },
  };
}

/** The stored reply of a job that was handled; undefined while it is not, and of a dead letter. */
function handledReply<Reply>({ result }: JobRecord, validate: ValidateFunction<Reply>): Reply | undefined {
  if (result?.status !== 200) return undefined;
  const reply: unknown = JSON.parse(result.body);
  if (!validate(reply)) throw new Error('The stored reply of a job does not match its specification.');
  return reply;
}

function statusOf(jobId: string, record: JobRecord, itemErrors: readonly string[] | undefined): JobStatus {
  const errors = itemErrors ?? deadLetterErrors(record);
  const finished = record.state === 'finished';
  return {
    jobId,
    completed: finished,
    state: STATES[record.state],
    progress: { done: record.done, total: record.total },
    createdAt: new Date(record.createdAt),
    finishedAt: record.finishedAt === undefined ? null : new Date(record.finishedAt),
    status: finished ? (errors === undefined ? 'Success' : 'Failure') : null,
    errors: errors === undefined ? null : [...errors],
  };
}

const STATES = { pending: 'PENDING', running: 'RUNNING', finished: 'FINISHED' } as const;

function deadLetterErrors({ result }: JobRecord): readonly string[] | undefined {
  if (result === undefined || result.status === 200) return undefined;
  const body: unknown = JSON.parse(result.body);
  return [replies.Failure(body) ? body.message : 'The job could not be delivered.'];
}

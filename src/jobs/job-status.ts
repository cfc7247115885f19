import type { ValidateFunction } from 'ajv';
import type { components } from '../../generated/gateway.js';
import * as replies from '../../generated/validators/gateway.js';
import { notFound } from '../errors.js';
import type { JobKind } from '../job-record/job-kinds.js';
import type { JobIdentity, JobRecord } from '../job-record/job-record.js';
import type { JobStore } from '../job-record/job-store.js';
import type { Orderer } from '../job-record/orderer.js';

type Schemas = components['schemas'];

/** What front ends call the kinds of job. */
export const KIND_NAMES = {
  'driving-reports': 'DRIVING_REPORTS',
  'user-accounts': 'USER_ACCOUNTS',
  mobiles: 'MOBILES',
} as const satisfies Readonly<Record<JobKind, string>>;

/** What every kind of job tells a poller. */
interface StatusOf<Kind extends JobKind> {
  readonly jobId: string;
  readonly kind: (typeof KIND_NAMES)[Kind];
  readonly completed: boolean;
  readonly state: 'PENDING' | 'RUNNING' | 'FINISHED';
  readonly progress: { readonly done: number; readonly total: number };
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly cancelled: boolean;
  readonly orderedBy: Orderer | null;
  readonly status: 'Success' | 'Failure' | null;
  readonly errors: string[] | null;
}

/** Status of a driving report job. */
export interface DrivingReportsJobStatus extends StatusOf<'driving-reports'> {
  readonly key: string | null;
  readonly errorList: Schemas['DriverError'][] | null;
}

/** Status of a bulk user account job. */
export interface UserAccountsJobStatus extends StatusOf<'user-accounts'> {
  readonly createdUserAccountId: number[] | null;
}

/** Status of a bulk mobile update. */
export type MobilesJobStatus = StatusOf<'mobiles'>;

/** Status of a job of any kind. */
export type JobStatus = DrivingReportsJobStatus | UserAccountsJobStatus | MobilesJobStatus;

/** Reads the outcome of jobs, as pollers may see it. Unknown jobs and those of other organisations look alike. */
export interface JobStatusReader {
  drivingReports(org: string, jobId: string): Promise<DrivingReportsJobStatus>;
  userAccounts(org: string, jobId: string): Promise<UserAccountsJobStatus>;
  mobiles(org: string, jobId: string): Promise<MobilesJobStatus>;
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
    drivingReports: async (org, jobId) =>
      STATUS_OF['driving-reports'](jobId, await read({ kind: 'driving-reports', org, jobId })),
    userAccounts: async (org, jobId) =>
      STATUS_OF['user-accounts'](jobId, await read({ kind: 'user-accounts', org, jobId })),
    mobiles: async (org, jobId) => STATUS_OF.mobiles(jobId, await read({ kind: 'mobiles', org, jobId })),
  };
}

/**
 * What a record tells of its job.
 *
 * @throws {Error} when the stored reply is none
 */
export function jobStatusOf({ kind, jobId }: Pick<JobIdentity, 'kind' | 'jobId'>, record: JobRecord): JobStatus {
  return STATUS_OF[kind](jobId, record);
}

const STATUS_OF = {
  'driving-reports'(jobId: string, record: JobRecord): DrivingReportsJobStatus {
    const reply = handledReply(record, replies.DrivingReportReply);
    const errorList = reply?.errorList ? [...reply.errorList] : null;
    const errors = errorList?.map(({ mobileId, employeeCode, message }) => `${mobileId} ${employeeCode}: ${message}`);
    return { ...commonOf('driving-reports', jobId, record, errors), key: reply?.key ?? null, errorList };
  },
  'user-accounts'(jobId: string, record: JobRecord): UserAccountsJobStatus {
    const reply = handledReply(record, replies.BulkUserAccountReply);
    const created = reply?.data?.created_user_account_id;
    return {
      ...commonOf('user-accounts', jobId, record, reply?.errors),
      createdUserAccountId: created ? [...created] : null,
    };
  },
  mobiles(jobId: string, record: JobRecord): MobilesJobStatus {
    return commonOf('mobiles', jobId, record, handledReply(record, replies.BulkMobileReply)?.errors);
  },
} satisfies { readonly [Kind in JobKind]: (jobId: string, record: JobRecord) => StatusOf<Kind> };

/** The stored reply of a job that was handled; undefined while it is not, and of a dead letter. */
function handledReply<Reply>({ result }: JobRecord, validate: ValidateFunction<Reply>): Reply | undefined {
  if (result?.status !== 200) return undefined;
  const reply: unknown = JSON.parse(result.body);
  if (!validate(reply)) throw new Error('The stored reply of a job does not match its specification.');
  return reply;
}

function commonOf<Kind extends JobKind>(
  kind: Kind,
  jobId: string,
  record: JobRecord,
  itemErrors: readonly string[] | undefined,
): StatusOf<Kind> {
  const errors = itemErrors ?? deadLetterErrors(record);
  const finished = record.state === 'finished';
  return {
    jobId,
    kind: KIND_NAMES[kind],
    completed: finished,
    state: STATES[record.state],
    progress: { done: record.done, total: record.total },
    createdAt: new Date(record.createdAt),
    finishedAt: record.finishedAt === undefined ? null : new Date(record.finishedAt),
    cancelled: record.cancelledAt !== undefined,
    orderedBy: record.orderedBy ?? null,
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

import type { JobFailure, JobKind as KindName, JobWarning as ShownWarning } from '../../generated/graphql.js';
import { ERRORS, textOf } from '../error-table.js';
import { GatewayError } from '../errors.js';
import { JOB_KINDS, type JobKind } from '../job-record/job-kinds.js';
import type { JobRecord, JobWarning, Orderer } from '../job-record/job-record.js';
import type { JobStore } from '../job-record/job-store.js';
import { isHandled } from '../job-record/transitions.js';
import { isVisible, type JobViewer } from './job-table.js';
import type { OfferedJob, OwnStatus, StartField, StatusField } from './offered-job.js';

type Underscored<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${First}_${Underscored<Rest>}`
  : Text;

const KIND_NAMES = Object.fromEntries(
  JOB_KINDS.map((kind) => [kind, kind.replaceAll('-', '_').toUpperCase()]),
) as Readonly<Record<JobKind, Uppercase<Underscored<JobKind>>>>; // fromEntries and replaceAll lose these types

/**
 * Returns the name of a kind of job in the SDL: `USER_ACCOUNTS` for `user-accounts`. The `enum JobKind` must list each.
 */
export function kindName(kind: JobKind): KindName {
  return KIND_NAMES[kind];
}

/** Status fields of every kind of job. */
export interface JobStatus {
  /** Same as `jobId`. */
  readonly id: string;
  readonly jobId: string;
  readonly kind: KindName;
  readonly completed: boolean;
  readonly state: 'PENDING' | 'RUNNING' | 'FINISHED';
  readonly progress: { readonly done: number; readonly total: number };
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly cancelled: boolean;
  readonly orderedBy: Orderer | null;
  readonly status: 'Success' | 'Failure' | null;
  readonly errors: string[] | null;
  readonly failures: JobFailure[];
  readonly warnings: ShownWarning[];
}

/** Reads the status of jobs for pollers. A job that the user may not see looks like an unknown one. */
export type JobStatusReader = ReturnType<typeof createJobStatusReader>;

export function createJobStatusReader(jobStore: Pick<JobStore, 'read'>) {
  async function found(job: OfferedJob, user: JobViewer, jobId: string): Promise<JobRecord | undefined> {
    // A record's id is always well-formed text.
    const record = jobId.isWellFormed() ? await jobStore.read({ kind: job.kind, org: user.Org, jobId }) : undefined;
    return record !== undefined && isVisible(job, record, user) ? record : undefined;
  }
  return {
    /**
     * @throws {GatewayError} `NotFound`
     * @throws {ServiceUnavailableError} when the store cannot be reached
     */
    async read<Field extends StatusField>(
      job: OfferedJob<JobKind, StartField, Field>,
      user: JobViewer,
      jobId: string,
    ): Promise<JobStatus & OwnStatus<Field>> {
      const record = await found(job, user, jobId);
      if (record === undefined) throw new GatewayError('UnknownJob');
      return statusOf(job, jobId, record);
    },

    /** Reads a job of one of several kinds. @throws as `read` */
    async readAny(jobs: readonly OfferedJob[], user: JobViewer, jobId: string): Promise<JobStatus> {
      const records = await Promise.all(jobs.map(async (job) => ({ job, record: await found(job, user, jobId) })));
      for (const { job, record } of records) if (record !== undefined) return statusOf(job, jobId, record);
      throw new GatewayError('UnknownJob');
    },
  };
}

/** Converts a job's record to its status. @throws {Error} when the stored reply is invalid */
export function statusOf<Field extends StatusField>(
  job: OfferedJob<JobKind, StartField, Field>,
  jobId: string,
  record: JobRecord,
): JobStatus & OwnStatus<Field> {
  const { result } = record;
  // A record without a handled reply is that of an unfinished job or of a dead letter.
  const handled = isHandled(record) ? record.result : undefined;
  const reply = handled?.body ?? result?.unsentReply;
  const told = job.tell(reply === undefined ? undefined : JSON.parse(reply), result);
  // The reason of a dead letter is for operators.
  const isUndelivered = result !== undefined && !handled && told.errors === undefined;
  const failures = isUndelivered ? [NOT_DELIVERED] : told.failures;
  const errors = isUndelivered ? [NOT_DELIVERED.message] : told.errors;
  const finished = record.state === 'finished';
  return {
    id: jobId,
    jobId,
    kind: kindName(job.kind),
    completed: finished,
    state: stateName(record.state),
    progress: { done: record.done, total: record.total },
    createdAt: new Date(record.createdAt),
    finishedAt: record.finishedAt === undefined ? null : new Date(record.finishedAt),
    cancelled: record.cancelledAt !== undefined,
    orderedBy: record.orderedBy ?? null,
    status: finished ? (errors === undefined ? 'Success' : 'Failure') : null,
    errors: errors === undefined ? null : [...errors],
    failures: [...failures],
    // A build before 0.1.0 may have left an outdated note in a finished record.
    warnings: (record.waiting && !finished ? [WAITING] : (result?.warnings ?? [])).map(shownWarning),
    // This spread is the last property, because each property after a spread takes V8 a microsecond.
    ...told.own,
  };
}

const NOT_DELIVERED: JobFailure = {
  index: null,
  subject: null,
  code: ERRORS.NotDelivered.item,
  reason: 'NotDelivered',
  message: textOf('NotDelivered'),
  values: {},
};

const WAITING: JobWarning = { code: 'Waiting', message: textOf('Waiting'), values: {} };

/** The name of the text of a warning is its code. */
function shownWarning({ values, ...warning }: JobWarning): ShownWarning {
  return { ...warning, reason: values ? warning.code : null, values: values ?? {} };
}

const STATES = { pending: 'PENDING', running: 'RUNNING', finished: 'FINISHED' } as const;

/** Returns the name of a state in the SDL. */
export function stateName(state: JobRecord['state']): JobStatus['state'] {
  return STATES[state];
}

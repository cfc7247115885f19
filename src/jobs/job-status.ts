import type { JobFailure, JobStatus as Answer, JobWarning as ShownWarning } from '../../generated/graphql.js';
import { ERRORS, textOf } from '../base/error-table.js';
import { GatewayError } from '../base/errors.js';
import type { JobKind } from './record/job-kinds.js';
import type { JobIdentity, JobRecord, JobWarning, Orderer } from './record/job-record.js';
import type { JobStore } from './record/job-store.js';
import { isHandled } from './record/transitions.js';
import { isVisible, type JobViewer } from './job-table.js';
import type { JobDefinition } from './job-definition.js';

type Underscored<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${First}_${Underscored<Rest>}`
  : Text;

/** Returns the name of a kind of job in the SDL, such as `USER_ACCOUNTS`. The `enum JobKind` must list each. */
export function kindName(kind: JobKind): JobStatus['kind'] {
  return kind.replaceAll('-', '_').toUpperCase() as Uppercase<Underscored<JobKind>>; // both methods lose the type
}

export function stateName(state: JobRecord['state']): JobStatus['state'] {
  return state.toUpperCase() as Uppercase<JobRecord['state']>; // the method loses the type
}

/** Progress of a job; `ofItems` is set where only the stored outcomes of its items tell how many have failed. */
export interface JobProgress extends Pick<JobRecord, 'done' | 'total'> {
  readonly failed: number | null;
  readonly ofItems?: JobIdentity;
}

/** Status fields of every kind of job, as in the SDL. */
export interface JobStatus extends Omit<Answer, 'orderedBy' | 'progress'> {
  readonly progress: JobProgress;
  readonly jobId: string;
  /** A user without `LoggedInId` lacks the field, which GraphQL answers with null. */
  readonly orderedBy: Orderer | null;
}

/**
 * Reads the status of a job of one of these kinds, for pollers. A job that the user may not see looks like an unknown
 * one. @throws {GatewayError} `NotFound` @throws {ServiceUnavailableError}
 */
export async function readJobStatus(
  jobStore: Pick<JobStore, 'read'>,
  jobs: readonly JobDefinition[],
  user: JobViewer,
  jobId: string,
): Promise<JobStatus> {
  // A record's id is always well-formed text.
  if (!jobId.isWellFormed()) throw new GatewayError('UnknownJob');
  const records = await Promise.all(jobs.map(({ kind }) => jobStore.read({ kind, org: user.Org, jobId })));
  for (const [index, job] of jobs.entries()) {
    const record = records[index];
    if (record !== undefined && isVisible(job, record, user))
      return statusOf(job, { kind: job.kind, org: user.Org, jobId }, record);
  }
  throw new GatewayError('UnknownJob');
}

/** Converts a record to the status of its kind of job. @throws {Error} when the stored reply is invalid */
export function statusOf(job: JobDefinition, identity: JobIdentity, record: JobRecord): JobStatus {
  const { jobId } = identity;
  const { result } = record;
  // A record without a handled reply is that of an unfinished job or of a dead letter.
  const handled = isHandled(record) ? record.result : undefined;
  const reply = handled?.body ?? result?.unsentReply;
  const parts = job.toStatus(reply === undefined ? undefined : JSON.parse(reply), result);
  // The reason of a dead letter is for operators. If it was begun, its reply says what became of the items.
  const isUndelivered = result !== undefined && reply === undefined;
  const failures = isUndelivered ? [NOT_DELIVERED] : parts.failures;
  const errors = isUndelivered ? [NOT_DELIVERED.message] : parts.errors;
  const finished = record.state === 'finished';
  return {
    id: jobId,
    jobId,
    kind: kindName(job.kind),
    completed: finished,
    state: stateName(record.state),
    progress: {
      done: record.done,
      total: record.total,
      failed: finished ? failures.length : null,
      ...(!finished && job.resumes && { ofItems: identity }),
    },
    failureCount: failures.length,
    pollAfterSeconds: pollAfterSeconds(record),
    createdAt: new Date(record.createdAt),
    finishedAt: record.finishedAt === undefined ? null : new Date(record.finishedAt),
    cancelled: record.cancelledAt !== undefined,
    orderedBy: record.orderedBy ?? null,
    status: finished ? (errors === undefined ? 'Success' : 'Failure') : null,
    errors: errors === undefined ? null : [...errors],
    failures: [...failures],
    warnings: (record.waiting ? [waitingWarning(record.waiting.reason)] : (result?.warnings ?? [])).map(shownWarning),
    // This spread is the last property, because each property after a spread takes V8 a microsecond.
    ...parts.own,
  };
}

/** Returns the pause before the next poll, in seconds: short while it is likely to show something new. */
function pollAfterSeconds({ state, createdAt, replayedAt = createdAt }: JobRecord): number {
  const age = Date.now() - replayedAt;
  if (age >= 600_000) return 10;
  return age < 10_000 || state === 'running' ? 1 : 5;
}

const NOT_DELIVERED: JobFailure = {
  index: null,
  subject: null,
  code: ERRORS.NotDelivered.item,
  reason: 'NotDelivered',
  message: textOf('NotDelivered'),
  values: {},
};

/** @param reason code of the delivery; that of a foreign answer has its status behind it */
function waitingWarning(reason: string): JobWarning {
  const status = Number(/^foreign (\d{3})$/.exec(reason)?.[1]);
  if (Number.isNaN(status)) return { code: 'Waiting', message: textOf('Waiting'), values: {} };
  return { code: 'ForeignAnswer', message: textOf('ForeignAnswer', { status }), values: { status } };
}

/** The name of the text of a warning is its code. */
function shownWarning({ values, ...warning }: JobWarning): ShownWarning {
  return { ...warning, reason: values ? warning.code : null, values: values ?? {} };
}

import { GatewayError, notFound } from '../errors.js';
import type { DeadLetter, JobMessage, JobQueue } from '../job-record/job-queue.js';
import type { JobIdentity, JobRecord } from '../job-record/job-record.js';
import type { JobStore } from '../job-record/job-store.js';
import type { JobSelection } from './command-line.js';

/** Where dead letters and their jobs are kept. */
export interface JobPorts {
  readonly queue: JobQueue;
  readonly jobStore: JobStore;
}

/** The dead letters that are meant, oldest first. */
export async function selectDeadLetters(queue: JobQueue, selection: JobSelection): Promise<readonly DeadLetter[]> {
  const { jobId, kind, org } = selection;
  return (await queue.deadLetters()).filter(
    ({ message }) =>
      (jobId === undefined || message.jobId === jobId) &&
      (kind === undefined || message.kind === kind) &&
      (org === undefined || message.org === org),
  );
}

/**
 * The one dead letter that is meant.
 *
 * @throws {GatewayError} `NotFound` when there is none, `BadInput` when there are several
 */
export async function findDeadLetter(queue: JobQueue, selection: JobSelection): Promise<DeadLetter> {
  const [letter, another] = await selectDeadLetters(queue, selection);
  if (letter === undefined) throw notFound(`There is no dead letter of job ${selection.jobId ?? ''}.`);
  if (another !== undefined) {
    throw new GatewayError('BadInput', 'Several dead letters have this job id. Say which one with --kind and --org.');
  }
  return letter;
}

/**
 * The message of the one dead letter that is meant, with what it carries.
 *
 * @throws {GatewayError} as {@link findDeadLetter}
 */
export async function findDeadMessage(queue: JobQueue, selection: JobSelection): Promise<JobMessage> {
  const letter = await findDeadLetter(queue, selection);
  const message = await queue.deadMessage(letter.message);
  if (message === undefined) throw notFound('Somebody else has replayed this job just now.');
  return message;
}

/**
 * Delivers a dead letter again. The job goes on at its checkpoint, because a claim takes up a dead letter
 * (`job-record/transitions.ts`).
 *
 * @throws {GatewayError} `NotFound` when there is none, `BadInput` when nothing says any more what was done
 */
export async function replay({ queue, jobStore }: JobPorts, selection: JobSelection): Promise<void> {
  const { message } = await findDeadLetter(queue, selection);
  await recordOf(jobStore, message);
  if (!(await queue.replay(message))) throw notFound('Somebody else has replayed this job just now.');
}

/**
 * The status record of a dead letter.
 *
 * @throws {GatewayError} `BadInput` when it has expired
 */
export async function recordOf(jobStore: JobStore, message: DeadLetter['message']): Promise<JobRecord> {
  const record = await jobStore.read(message);
  if (record !== undefined) return record;
  throw new GatewayError(
    'BadInput',
    'The status record of this job has expired, so nothing says which of its items ' +
      'were done. See what it did, and start a new job for the rest.',
  );
}

/** Indexes, from 0, of the items of a job that failed. */
export async function failedItemsOf(
  jobStore: JobStore,
  job: JobIdentity,
  record: JobRecord | undefined,
): Promise<readonly number[]> {
  if (record?.result?.failedItems !== undefined) return record.result.failedItems;
  const items = await jobStore.readItems(job);
  return items.filter(({ failure }) => failure !== undefined).map(({ index }) => index);
}

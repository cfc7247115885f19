import type { QueuedMessage, DeadLetter } from '../job-record/job-queue.js';
import { jobRecordKey, type JobIdentity, type JobRecord } from '../job-record/job-record.js';
import { type OneJob, isMeant } from './command-line.js';
import { type JobPorts, failedItemsOf, type FailedItem, idOfFailedItems } from './dead-letters.js';
import { RefusedCommandError } from '../process/read-arguments.js';

/** State of a job, without its payload. */
export interface JobView {
  readonly job: JobIdentity;
  /** Undefined if expired. */
  readonly record: JobRecord | undefined;
  /** Undefined if not in the queue. */
  readonly queued: QueuedMessage | undefined;
  readonly letter: DeadLetter | undefined;
  readonly failures: readonly FailedItem[];
  /** Job that was started with its failed items. */
  readonly again: { readonly job: JobIdentity; readonly record: JobRecord } | undefined;
}

/**
 * Finds a job in the records, the queue and the dead letters.
 *
 * @throws {RefusedCommandError} there is none, or there are several
 */
export async function viewJob(ports: JobPorts, selection: OneJob): Promise<JobView> {
  const { queue, jobStore, inspection } = ports;
  const [recorded, letters, messages = []] = await Promise.all([
    inspection.find(selection.jobId),
    queue.deadLetters(),
    inspection.queued(),
  ]);
  const letter = letters.find(({ message }) => isMeant(selection, message));
  const queued = messages.find((message) => isMeant(selection, message));
  const places: readonly JobIdentity[] = [...recorded, ...letters.map(({ message }) => message), ...messages].filter(
    (job) => isMeant(selection, job),
  );
  const [job, ...others] = new Map(places.map((place) => [jobRecordKey(place), place])).values();
  if (job === undefined) throw new RefusedCommandError(`There is no job ${selection.jobId}${condition(selection)}.`);
  if (others.length > 0) throw severalJobs([job, ...others]);

  const record = await jobStore.read(job);
  if (record === undefined && letter === undefined && queued === undefined) {
    throw new RefusedCommandError(`There is no job ${selection.jobId}${condition(selection)} any more.`);
  }
  const failures = await failedItemsOf(jobStore, job, record);
  return { job, record, queued, letter, failures, again: await jobOf(ports, idOfFailedItems(job)) };
}

async function jobOf({ jobStore }: JobPorts, job: JobIdentity | undefined): Promise<JobView['again']> {
  const record = job && (await jobStore.read(job));
  return job && record && { job, record };
}

function condition({ kind, org }: OneJob): string {
  return `${kind === undefined ? '' : ` of kind ${kind}`}${org === undefined ? '' : ` of ${org || 'no organisation'}`}`;
}

function severalJobs(jobs: readonly JobIdentity[]): RefusedCommandError {
  const each = jobs.map(({ kind, org }) => `--kind ${kind} --org ${org ?? '""'}`);
  return new RefusedCommandError(`${jobs.length} jobs have this id. Say which one: ${each.join(', or ')}.`);
}

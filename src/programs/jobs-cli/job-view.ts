import { setTimeout as delay } from 'node:timers/promises';
import type { JobEngine } from '../../jobs/engines/job-engine.js';
import type { DeadLetter, QueuedMessage, QueueLoad } from '../../jobs/record/job-queue.js';
import { jobRecordKey, type JobIdentity, type JobRecord } from '../../jobs/record/job-record.js';
import { isOfAge, isSelected, type JobsCommand, type OneJob, type JobOutcome } from './command-line.js';
import { failedItemsOf, idOfFailedItems, newestFirst, type FailedItem } from './dead-letters.js';
import { failureCount } from '../../jobs/record/job-failures.js';
import type { JobStore } from '../../jobs/record/job-store.js';
import { isHandled } from '../../jobs/record/transitions.js';
import { RefusedCommandError } from '../process/read-arguments.js';
import { shellWord } from '../process/terminal.js';
import { JOB_KINDS, type JobKind } from '../../jobs/record/job-kinds.js';

type Engine = Pick<JobEngine, 'queue' | 'jobStore' | 'inspection'>;

/** State of a job, without its payload. */
export interface JobView {
  readonly job: JobIdentity;
  /** Undefined if expired. */
  readonly record: JobRecord | undefined;
  readonly queued: QueuedMessage | undefined;
  readonly deadLetter: DeadLetter | undefined;
  readonly failures: readonly FailedItem[];
  /** Job that was started with its failed items. */
  readonly again: RecordedJob | undefined;
}

/** Finds a job, wherever it is. @throws {RefusedCommandError} when there is none, or there are several */
export async function viewJob({ queue, jobStore, inspection }: Engine, selection: OneJob): Promise<JobView> {
  const [recorded, deadLetters, messages = []] = await Promise.all([
    inspection.find(selection.jobId),
    queue.deadLetters(),
    inspection.queued(),
  ]);
  const deadLetter = deadLetters.find(({ message }) => isSelected(selection, message));
  const queued = messages.find((message) => isSelected(selection, message));
  const places: readonly JobIdentity[] = [
    ...recorded,
    ...deadLetters.map(({ message }) => message),
    ...messages,
  ].filter((job) => isSelected(selection, job));
  const [job, ...others] = new Map(places.map((place) => [jobRecordKey(place), place])).values();
  if (job === undefined) throw new RefusedCommandError(`There is no job ${selection.jobId}${condition(selection)}.`);
  if (others.length > 0) {
    const each = [job, ...others].map(({ kind, org }) => `--kind ${kind} --org ${shellWord(org ?? '')}`);
    throw new RefusedCommandError(`${each.length} jobs have this id. Say which one: ${each.join(', or ')}.`);
  }

  const record = await jobStore.read(job);
  if (!record && !deadLetter && !queued) {
    throw new RefusedCommandError(`There is no job ${selection.jobId}${condition(selection)} any more.`);
  }
  const failures = await failedItemsOf(jobStore, job, record);
  const other = idOfFailedItems(job);
  const otherRecord = other && (await jobStore.read(other));
  const again = other && otherRecord && { job: other, record: otherRecord };
  return { job, record, queued, deadLetter, failures, again };
}

interface RecordedJob {
  readonly job: JobIdentity;
  readonly record: JobRecord;
}

/** Returns how a job has ended for its user; undefined before that. */
export function outcomeOf(record: JobRecord | undefined): JobOutcome | undefined {
  if (record?.state !== 'finished') return undefined;
  return isHandled(record) && failureCount(record.result.failures) === 0 ? 'success' : 'failure';
}

export async function failedCount(jobStore: JobStore, job: JobIdentity, record: JobRecord | undefined) {
  if (isHandled(record)) return failureCount(record.result.failures);
  return (await jobStore.readItems(job)).filter(({ failure }) => failure !== undefined).length;
}

export interface ListedJobs {
  readonly jobs: readonly (RecordedJob & { readonly failed: number })[];
  /** True if older jobs were not looked at. */
  readonly hasMore: boolean;
}

export const USUAL_LIMIT = 100;

type ListCommand = Extract<JobsCommand, { name: 'list jobs' }>;

function isListed({ selection, state, outcome }: ListCommand, record: JobRecord, now: number): boolean {
  return (
    (state === 'any' || record.state === state) &&
    (outcome === undefined || outcomeOf(record) === outcome) &&
    isOfAge(selection, now - record.createdAt)
  );
}

/** Lists the ordered jobs of an organisation. @param org empty: jobs without an organisation */
export async function jobsOf(
  { organisations, jobStore }: Pick<JobEngine, 'organisations' | 'jobStore'>,
  org: string,
  command: ListCommand,
  now: number,
): Promise<ListedJobs> {
  const { kind, limit = USUAL_LIMIT, maxAgeMs = Infinity } = command.selection;
  const jobs: ListedJobs['jobs'][number][] = [];
  for await (const { createdAt, ...job } of newestFirst(organisations, { org: org || undefined, kind })) {
    if (now - createdAt > maxAgeMs) break;
    const record = await jobStore.read(job);
    if (record === undefined || !isListed(command, record, now)) continue;
    if (jobs.length === limit) return { jobs, hasMore: true };
    jobs.push({ job, record, failed: await failedCount(jobStore, job, record) });
  }
  return { jobs, hasMore: false };
}

/** Maximum number of jobs that are counted for the list of organisations. */
export const MOST_COUNTED = 10_000;
/** Number of their records that are read at once. */
const READ_AT_ONCE = 100;

/** Organisations with the number of their jobs, most first. */
export interface CountedOrganisations {
  readonly counts: readonly (readonly [org: string | undefined, jobs: number])[];
  /** True if there are more than {@link MOST_COUNTED} jobs; the others were not looked at. */
  readonly hasMore: boolean;
}

export async function organisationsOf(
  { inspection, jobStore }: Pick<JobEngine, 'inspection' | 'jobStore'>,
  command: ListCommand,
  now: number,
): Promise<CountedOrganisations> {
  const found = await inspection.find(undefined, MOST_COUNTED + 1);
  const looked = found.slice(0, MOST_COUNTED).filter((job) => isSelected(command.selection, job));
  const counts = new Map<string | undefined, number>();
  for (let from = 0; from < looked.length; from += READ_AT_ONCE) {
    const count = async (job: JobIdentity): Promise<void> => {
      const record = await jobStore.read(job);
      if (record === undefined || record.refused || !isListed(command, record, now)) return;
      counts.set(job.org, (counts.get(job.org) ?? 0) + 1);
    };
    await Promise.all(looked.slice(from, from + READ_AT_ONCE).map(count));
  }
  return { counts: [...counts].toSorted((a, b) => b[1] - a[1]), hasMore: found.length > MOST_COUNTED };
}

function condition({ kind, org }: OneJob): string {
  return `${kind === undefined ? '' : ` of kind ${kind}`}${org === undefined ? '' : ` of ${org || 'no organisation'}`}`;
}

/** Time between two reads of the record of a job that has not ended. */
const READ_MS = 500;
/** Time between two searches of the whole queue, for a job that has ended and will be delivered again. */
const SEARCH_MS = 20_000;

/**
 * Follows a job until it has ended and is not in the queue any more, or its record expires. `onRead` receives the
 * record as often as it is read. @throws errors of {@link viewJob}
 */
export async function followJob(
  engine: Engine,
  selection: OneJob,
  onRead: (job: JobIdentity, record: JobRecord) => void,
  signal: AbortSignal,
): Promise<JobView> {
  for (;;) {
    const view = await viewJob(engine, selection);
    let { record } = view;
    if (record !== undefined) onRead(view.job, record);
    if (record === undefined || (record.state === 'finished' && view.queued === undefined)) return view;
    const searchedAt = performance.now();
    const { attempt } = record;
    const waits = ({ state, ...now }: JobRecord): boolean =>
      state === 'finished' && now.attempt === attempt && performance.now() - searchedAt < SEARCH_MS;
    while (record !== undefined && (record.state !== 'finished' || waits(record))) {
      await delay(READ_MS, undefined, { signal });
      record = await engine.jobStore.read(view.job);
      if (record !== undefined) onRead(view.job, record);
    }
  }
}

/** Numbers of messages of one kind of job, or of all. */
export interface QueueFigures {
  readonly kind: JobKind | 'all';
  /** Messages that are due and not taken by a consumer. */
  readonly waiting: number;
  /** Messages that come due later; null if the queue does not count them separately. */
  readonly delayed: number | null;
  readonly inHand: number;
  readonly deadLetters: number;
  /** Time since the oldest message, dead letters apart, was accepted, in seconds; null without messages. */
  readonly oldestSeconds: number | null;
}

/** Returns the figures of the kind, or of each kind and all together. @param now milliseconds since 1970 */
export function queueFigures(
  messages: readonly QueuedMessage[],
  deadLetters: readonly DeadLetter[],
  kind: JobKind | undefined,
  now: number,
): readonly QueueFigures[] {
  return (kind === undefined ? [...JOB_KINDS, 'all' as const] : [kind]).map((of) => {
    const isOfKind = (job: JobIdentity): boolean => of === 'all' || job.kind === of;
    const meant = messages.filter(isOfKind);
    const count = (state: QueuedMessage['state']): number => meant.filter((each) => each.state === state).length;
    const oldest = meant.reduce((min, { acceptedAt = Infinity }) => Math.min(min, acceptedAt), Infinity);
    return {
      kind: of,
      waiting: count('waiting'),
      delayed: count('delayed'),
      inHand: count('in hand'),
      deadLetters: deadLetters.filter(({ message }) => isOfKind(message)).length,
      oldestSeconds: secondsSince(oldest, now),
    };
  });
}

/** Returns the figures of a queue that only counts its messages, approximately. */
export function countedFigures({ oldestSince = Infinity, ...counts }: QueueLoad, now: number): QueueFigures {
  return { kind: 'all', ...counts, delayed: null, oldestSeconds: secondsSince(oldestSince, now) };
}

function secondsSince(time: number, now: number): number | null {
  return time === Infinity ? null : Math.max(0, Math.floor((now - time) / 1000));
}

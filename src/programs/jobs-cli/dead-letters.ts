import type { KeyRing } from '../../base/config/key-ring.js';
import type { JobEngine } from '../../jobs/engines/job-engine.js';
import { fingerprintsOf } from '../../jobs/record/fingerprint.js';
import { isBulkKind, type JobKind } from '../../jobs/record/job-kinds.js';
import type { DeadLetter, JobMessage } from '../../jobs/record/job-queue.js';
import { failuresOfItems } from '../../jobs/record/job-failures.js';
import type { JobIdentity, JobRecord, JobResult } from '../../jobs/record/job-record.js';
import type { IndexedJob, IndexedJobs } from '../../jobs/record/organisation-jobs.js';
import type { JobStore } from '../../jobs/record/job-store.js';
import { openPayload, sealPayload } from '../../jobs/record/payload-encryption.js';
import { StoredFields } from '../../jobs/record/stored-fields.js';
import { isHandled } from '../../jobs/record/transitions.js';
import { RefusedCommandError } from '../process/read-arguments.js';

/** Outcome of a command for a job, or of its dry run. */
export interface SettledDeadLetter {
  readonly job: JobIdentity;
  readonly outcome: 'replayed' | 'dropped' | 'cancelled' | 'left out' | 'refused';
  /** Job started with the failed items, number of these items, and number of unfinished items. */
  readonly jobId?: string;
  readonly items?: number;
  readonly unfinished?: number;
  readonly reason?: string;
}

/** Number of jobs that are read at once from the list of an organisation. */
const JOBS_PER_READ = 200;

export async function* newestFirst(
  organisations: JobEngine['organisations'],
  { org, kind }: { readonly org: string | undefined; readonly kind?: JobKind | undefined },
): AsyncGenerator<IndexedJob> {
  const query = { limit: JOBS_PER_READ, ...(kind !== undefined && { kinds: [kind] }) };
  for (let next: IndexedJobs['next'] | null = null; next !== undefined;) {
    const page = await organisations.list(org, { ...query, ...(next && { after: next }) });
    yield* page.jobs;
    next = page.next;
  }
}

/**
 * Finds a later order that the replay of a dead letter would undo: the newest job of the same organisation and kind. It
 * may be a dead letter as well, because replays run side by side.
 */
export async function laterOrder(
  { organisations, jobStore }: Pick<JobEngine, 'organisations' | 'jobStore'>,
  { kind, org, jobId }: JobIdentity,
): Promise<IndexedJob | undefined> {
  const record = await jobStore.read({ kind, org, jobId });
  if (record === undefined) return undefined;
  const itsFailedItems = idOfFailedItems({ kind, org, jobId })?.jobId;
  for await (const job of newestFirst(organisations, { org, kind })) {
    if (job.jobId === jobId || job.createdAt < record.createdAt) break;
    if (job.jobId !== itsFailedItems) return job;
  }
  return undefined;
}

/** Drops a dead letter; its record keeps the reason. @throws {RefusedCommandError} when there is none any more */
export async function dropDeadLetter(
  { queue, jobStore }: Pick<JobEngine, 'queue' | 'jobStore'>,
  { message: job, reason }: DeadLetter,
  dryRun: boolean,
): Promise<SettledDeadLetter> {
  if (!dryRun) {
    // In this order, because a job that another operator has replayed must not be noted as dropped.
    if (!(await queue.drop(job))) throw new RefusedCommandError(SETTLED_BY_OTHERS);
    await jobStore.drop(job, reason);
  }
  return { job, outcome: 'dropped' };
}

/** Delivers a dead letter again. @throws {RefusedCommandError} when it or its record does not exist any more */
export async function replayDeadLetter(
  { queue, jobStore }: Pick<JobEngine, 'queue' | 'jobStore'>,
  job: JobIdentity,
  dryRun: boolean,
): Promise<SettledDeadLetter> {
  await recordOf(jobStore, job);
  if (!dryRun && !(await queue.replay(job))) throw new RefusedCommandError(SETTLED_BY_OTHERS);
  return { job, outcome: 'replayed' };
}

/** Starts a new job with the failed items of a dead letter. @throws errors of {@link jobOfFailedItems} */
export async function replayFailedItems(
  engine: Pick<JobEngine, 'queue' | 'jobStore' | 'submission'>,
  keyRing: KeyRing,
  job: JobIdentity,
  dryRun: boolean,
): Promise<SettledDeadLetter> {
  const { message, unfinished } = await jobOfFailedItems({ ...engine, keyRing }, job);
  if (!dryRun && !(await engine.submission.submit(message)).isNew) throw replayedAlready(message);
  return { job, outcome: 'replayed', jobId: message.jobId, items: message.described.total, unfinished };
}

const SETTLED_BY_OTHERS = 'Another operator has replayed or dropped this job just now.';

/** @throws {RefusedCommandError} when the record has expired */
async function recordOf(jobStore: JobStore, job: JobIdentity): Promise<JobRecord> {
  const record = await jobStore.read(job);
  if (record !== undefined) return record;
  throw new RefusedCommandError(
    'The status record of this job has expired, so nothing says which of its items ' +
      'were done. See what it did, and start a new job for the rest.',
  );
}

export interface FailedItem {
  /** Place of the item in the body, from 0. */
  readonly index: number;
  /** Reason, as in the reply to its caller; null if unknown. */
  readonly reason: string | null;
}

/**
 * Returns the failed items of a job. The source is its reply once it was handled; before that, and for a dead letter,
 * the outcomes stored beside the record.
 */
export async function failedItemsOf(
  jobStore: JobStore,
  job: JobIdentity,
  record: JobRecord | undefined,
): Promise<readonly FailedItem[]> {
  if (isHandled(record)) return repliedFailures(record.result);
  const items = await jobStore.readItems(job);
  return items.flatMap(({ index, failure }) => (failure === undefined ? [] : [{ index, reason: failure }]));
}

/** Reads the reasons in a reply (specification, "Resources and their fields"), which are in the order of the items. */
function repliedFailures({ body, failures }: JobResult): readonly FailedItem[] {
  const reply = new StoredFields('reply of a job', JSON.parse(body));
  const listOf = (name: string): readonly unknown[] => {
    const list = reply.value(name);
    return Array.isArray(list) ? list : [];
  };
  // A bulk job writes `[index] label: reason`.
  const ofItems = listOf('errors').map((error) => String(error).replace(/^\[\d{1,10}\] /, ''));
  const reasons = [...ofItems, ...listOf('errorList').map(reasonOfDriver)];
  return failuresOfItems(failures).map(({ index }, at) => ({ index, reason: reasons[at] ?? null }));
}

function reasonOfDriver(error: unknown): string {
  const fields = new StoredFields('error of a driver', error);
  const part = (name: string): string => fields.optionalText(name) ?? '-';
  return `mobile ${part('mobileId')}, employee ${part('employeeCode')}: ${part('message')} (${part('code')})`;
}

/** Maximum length of an id in a callback (openapi/gateway.yaml, JobId), in characters. */
const MAX_ID = 128;

/**
 * Makes a job of the failed items of a dead letter. Its id derives from the old one, so that a second request starts
 * nothing. Unfinished items are left out: the one under way may have been done, and a new id means a new `Idempotency-
 * Key`, under which backend-api would not recognise the repetition.
 *
 * @returns its message, not yet submitted, and the number of unfinished items, which only a replay of the old job
 * handles
 * @throws {RefusedCommandError} when there is no dead letter, or it cannot be replayed in this way
 */
export async function jobOfFailedItems(
  { queue, jobStore, keyRing }: Pick<JobEngine, 'queue' | 'jobStore'> & { readonly keyRing: KeyRing },
  job: JobIdentity,
): Promise<{ readonly message: JobMessage; readonly unfinished: number }> {
  const old = await queue.deadMessage(job);
  if (old === undefined) throw new RefusedCommandError(SETTLED_BY_OTHERS);
  const record = await recordOf(jobStore, old);
  if (!isBulkKind(old.kind)) {
    throw new RefusedCommandError(`A job of the kind ${old.kind} is run as a whole. Replay it without --failed-items.`);
  }
  if (record.state !== 'finished') throw new RefusedCommandError('This job is running again. Wait for its end.');
  const failed = new Set((await failedItemsOf(jobStore, old, record)).map(({ index }) => index));
  const unfinished = record.total - record.done;
  if (failed.size === 0) {
    const undone = `${unfinished} of ${record.total} were not done`;
    throw new RefusedCommandError(`No item of this job failed; ${undone}. Replay it without --failed-items.`);
  }
  const identity = idOfFailedItems(old);
  if (identity === undefined)
    throw new RefusedCommandError('The id of this job is too long to make another one of it.');
  if (await jobStore.read(identity)) throw replayedAlready(identity);
  const body: unknown = JSON.parse(openPayload(keyRing, old, old.payload));
  if (!Array.isArray(body)) throw new RefusedCommandError('The payload of this job holds no list of items.');
  const items: readonly unknown[] = body.filter((_, index) => failed.has(index));
  const [fingerprint] = await fingerprintsOf(keyRing, items);
  const payload = sealPayload(keyRing, identity, JSON.stringify(items));
  const described = { ...old.described, total: items.length, fingerprint };
  return { message: { ...old, ...identity, payload, described }, unfinished };
}

function replayedAlready({ jobId }: JobIdentity): RefusedCommandError {
  return new RefusedCommandError(`The failed items were replayed already, as job ${jobId}.`);
}

/** Returns the identity of the job for the failed items of a job; undefined if there can be none. */
export function idOfFailedItems({ kind, org, jobId }: JobIdentity): JobIdentity | undefined {
  const id = `${jobId}:failed-items`;
  return isBulkKind(kind) && id.length <= MAX_ID ? { kind, org, jobId: id } : undefined;
}

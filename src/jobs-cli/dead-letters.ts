import type { JobInspection, DeadLetter, JobQueue, JobMessage, JobSubmission } from '../job-record/job-queue.js';
import type { JobIdentity, JobRecord, JobResult } from '../job-record/job-record.js';
import type { JobStore } from '../job-record/job-store.js';
import { fingerprintsOf } from '../job-record/fingerprint.js';
import type { KeyRing } from '../config/key-ring.js';
import { isBulkKind } from '../job-record/job-kinds.js';
import { openPayload, sealPayload } from '../job-record/payload-encryption.js';
import { RefusedCommandError } from '../process/read-arguments.js';

/** Stores of dead letters and their jobs. */
export interface JobPorts {
  readonly queue: JobQueue;
  readonly jobStore: JobStore;
  readonly inspection: JobInspection;
}

/**
 * Delivers a dead letter again. The job continues at its checkpoint, because a claim resumes a dead-lettered job
 * (`job-record/transitions.ts`).
 *
 * @throws {RefusedCommandError} it no longer exists
 */
export async function replay(queue: JobQueue, job: JobIdentity): Promise<void> {
  if (!(await queue.replay(job))) throw new RefusedCommandError(REPLAYED_BY_OTHERS);
}

const REPLAYED_BY_OTHERS = 'Another operator has replayed this job just now.';

/**
 * Reads the status record of a dead letter.
 *
 * @throws {RefusedCommandError} it has expired
 */
export async function recordOf(jobStore: JobStore, message: DeadLetter['message']): Promise<JobRecord> {
  const record = await jobStore.read(message);
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
  if (record?.result?.status === 200) return repliedFailures(record.result);
  const items = await jobStore.readItems(job);
  return items.flatMap(({ index, failure }) => (failure === undefined ? [] : [{ index, reason: failure }]));
}

function repliedFailures({ body, failedItems }: JobResult): readonly FailedItem[] {
  const reasons = reasonsIn(body);
  // Both lists are in the order of the items. Earlier builds did not store the places.
  const places = failedItems ?? reasons.map(({ index }) => index).filter((index) => index !== undefined);
  return places.map((index, at) => ({ index, reason: reasons[at]?.text ?? null }));
}

interface Reason {
  readonly index?: number | undefined;
  readonly text: string;
}

/** Reads the reasons of failed items from a reply (specification, "Resources and their fields"). */
function reasonsIn(body: string): readonly Reason[] {
  const reply: unknown = JSON.parse(body);
  if (typeof reply !== 'object' || reply === null) return [];
  if ('errors' in reply && Array.isArray(reply.errors)) return reply.errors.map((error) => reasonOfItem(String(error)));
  if ('errorList' in reply && Array.isArray(reply.errorList)) return reply.errorList.map(reasonOfDriver);
  return [];
}

/** Parses `[index] label: reason`, as written by bulk jobs. */
function reasonOfItem(error: string): Reason {
  const [, index, text = error] = /^\[(\d{1,10})\] (.*)$/s.exec(error) ?? [];
  return { text, index: index === undefined ? undefined : Number(index) };
}

function reasonOfDriver(error: unknown): Reason {
  const fields = new Map<string, unknown>(typeof error === 'object' && error !== null ? Object.entries(error) : []);
  const text = (name: string): string => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : '-';
  };
  return { text: `mobile ${text('mobileId')}, employee ${text('employeeCode')}: ${text('message')} (${text('code')})` };
}

/** Ports for starting a job. */
export interface ReplayPorts extends JobPorts {
  readonly submission: JobSubmission;
  readonly keyRing: KeyRing;
}

/** Job of the failed items of another one, not yet submitted. */
interface FailedItemsJob {
  readonly message: JobMessage;
  /** Number of unfinished items of the old job, which only its own replay handles. */
  readonly unfinished: number;
}

/** Maximum length of an id in a callback (openapi/gateway.yaml, JobId), in characters. */
const MAX_ID = 128;

/**
 * Makes a job of the failed items of a dead letter. Its id derives from the old one, so that a second request starts
 * nothing. Unfinished items are left out: the one under way may have been done, and a new id means a new
 * `Idempotency-Key`, under which backend-api would not recognise the repetition.
 *
 * @throws {RefusedCommandError} there is no dead letter, or it cannot be replayed in this way
 */
export async function jobOfFailedItems(
  { queue, jobStore, keyRing }: Omit<ReplayPorts, 'submission' | 'inspection'>,
  job: JobIdentity,
): Promise<FailedItemsJob> {
  const old = await queue.deadMessage(job);
  if (old === undefined) throw new RefusedCommandError(REPLAYED_BY_OTHERS);
  const record = await recordOf(jobStore, old);
  requireEnded(old, record);
  const failed = new Set((await failedItemsOf(jobStore, old, record)).map(({ index }) => index));
  if (failed.size === 0) {
    const undone = `${record.total - record.done} of ${record.total} were not done`;
    throw new RefusedCommandError(`No item of this job failed; ${undone}. Replay it without --failed-items.`);
  }
  const identity = idOfFailedItems(old);
  if (identity === undefined)
    throw new RefusedCommandError('The id of this job is too long to make another one of it.');
  if (await jobStore.read(identity))
    throw new RefusedCommandError(`The failed items were replayed already, as job ${identity.jobId}.`);

  const items = itemsOf(await openPayload(keyRing, old, old.payload)).filter((_, index) => failed.has(index));
  const [fingerprint] = await fingerprintsOf(keyRing, items);
  const { traceparent, described } = old;
  const { retentionMs, orderedBy } = described;
  const message = {
    ...identity,
    payload: await sealPayload(keyRing, identity, JSON.stringify(items)),
    ...(traceparent !== undefined && { traceparent }),
    described: { total: items.length, fingerprint, retentionMs, ...(orderedBy && { orderedBy }) },
  };
  return { message, unfinished: record.total - record.done };
}

/** Returns the identity of the job for the failed items of a job; undefined if there can be none. */
export function idOfFailedItems({ kind, org, jobId }: JobIdentity): JobIdentity | undefined {
  const id = `${jobId}:failed-items`;
  return isBulkKind(kind) && id.length <= MAX_ID ? { kind, org, jobId: id } : undefined;
}

function requireEnded({ kind }: JobMessage, { state }: JobRecord): void {
  if (!isBulkKind(kind))
    throw new RefusedCommandError(`A job of the kind ${kind} is run as a whole. Replay it without --failed-items.`);
  if (state !== 'finished') throw new RefusedCommandError('This job is running again. Wait for its end.');
}

/** Parses the items of the body of a bulk job. */
function itemsOf(payload: string): readonly unknown[] {
  const body: unknown = JSON.parse(payload);
  if (!Array.isArray(body)) throw new RefusedCommandError('The payload of this job holds no list of items.');
  return body;
}

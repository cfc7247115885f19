import type { KeyRing } from '../config/key-ring.js';
import type { JobEngine } from '../engines/job-engine.js';
import { GatewayError, ServiceUnavailableError } from '../errors.js';
import { fingerprintsOf } from '../job-record/fingerprint.js';
import { isBulkKind } from '../job-record/job-kinds.js';
import type { DeadLetter, JobMessage } from '../job-record/job-queue.js';
import type { JobIdentity, JobRecord, JobResult } from '../job-record/job-record.js';
import type { JobStore } from '../job-record/job-store.js';
import { openPayload, sealPayload } from '../job-record/payload-encryption.js';
import { StoredFields } from '../job-record/stored.js';
import { RefusedCommandError } from '../process/read-arguments.js';

/** Outcome of the replay of a dead letter, or of its dry run. */
export interface ReplayedDeadLetter {
  readonly job: JobIdentity;
  readonly outcome: 'replayed' | 'refused';
  /** Job started with the failed items, number of these items, and number of unfinished items. */
  readonly jobId?: string;
  readonly items?: number;
  readonly unfinished?: number;
  readonly reason?: string;
}

/**
 * Replays dead letters one after another; a refused one does not stop the others.
 *
 * @param onReplayed receives the outcome of each dead letter
 * @throws {ServiceUnavailableError} which ends the loop
 */
export async function replayEach(
  deadLetters: readonly DeadLetter[],
  replay: (job: JobIdentity) => Promise<ReplayedDeadLetter>,
  onReplayed: (replayed: ReplayedDeadLetter) => void,
): Promise<void> {
  for (const { message: job } of deadLetters) {
    try {
      onReplayed(await replay(job));
    } catch (error) {
      const isRefusal = error instanceof RefusedCommandError || error instanceof GatewayError;
      if (!isRefusal || error instanceof ServiceUnavailableError) throw error;
      onReplayed({ job, outcome: 'refused', reason: error.message });
    }
  }
}

/**
 * Delivers a dead letter again. The job continues at its checkpoint, because a claim resumes a dead-lettered job
 * (`job-record/transitions.ts`).
 *
 * @throws {RefusedCommandError} when the dead letter or its record does not exist any more
 */
export async function replayDeadLetter(
  { queue, jobStore }: Pick<JobEngine, 'queue' | 'jobStore'>,
  job: JobIdentity,
  dryRun: boolean,
): Promise<ReplayedDeadLetter> {
  await recordOf(jobStore, job);
  if (!dryRun && !(await queue.replay(job))) throw new RefusedCommandError(REPLAYED_BY_OTHERS);
  return { job, outcome: 'replayed' };
}

/** Starts a new job with the failed items of a dead letter. @throws errors of {@link jobOfFailedItems} */
export async function replayFailedItems(
  engine: Pick<JobEngine, 'queue' | 'jobStore' | 'submission'>,
  keyRing: KeyRing,
  job: JobIdentity,
  dryRun: boolean,
): Promise<ReplayedDeadLetter> {
  const { message, unfinished } = await jobOfFailedItems({ ...engine, keyRing }, job);
  if (!dryRun) await engine.submission.submit(message);
  return { job, outcome: 'replayed', jobId: message.jobId, items: message.described.total, unfinished };
}

const REPLAYED_BY_OTHERS = 'Another operator has replayed this job just now.';

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
  if (record?.result?.status === 200) return repliedFailures(record.result);
  const items = await jobStore.readItems(job);
  return items.flatMap(({ index, failure }) => (failure === undefined ? [] : [{ index, reason: failure }]));
}

/** Reads the reasons in a reply (specification, "Resources and their fields"), which are in the order of the items. */
function repliedFailures({ body, failedItems = [] }: JobResult): readonly FailedItem[] {
  const reply = new StoredFields('reply of a job', JSON.parse(body));
  const listOf = (name: string): readonly unknown[] => {
    const list = reply.value(name);
    return Array.isArray(list) ? list : [];
  };
  // A bulk job writes `[index] label: reason`.
  const ofItems = listOf('errors').map((error) => String(error).replace(/^\[\d{1,10}\] /, ''));
  const reasons = [...ofItems, ...listOf('errorList').map(reasonOfDriver)];
  return failedItems.map((index, at) => ({ index, reason: reasons[at] ?? null }));
}

function reasonOfDriver(error: unknown): string {
  const fields = new StoredFields('error of a driver', error);
  const [mobile, employee, message, code] = ['mobileId', 'employeeCode', 'message', 'code'].map(
    (name) => fields.optionalText(name) ?? '-',
  );
  return `mobile ${mobile}, employee ${employee}: ${message} (${code})`;
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
 * @throws {RefusedCommandError} when there is no dead letter, or it cannot be replayed in this way
 */
export async function jobOfFailedItems(
  { queue, jobStore, keyRing }: Pick<JobEngine, 'queue' | 'jobStore'> & { readonly keyRing: KeyRing },
  job: JobIdentity,
): Promise<FailedItemsJob> {
  const old = await queue.deadMessage(job);
  if (old === undefined) throw new RefusedCommandError(REPLAYED_BY_OTHERS);
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
  if (identity === undefined) {
    throw new RefusedCommandError('The id of this job is too long to make another one of it.');
  }
  if (await jobStore.read(identity)) {
    throw new RefusedCommandError(`The failed items were replayed already, as job ${identity.jobId}.`);
  }
  const body: unknown = JSON.parse(await openPayload(keyRing, old, old.payload));
  if (!Array.isArray(body)) throw new RefusedCommandError('The payload of this job holds no list of items.');
  const items: readonly unknown[] = body.filter((_, index) => failed.has(index));
  const [fingerprint] = await fingerprintsOf(keyRing, items);
  const payload = await sealPayload(keyRing, identity, JSON.stringify(items));
  const described = { ...old.described, total: items.length, fingerprint };
  return { message: { ...old, ...identity, payload, described }, unfinished };
}

/** Returns the identity of the job for the failed items of a job; undefined if there can be none. */
export function idOfFailedItems({ kind, org, jobId }: JobIdentity): JobIdentity | undefined {
  const id = `${jobId}:failed-items`;
  return isBulkKind(kind) && id.length <= MAX_ID ? { kind, org, jobId: id } : undefined;
}

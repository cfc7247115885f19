import { fingerprintsOf } from '../job-record/fingerprint.js';
import type { KeyRing } from '../config/key-ring.js';
import { isBulkKind } from '../job-record/job-kinds.js';
import type { JobMessage, JobSubmission } from '../job-record/job-queue.js';
import { openPayload, sealPayload } from '../job-record/payload-encryption.js';
import type { JobIdentity, JobRecord } from '../job-record/job-record.js';
import { recordOf, replayedByOthers, type JobPorts } from './dead-letters.js';
import { itemFailuresOf } from './item-failures.js';
import { RefusedCommandError } from '../process/usage-error.js';

/** Ports for starting a job. */
export interface ReplayPorts extends JobPorts {
  readonly submission: JobSubmission;
  readonly keyRing: KeyRing;
}

/** Job of the failed items of another one, not yet submitted. */
export interface FailedItemsJob {
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
  if (old === undefined) throw replayedByOthers();
  const record = await recordOf(jobStore, old);
  requireEnded(old, record);
  const failed = new Set((await itemFailuresOf(jobStore, old, record)).map(({ index }) => index));
  if (failed.size === 0) throw nothingFailed(record);
  const identity = idOfFailedItems(old);
  if (identity === undefined) throw refused('The id of this job is too long to make another one of it.');
  if (await jobStore.read(identity)) throw refused(`The failed items were replayed already, as job ${identity.jobId}.`);

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
    throw refused(`A job of the kind ${kind} is run as a whole. Replay it without --failed-items.`);
  if (state !== 'finished') throw refused('This job is running again. Wait for its end.');
}

/** Parses the items of the body of a bulk job. */
function itemsOf(payload: string): readonly unknown[] {
  const body: unknown = JSON.parse(payload);
  if (!Array.isArray(body)) throw refused('The payload of this job holds no list of items.');
  return body;
}

function nothingFailed({ done, total }: JobRecord): RefusedCommandError {
  const undone = `${total - done} of ${total} were not done`;
  return refused(`No item of this job failed; ${undone}. Replay it without --failed-items.`);
}

function refused(why: string): RefusedCommandError {
  return new RefusedCommandError(why);
}

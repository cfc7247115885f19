import { endedBy, isRefusal, meaningOf } from '../../clients/call-error.js';
import type { ItemError, JobFailure } from '../../../generated/graphql.js';
import {
  allFailed,
  placeIn,
  summary,
  type BulkCheckpoint,
  type BulkOutcome,
  type BulkRow,
} from '../record/job-ends.js';
import { errorPlace, failuresOfItems } from '../record/job-failures.js';
import type { ItemOutcome, JobResult } from '../record/job-record.js';
import { yieldToEventLoop } from '../../base/waits.js';
import { textOf } from '../../base/error-table.js';
import { ItemFailure } from '../../base/errors.js';
import { MAX_REASON, reasonInDoubt, reasonOf, shownFailure } from './item-error.js';
import { JobCancelledError, JobStoppedError, observedItem, type JobExecution } from '../job.js';

export interface ItemPlace {
  readonly index: number;
  /** True if the item may have been done, by an attempt that died or by an unanswered call. */
  readonly inDoubt: boolean;
  /** True if that call belongs to this attempt. */
  readonly repeated: boolean;
}

export interface Bulk<Item> extends Pick<BulkRow, 'repeatable'> {
  readonly items: readonly Item[];
  /** Returns the name of an item in an error, such as its login id. It is never a password. */
  label(item: Item): string;
  /** Secret that must not appear in an error, whatever a backend answers; absent if the item has none. */
  secret?(item: Item): string | undefined;
  /** Processes one item. @returns the id of the created object, if any */
  apply(item: Item, place: ItemPlace): Promise<number | undefined>;
}

/** Number of characters searched beyond the maximum length of a reason, so that a password at its end is found too. */
const MAX_QUOTED = 8 * 1024;

/**
 * Processes the items strictly one after another; a failed one does not stop the rest. The checkpoint of an item is
 * written before the next item begins or, if items are repeatable, before the one after that. After a cancellation only
 * those items are still done that a dead attempt may have begun: their outcome would be unknown otherwise.
 *
 * @throws {JobStoppedError} when asked to stop, between two items
 * @throws {CallError} `key refused`, which is not the failure of an item
 * @throws {LeaseLostError} when another process has taken the job over
 */
export async function runBulk<Item>(bulk: Bulk<Item>, execution: JobExecution): Promise<BulkOutcome> {
  const outcomes = [...execution.items];
  const { first, inDoubtBefore } = placeIn(execution.checkpoint, execution.attempt, bulk.repeatable);
  const checkpoints = checkpointsOf(execution, bulk.repeatable);
  try {
    for (const [index, item] of bulk.items.entries()) {
      if (index < first) continue;
      execution.signal.throwIfAborted();
      const inDoubt = index < inDoubtBefore;
      if (execution.cancelled.aborted && !inDoubt) {
        // These items need no checkpoint: the next owner also finds the job cancelled.
        outcomes.push(...allFailed(index, bulk.items.length, 'NotBegun'));
        await checkpoints.written();
        break;
      }
      const stopBefore = async (): Promise<void> => {
        await checkpoints.note({ next: index, stoppedIn: execution.attempt });
        await checkpoints.written();
      };
      if (execution.stopping.aborted) {
        await (inDoubt ? checkpoints.written() : stopBefore());
        throw new JobStoppedError('The job was stopped.');
      }
      const process = (): Promise<ItemOutcome> => processItem(bulk, item, { index, inDoubt, stopBefore }, execution);
      const outcome = await observedItem(execution, index, process, ({ failure }) => failure !== undefined);
      // A successful update has no outcome to store.
      const noted = outcome.createdId === undefined && outcome.failure === undefined ? [] : [outcome];
      outcomes.push(...noted);
      const isLast = index === bulk.items.length - 1;
      await checkpoints.note({ next: index + 1 }, noted, isLast);
      // The end of the job is written after the last one, on the same connection, and waits for both.
      if (!bulk.repeatable && !isLast) await checkpoints.written();
    }
  } catch (error) {
    // No write may follow the release of the job.
    await checkpoints.written().catch(() => undefined);
    throw error;
  }
  return summary(
    outcomes,
    bulk.items.map((item) => bulk.label(item)),
  );
}

/** Creates the writer of a job's checkpoints, which are written one after another. */
function checkpointsOf(execution: JobExecution, repeatable: boolean) {
  let last: Promise<void> = Promise.resolve();
  async function save(checkpoint: BulkCheckpoint, items: readonly ItemOutcome[], isLast: boolean): Promise<void> {
    // The call for the next item goes out first, and the checkpoint is written while that call waits. An idle
    // connection is used one turn of the event loop after it was requested.
    if (repeatable && !isLast) await yieldToEventLoop();
    const text = JSON.stringify(checkpoint);
    // An orderly stop must be durable.
    const mayBeLost = repeatable && checkpoint.stoppedIn === undefined;
    await execution.saveProgress({ done: checkpoint.next, checkpoint: text, items, repeatable: mayBeLost });
  }
  return {
    /** Starts to write a checkpoint once the one before is written. @throws the error of the one before */
    async note(checkpoint: BulkCheckpoint, items: readonly ItemOutcome[] = [], isLast = false): Promise<void> {
      await last;
      last = save(checkpoint, items, isLast);
      // The next call reports the error; until then the rejection must not count as unhandled.
      last.catch(() => undefined);
    },
    /** Resolves when the last one is written. @throws its error */
    written: () => last,
  };
}

async function processItem<Item>(
  bulk: Bulk<Item>,
  item: Item,
  { index, inDoubt, stopBefore }: Pick<ItemPlace, 'index' | 'inDoubt'> & { readonly stopBefore: () => Promise<void> },
  { deadline, signal, patience }: JobExecution,
): Promise<ItemOutcome> {
  let mayBeDone = inDoubt;
  if (deadline.aborted) return failed(index, new ItemFailure(inDoubt ? 'CutOff' : 'OutOfTime'));
  try {
    const createdId = await patience.run((repeated) => {
      mayBeDone ||= repeated;
      return bulk.apply(item, { index, inDoubt: mayBeDone, repeated });
    });
    return { index, ...(createdId !== undefined && { createdId }) };
  } catch (error) {
    // A call that was cut off proves nothing: its item stays unfinished and in doubt.
    signal.throwIfAborted();
    if (error instanceof JobStoppedError) throw error;
    if (endedBy(error, 'key refused')) {
      if (!mayBeDone) await stopBefore();
      throw error;
    }
    if (error instanceof JobCancelledError) return failed(index, new ItemFailure(inDoubt ? 'NotKnown' : 'NotBegun'));
    if (endedBy(error, 'cut off')) return failed(index, new ItemFailure('CutOff'));
    const { isInDoubt, isTransient } = meaningOf(error);
    return isInDoubt || (mayBeDone && isTransient)
      ? failed(index, new ItemFailure('NotConfirmed'))
      : failed(index, error, bulk.secret?.(item));
  }
}

/** Returns the outcome of a failed item, in the words of the backend unless they repeat the password. */
function failed(index: number, error: unknown, secret?: string): ItemOutcome {
  const answer = isRefusal(error) ? error.details.answer.slice(0, MAX_REASON + MAX_QUOTED) : '';
  const { message, ...failure } = shownFailure(repeats(answer, secret) ? withoutQuote(error) : error);
  return { index, failure: message, ...failure };
}

function withoutQuote(error: unknown): ItemFailure {
  if (!endedBy(error, 'refused in doubt')) return new ItemFailure('PasswordRefused');
  return new ItemFailure(reasonInDoubt(error), { backendText: textOf('PasswordRefused') });
}

/** Returns true if a text contains a secret as it is, in JSON or in a URL. */
function repeats(text: string, secret = ''): boolean {
  if (secret === '') return false;
  const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())];
  return forms.some((form) => text.includes(form));
}

/**
 * Returns the failures of a bulk job in the words of its reply, one by one, and as the fields that only bulk jobs have,
 * which are null if nothing failed.
 */
export function failuresOf(errors: readonly string[] | undefined, { failures: noted }: Partial<JobResult> = {}) {
  if (errors === undefined) return { errors, failures: [], own: { itemErrors: null } };
  const failures = failuresOfItems(noted).map((failure, at): ItemError & JobFailure => {
    const { index, label = null, code } = failure;
    const message = (errors[at] ?? '').slice(errorPlace(failure).length);
    return { index, item: label, subject: label, code, message, ...reasonOf(failure) };
  });
  return { errors, failures, own: { itemErrors: failures } };
}

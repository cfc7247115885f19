import type { ItemOutcome } from '../job-record/item-outcome.js';
import { describeForCaller } from './item-error.js';
import { JobStoppedError, type JobExecution } from './job.js';

/** A bulk job: what to do with each item. */
export interface Bulk<Item> {
  readonly items: readonly Item[];
  /** Names the item in an error, e.g. its login id. Never a password. */
  label(item: Item): string;
  /** What must not stand in an error, whatever a backend answers; nothing when absent. */
  secret?(item: Item): string | undefined;
  /**
   * Does one item.
   *
   * @param inDoubt the item may have been done, by an attempt that died or by a call that was not answered
   * @returns the id of what was created, when something was
   */
  apply(item: Item, context: { readonly index: number; readonly inDoubt: boolean }): Promise<number | undefined>;
}

/** What became of the items, in their order. */
export interface BulkOutcome {
  readonly createdIds: readonly number[];
  /** Indexes, from 0, of the items that failed. */
  readonly failedItems: readonly number[];
  /** `[index] label: reason`, index from 0. */
  readonly errors: readonly string[];
}

interface Checkpoint {
  /** Index of the first unfinished item. */
  readonly next: number;
  /** The attempt that stopped here in good order: the first unfinished item was not begun. */
  readonly stoppedIn?: number;
}

/** Longest reason that is kept of a failed item, in characters. */
const MAX_REASON = 500;

/**
 * Does the items strictly one after another. An item's failure does not stop the rest. After each item the
 * progress is noted, so that a later attempt goes on behind the last finished one.
 *
 * @throws {JobStoppedError} when asked to stop, at an item boundary
 * @throws {LeaseLostError} when somebody else has taken the job over
 */
export async function runBulk<Item>(bulk: Bulk<Item>, execution: JobExecution): Promise<BulkOutcome> {
  const resumed = parseCheckpoint(execution.checkpoint);
  const outcomes = [...execution.items];
  const first = resumed?.next ?? 0;
  const firstInDoubt = execution.attempt > 1 && resumed?.stoppedIn !== execution.attempt - 1;
  const save = (checkpoint: Checkpoint, items: readonly ItemOutcome[]): Promise<void> =>
    execution.saveProgress({ done: checkpoint.next, checkpoint: JSON.stringify(checkpoint), items });

  for (const [index, item] of bulk.items.entries()) {
    if (index < first) continue;
    execution.signal.throwIfAborted();
    if (execution.stopping.aborted) {
      await save({ next: index, stoppedIn: execution.attempt }, []);
      throw new JobStoppedError('The job was stopped.');
    }
    const outcome = await outcomeOf(bulk, item, { index, inDoubt: firstInDoubt && index === first }, execution);
    // Of an update that was made there is nothing to tell.
    const noted = outcome.createdId === undefined && outcome.failure === undefined ? [] : [outcome];
    outcomes.push(...noted);
    await save({ next: index + 1 }, noted);
  }
  return summary(bulk, outcomes);
}

async function outcomeOf<Item>(
  bulk: Bulk<Item>,
  item: Item,
  context: { readonly index: number; readonly inDoubt: boolean },
  { deadline, signal, patience }: JobExecution,
): Promise<ItemOutcome> {
  const { index, inDoubt } = context;
  if (deadline.aborted) return { index, failure: 'not done, the time allowed for the job was over' };
  try {
    const createdId = await patience.run((repeated) => bulk.apply(item, { index, inDoubt: inDoubt || repeated }));
    return { index, ...(createdId !== undefined && { createdId }) };
  } catch (error) {
    // A call that was cut off says nothing about the item, which stays unfinished and in doubt.
    signal.throwIfAborted();
    if (error instanceof JobStoppedError) throw error;
    return { index, failure: reasonOf(error, bulk.secret?.(item)) };
  }
}

/** Backends word their refusals themselves, and replies and records never hold a password. */
function reasonOf(error: unknown, secret: string | undefined): string {
  const reason = describeForCaller(error);
  if (secret === undefined || secret === '' || !reason.includes(secret)) return reason.slice(0, MAX_REASON);
  return 'backend-api refused it; the reason is not shown because it repeats the password';
}

function summary<Item>(bulk: Bulk<Item>, outcomes: readonly ItemOutcome[]): BulkOutcome {
  const failed = outcomes.filter(({ failure }) => failure !== undefined);
  return {
    createdIds: outcomes.flatMap(({ createdId }) => createdId ?? []),
    failedItems: failed.map(({ index }) => index),
    errors: failed.flatMap(({ index, failure }) => {
      const item = bulk.items[index];
      return item === undefined ? [] : [`[${index}] ${bulk.label(item)}: ${failure ?? ''}`];
    }),
  };
}

function parseCheckpoint(text: string | undefined): Checkpoint | undefined {
  // Written by this file only, and never by a caller.
  return text === undefined ? undefined : (JSON.parse(text) as Checkpoint);
}

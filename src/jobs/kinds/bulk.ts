import { setImmediate as nextTurn } from 'node:timers/promises';
import { CallCutOffError, KeyRefusedError } from '../../clients/call-errors.js';
import type { ItemOutcome } from '../../job-record/item-outcome.js';
import { describeForCaller, MAX_REASON } from './item-error.js';
import { JobCancelledError, JobStoppedError, NOT_DONE, type JobExecution, type NotedJob } from '../job.js';
import { observedItem } from '../item-observer.js';

/** A bulk job: what to do with each item. */
export interface Bulk<Item> {
  readonly items: readonly Item[];
  /**
   * Whether an item may be done again at any time, because that changes nothing. Then the checkpoint of an item is
   * written while the next one is under way, and a crash leaves two items in doubt instead of one.
   */
  readonly repeatable: boolean;
  /** Names the item in an error, e.g. its login id. Never a password. */
  label(item: Item): string;
  /** What must not stand in an error, whatever a backend answers; nothing when absent. */
  secret?(item: Item): string | undefined;
  /**
   * Does one item.
   *
   * @param context.inDoubt the item may have been done, by an attempt that died or by a call that was not answered
   * @param context.repeated it was such a call of this attempt
   * @returns the id of what was created, when something was
   */
  apply(
    item: Item,
    context: { readonly index: number; readonly inDoubt: boolean; readonly repeated: boolean },
  ): Promise<number | undefined>;
}

/** What became of the items, in their order. */
export interface BulkOutcome {
  readonly createdIds: readonly number[];
  /** Indexes, from 0, of the items that failed. */
  readonly failedItems: readonly number[];
  /** How many of them were not begun because the job was cancelled. */
  readonly cancelledItems: number;
  /** `[index] label: reason`, index from 0. */
  readonly errors: readonly string[];
}

interface Checkpoint {
  /** Index of the first unfinished item. */
  readonly next: number;
  /** The attempt that stopped here in good order: the first unfinished item was not begun. */
  readonly stoppedIn?: number;
}

/** Characters beyond the longest reason that are searched as well: a password must not be cut in the middle. */
const MAX_QUOTED = 8 * 1024;

/**
 * Does the items strictly one after another. An item's failure does not stop the rest. After each item the
 * progress is noted, so that a later attempt goes on behind the last finished one: before the next item begins, or,
 * where items are repeatable, before the one after that. Of a job that was cancelled only those items are still done
 * that an attempt which died may have begun: it is not known otherwise what became of them.
 *
 * @throws {JobStoppedError} when asked to stop, at an item boundary
 * @throws {KeyRefusedError} when our own key is refused, which is no item's failure
 * @throws {LeaseLostError} when somebody else has taken the job over
 */
export async function runBulk<Item>(bulk: Bulk<Item>, execution: JobExecution): Promise<BulkOutcome> {
  const outcomes = [...execution.items];
  const { first, inDoubtBefore } = placeIn(execution.checkpoint, execution.attempt, bulk.repeatable);
  const notes = new Notes(execution, bulk.repeatable);

  try {
    for (const [index, item] of bulk.items.entries()) {
      if (index < first) continue;
      execution.signal.throwIfAborted();
      const inDoubt = index < inDoubtBefore;
      if (execution.cancelled.aborted && !inDoubt) {
        // Not noted one by one: whoever takes over finds that it was cancelled, too.
        outcomes.push(...notBegun(index, bulk.items.length));
        break;
      }
      const stopBefore = async (): Promise<void> => {
        await notes.write({ next: index, stoppedIn: execution.attempt }, []);
        await notes.written();
      };
      if (execution.stopping.aborted) {
        await stopBefore();
        throw new JobStoppedError('The job was stopped.');
      }
      const outcome = await observedItem(
        execution.itemObserver,
        index,
        () => outcomeOf(bulk, item, { index, inDoubt, stopBefore }, execution),
        ({ failure }) => failure !== undefined,
      );
      // Of an update that was made there is nothing to tell.
      const noted = outcome.createdId === undefined && outcome.failure === undefined ? [] : [outcome];
      outcomes.push(...noted);
      await notes.write({ next: index + 1 }, noted);
      if (!bulk.repeatable) await notes.written();
    }
    await notes.written();
  } finally {
    await notes.settled();
  }
  return summary(outcomes, (index) => bulk.items.slice(index, index + 1).map((item) => bulk.label(item)));
}

/**
 * What became of the items of a job that ends while nobody runs it, as far as it was noted. Of the item that an attempt
 * which died may have begun nobody knows; the labels of all of them are in the body alone.
 */
export function cancelledOutcome({ total, attempt, checkpoint, items }: NotedJob, repeatable: boolean): BulkOutcome {
  const { first, inDoubtBefore } = placeIn(checkpoint, attempt + 1, repeatable);
  const begunBefore = Math.min(inDoubtBefore, total);
  const inDoubt = Array.from({ length: begunBefore - first }, (_, offset) => ({
    index: first + offset,
    failure: NOT_KNOWN,
  }));
  return summary([...items, ...inDoubt, ...notBegun(begunBefore, total)], () => []);
}

const NOT_KNOWN = 'not known to be done, the job was cancelled';

function notBegun(from: number, total: number): readonly ItemOutcome[] {
  return Array.from({ length: total - from }, (_, offset) => ({ index: from + offset, failure: NOT_DONE }));
}

/** Where an attempt goes on, and before which item those are in doubt that an earlier attempt may have done. */
function placeIn(
  checkpoint: string | undefined,
  attempt: number,
  repeatable: boolean,
): { readonly first: number; readonly inDoubtBefore: number } {
  const resumed = parseCheckpoint(checkpoint);
  const first = resumed?.next ?? 0;
  const stoppedInOrder = attempt === 1 || resumed?.stoppedIn === attempt - 1;
  return { first, inDoubtBefore: stoppedInOrder ? first : first + (repeatable ? 2 : 1) };
}

/** Writes checkpoints one after another, so that they arrive in order, and never has more than one under way. */
class Notes {
  readonly #execution: JobExecution;
  readonly #repeatable: boolean;
  #underWay: Promise<void> = Promise.resolve();

  constructor(execution: JobExecution, repeatable: boolean) {
    this.#execution = execution;
    this.#repeatable = repeatable;
  }

  /** Resolves when the checkpoint before is written, and this one is under way. @throws what the one before threw */
  async write(checkpoint: Checkpoint, items: readonly ItemOutcome[]): Promise<void> {
    await this.#underWay;
    this.#underWay = this.#save(checkpoint, items);
    // Whoever writes next is told; until then it is no rejection that nobody handles.
    this.#underWay.catch(() => undefined);
  }

  /** @throws what the last one threw */
  written(): Promise<void> {
    return this.#underWay;
  }

  /** Nothing of a job that has ended, however it did, is written afterwards. */
  async settled(): Promise<void> {
    await this.#underWay.catch(() => undefined);
  }

  async #save(checkpoint: Checkpoint, items: readonly ItemOutcome[]): Promise<void> {
    // The next item's call goes out first, and this is done while it is waited for. A connection that was idle is used
    // in the turn after the one that asks for it.
    if (this.#repeatable) {
      await nextTurn();
      await nextTurn();
    }
    await this.#execution.saveProgress({
      done: checkpoint.next,
      checkpoint: JSON.stringify(checkpoint),
      items,
      // That it stopped in good order must not be forgotten.
      repeatable: this.#repeatable && checkpoint.stoppedIn === undefined,
    });
  }
}

async function outcomeOf<Item>(
  bulk: Bulk<Item>,
  item: Item,
  context: { readonly index: number; readonly inDoubt: boolean; readonly stopBefore: () => Promise<void> },
  { deadline, signal, patience }: JobExecution,
): Promise<ItemOutcome> {
  const { index, inDoubt, stopBefore } = context;
  let mayBeDone = inDoubt;
  if (deadline.aborted) return { index, failure: 'not done, the time allowed for the job was over' };
  try {
    const createdId = await patience.run((repeated) => {
      mayBeDone ||= repeated;
      return bulk.apply(item, { index, inDoubt: mayBeDone, repeated });
    });
    return { index, ...(createdId !== undefined && { createdId }) };
  } catch (error) {
    // A call that was cut off says nothing about the item, which stays unfinished and in doubt.
    signal.throwIfAborted();
    if (error instanceof JobStoppedError) throw error;
    if (error instanceof KeyRefusedError) {
      if (!mayBeDone) await stopBefore();
      throw error;
    }
    if (error instanceof JobCancelledError) {
      return { index, failure: inDoubt ? NOT_KNOWN : NOT_DONE };
    }
    if (error instanceof CallCutOffError)
      return { index, failure: 'not known to be done, the time allowed for the job was over' };
    return { index, failure: reasonOf(error, bulk.secret?.(item)) };
  }
}

/** Returns a backend's own words, which replies and records keep, but for a text that repeats the password. */
function reasonOf(error: unknown, secret: string | undefined): string {
  const reason = describeForCaller(error).slice(0, MAX_REASON + MAX_QUOTED);
  if (secret === undefined || !repeats(reason, secret)) return reason.slice(0, MAX_REASON);
  return 'the password was refused';
}

/** Returns whether a text holds a secret as it is, in JSON or in a URL. */
function repeats(text: string, secret: string): boolean {
  if (secret === '') return false;
  const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())];
  return forms.some((form) => text.includes(form));
}

/** @param labelsOf the label of the item at a place, or nothing where it is not known */
function summary(outcomes: readonly ItemOutcome[], labelsOf: (index: number) => readonly string[]): BulkOutcome {
  const failed = outcomes.flatMap(({ index, failure }) => (failure === undefined ? [] : [{ index, failure }]));
  return {
    createdIds: outcomes.flatMap(({ createdId }) => createdId ?? []),
    failedItems: failed.map(({ index }) => index),
    cancelledItems: failed.filter(({ failure }) => failure === NOT_DONE).length,
    errors: failed.map(({ index, failure }) =>
      [`[${index}]`, ...labelsOf(index).map((label) => `${label}:`), failure].join(' '),
    ),
  };
}

function parseCheckpoint(text: string | undefined): Checkpoint | undefined {
  // Written by this file only, and never by a caller.
  return text === undefined ? undefined : (JSON.parse(text) as Checkpoint);
}

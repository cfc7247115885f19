import { describeForCaller } from './item-error.js';
import { JobStoppedError, type JobExecution } from './job.js';

/** A bulk job: what to do with each item. */
export interface Bulk<Item> {
  readonly items: readonly Item[];
  /** Names the item in an error, e.g. its login id. Never a password. */
  label(item: Item): string;
  /**
   * Does one item.
   *
   * @param inDoubt the item may have been done by an attempt that died before it could note so
   * @returns the id of what was created, when something was
   */
  apply(item: Item, context: { readonly index: number; readonly inDoubt: boolean }): Promise<number | undefined>;
}

/** What became of the items, in their order. */
export interface BulkOutcome {
  readonly createdIds: readonly number[];
  /** `[index] label: reason`, index from 0. */
  readonly errors: readonly string[];
}

interface Checkpoint extends BulkOutcome {
  /** Index of the first unfinished item. */
  readonly next: number;
  /** The attempt that stopped here in good order: the first unfinished item was not begun. */
  readonly stoppedIn?: number;
}

/**
 * Does the items strictly one after another. An item's failure does not stop the rest. After each item the
 * progress is noted, so that a later attempt goes on behind the last finished one.
 *
 * @throws {JobStoppedError} when asked to stop, at an item boundary
 * @throws {LeaseLostError} when somebody else has taken the job over
 */
export async function runBulk<Item>(bulk: Bulk<Item>, execution: JobExecution): Promise<BulkOutcome> {
  const resumed = parseCheckpoint(execution.checkpoint);
  const createdIds = [...(resumed?.createdIds ?? [])];
  const errors = [...(resumed?.errors ?? [])];
  const first = resumed?.next ?? 0;
  const firstInDoubt = execution.attempt > 1 && resumed?.stoppedIn !== execution.attempt - 1;
  const save = (next: number, stopped?: Pick<Checkpoint, 'stoppedIn'>): Promise<void> => {
    const checkpoint: Checkpoint = { next, createdIds, errors, ...stopped };
    return execution.saveProgress({ done: next, checkpoint: JSON.stringify(checkpoint) });
  };

  for (const [index, item] of bulk.items.entries()) {
    if (index < first) continue;
    execution.signal.throwIfAborted();
    if (execution.stopping.aborted) {
      await save(index, { stoppedIn: execution.attempt });
      throw new JobStoppedError('The job was stopped.');
    }
    if (execution.deadline.aborted) {
      errors.push(`[${index}] ${bulk.label(item)}: not done, the time allowed for the job was over`);
    } else {
      try {
        const created = await bulk.apply(item, { index, inDoubt: firstInDoubt && index === first });
        if (created !== undefined) createdIds.push(created);
      } catch (error) {
        // A call that was cut off says nothing about the item, which stays unfinished.
        execution.signal.throwIfAborted();
        errors.push(`[${index}] ${bulk.label(item)}: ${describeForCaller(error)}`);
      }
    }
    await save(index + 1);
  }
  return { createdIds, errors };
}

/** Indexes of the items that an attempt which did not end noted as failed, from its checkpoint. */
export function failedItemsOf(checkpoint: string | undefined): readonly number[] {
  const errors = parseCheckpoint(checkpoint)?.errors ?? [];
  return errors.map((error) => Number(/^\[(\d+)\]/.exec(error)?.[1]));
}

function parseCheckpoint(text: string | undefined): Checkpoint | undefined {
  // Written by this file only, and never by a caller.
  return text === undefined ? undefined : (JSON.parse(text) as Checkpoint);
}

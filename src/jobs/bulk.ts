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

  for (const [index, item] of bulk.items.entries()) {
    if (index < first) continue;
    execution.signal.throwIfAborted();
    if (execution.stopping.aborted) throw new JobStoppedError('The job was stopped.');
    if (execution.deadline.aborted) {
      errors.push(`[${index}] ${bulk.label(item)}: not done, the time allowed for the job was over`);
    } else {
      try {
        const inDoubt = execution.checkpoint !== undefined && index === first;
        const created = await bulk.apply(item, { index, inDoubt });
        if (created !== undefined) createdIds.push(created);
      } catch (error) {
        // A call that was cut off says nothing about the item, which stays unfinished.
        execution.signal.throwIfAborted();
        errors.push(`[${index}] ${bulk.label(item)}: ${describeForCaller(error)}`);
      }
    }
    const checkpoint: Checkpoint = { next: index + 1, createdIds, errors };
    await execution.saveProgress({ done: index + 1, checkpoint: JSON.stringify(checkpoint) });
  }
  return { createdIds, errors };
}

function parseCheckpoint(text: string | undefined): Checkpoint | undefined {
  // Written by this file only, and never by a caller.
  return text === undefined ? undefined : (JSON.parse(text) as Checkpoint);
}

import { DamagedRecordError } from './fields.js';

/** What became of one item. Kept beside the record until the job is handled, and never with input data. */
export interface ItemOutcome {
  /** Place of the item in the body, from 0. */
  readonly index: number;
  /** Id of what was created. */
  readonly createdId?: number;
  /** Why it failed, as the caller may see it. */
  readonly failure?: string;
}

/**
 * Reads a stored outcome back.
 *
 * @throws {DamagedRecordError} when it is none
 */
export function parseItemOutcome(stored: unknown): ItemOutcome {
  if (typeof stored === 'object' && stored !== null && 'index' in stored && isWhole(stored.index)) {
    const { index } = stored;
    if ('createdId' in stored && isWhole(stored.createdId)) return { index, createdId: stored.createdId };
    if ('failure' in stored && typeof stored.failure === 'string') return { index, failure: stored.failure };
  }
  throw new DamagedRecordError('A stored outcome of an item is damaged.');
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

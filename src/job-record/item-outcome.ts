import { isItemErrorCode, type ItemErrorCode } from '../error-table.js';
import { DamagedRecordError, isWhole } from './fields.js';

/** Outcome of one item. Kept beside the record until the job is handled, and never with input data. */
export interface ItemOutcome {
  /** Place of the item in the body, from 0. */
  readonly index: number;
  readonly createdId?: number;
  /** Reason of its failure, as the caller may see it. */
  readonly failure?: string;
  /** Code of its failure; absent in outcomes of earlier versions. */
  readonly code?: ItemErrorCode;
}

/**
 * Parses a stored outcome.
 *
 * @throws {DamagedRecordError} when it is invalid
 */
export function parseItemOutcome(stored: unknown): ItemOutcome {
  if (typeof stored === 'object' && stored !== null && 'index' in stored && isWhole(stored.index)) {
    const { index } = stored;
    if ('createdId' in stored && isWhole(stored.createdId)) return { index, createdId: stored.createdId };
    if ('failure' in stored && typeof stored.failure === 'string') {
      const known = 'code' in stored && isItemErrorCode(stored.code) && { code: stored.code };
      return { index, failure: stored.failure, ...known };
    }
  }
  throw new DamagedRecordError('A stored outcome of an item is damaged.');
}

import { isItemErrorCode, type ItemErrorCode } from '../error-table.js';
import { StoredFields } from './stored.js';

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

/** Parses a stored outcome. @throws {DamagedError} when it is invalid */
export function parseItemOutcome(stored: unknown): ItemOutcome {
  const fields = new StoredFields<keyof ItemOutcome>('outcome of an item', stored);
  const index = fields.whole('index');
  if (fields.has('createdId')) return { index, createdId: fields.whole('createdId') };
  const code = fields.value('code');
  return { index, failure: fields.text('failure'), ...(isItemErrorCode(code) && { code }) };
}

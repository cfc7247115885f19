import { BackendFailure } from '../operation-types.js';

const DEFAULT_LIMIT = 50;
const CURSOR = /^after:(\d+)$/;

export interface ListPage<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
  readonly total: number;
}

/**
 * Returns the page of a list after a cursor, in the order of the ids, so that entries added or removed meanwhile do not
 * shift it. Throws a 400 failure for an invalid cursor.
 */
export function pageOf<T extends { readonly id: number }>(
  list: Iterable<T>,
  { limit = DEFAULT_LIMIT, cursor }: { readonly limit?: number; readonly cursor?: string },
): ListPage<T> {
  const after = cursor === undefined ? -1 : lastIdBefore(cursor);
  const all = [...list];
  const rest = all.filter(({ id }) => id > after).sort((one, other) => one.id - other.id);
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  if (last === undefined || rest.length <= limit) return { items, total: all.length };
  return { items, total: all.length, nextCursor: Buffer.from(`after:${last.id}`).toString('base64url') };
}

function lastIdBefore(cursor: string): number {
  const id = CURSOR.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (id === undefined) throw new BackendFailure(400, 'The cursor is not valid.');
  return Number(id);
}

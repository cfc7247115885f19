import { badInput } from '../errors.js';

/** Size of a page when none is asked for, and the largest that may be asked for. */
const DEFAULT_PAGE_SIZE = 50;
const LARGEST_PAGE_SIZE = 200;

/** Number of entries to fetch. @throws {GatewayError} `BadInput` naming the limit */
export function pageSize(first: number | null | undefined): number {
  const size = first ?? DEFAULT_PAGE_SIZE;
  if (size < 1 || size > LARGEST_PAGE_SIZE) {
    throw badInput(`first must be from 1 to ${LARGEST_PAGE_SIZE}, and is ${size}.`);
  }
  return size;
}

/** A page of a backend as a connection; the backend's cursor is passed on as it is. */
export function pageOf<Node>({
  items,
  nextCursor,
}: {
  readonly items: readonly Node[];
  readonly nextCursor?: string;
}): { edges: { node: Node }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } } {
  return {
    edges: items.map((node) => ({ node })),
    pageInfo: { hasNextPage: nextCursor !== undefined, endCursor: nextCursor ?? null },
  };
}

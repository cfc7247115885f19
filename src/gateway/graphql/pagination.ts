import type { Mobile, Page, UserAccount } from '../../clients/backend-api.js';
import { CallError } from '../../clients/call-error.js';
import type { EntryOrBreach } from '../../clients/read-reply.js';
import { faultOf, GatewayError, invalidInput } from '../../base/errors.js';

/** Default size of a page, and the largest. */
const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 200;

/** Returns the number of entries to fetch. @throws {GatewayError} `BadInput` naming the limit */
export function pageSize(first: number | null | undefined): number {
  const size = first ?? DEFAULT_PAGE_SIZE;
  if (size < 1 || size > MAX_PAGE_SIZE) {
    throw invalidInput([{ path: ['first'], ...faultOf('OutOfRange', { min: 1, max: MAX_PAGE_SIZE }) }]);
  }
  return size;
}

/** Returns the end of the page before; undefined for the first page. @throws {GatewayError} `BadInput` if empty */
export function cursorOf(after: string | null | undefined): string | undefined {
  if (after === '') throw invalidInput([{ path: ['after'], ...faultOf('NotCursor') }]);
  return after ?? undefined;
}

export interface Edge<Node> {
  /** An error, or null after many of them, in place of an invalid record. */
  readonly record: EntryOrBreach<Node>;
  readonly cursor: string | null;
}

export type MobileEdge = Edge<Mobile>;
export type UserAccountEdge = Edge<UserAccount>;

export interface Connection<Entry> {
  edges: Entry[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
  totalCount: number | null;
}

/**
 * Makes a connection from a page (GraphQL Cursor Connections Specification).
 *
 * @param next cursor of the next page; null at the end
 * @param after cursor with which the page was requested
 */
export function connection<Entry extends { readonly cursor: string | null }>(
  edges: Entry[],
  { next, after, total = null }: { next: string | null; after: string | undefined; total?: number | null },
): Connection<Entry> {
  return {
    edges,
    pageInfo: {
      hasNextPage: next !== null,
      hasPreviousPage: after !== undefined,
      startCursor: edges[0]?.cursor ?? null,
      // Where entries behind the last edge were left out, the next page begins behind these.
      endCursor: next ?? edges.at(-1)?.cursor ?? null,
    },
    totalCount: total,
  };
}

/** Makes a connection from a page of a backend, whose cursor is that of the last entry, or empty at the end. */
export function connectionOf<Node>(
  { items, nextCursor = '', total }: Page<Node>,
  after: string | undefined,
): Connection<Edge<Node>> {
  const next = nextCursor === '' ? null : nextCursor;
  const edges = items.map((record, index) => ({ record, cursor: index === items.length - 1 ? next : null }));
  return connection(edges, { next, after, total: total ?? null });
}

/** Returns the node of an entry. @throws {GatewayError} the record is invalid, and has an error of its own */
export function nodeOf<Node>({ record }: Edge<Node>): Node | null {
  if (!(record instanceof CallError)) return record;
  const { cause, details } = record;
  const count = details.breach?.ofAll;
  throw count === undefined ? record : new GatewayError('OddRecords', { count }, { cause });
}

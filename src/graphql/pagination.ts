import type { Mobile, Page, UserAccount } from '../clients/backend-api.js';
import { ContractBreach } from '../clients/call-errors.js';
import { badInput } from '../errors.js';

/** Size of a page when none is asked for, and the largest that may be asked for. */
const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 200;

/** Number of entries to fetch. @throws {GatewayError} `BadInput` naming the limit */
export function pageSize(first: number | null | undefined): number {
  const size = first ?? DEFAULT_PAGE_SIZE;
  if (size < 1 || size > MAX_PAGE_SIZE) {
    throw badInput(`first must be from 1 to ${MAX_PAGE_SIZE}, and is ${size}.`);
  }
  return size;
}

/** The end of the page before; undefined for the first one. @throws {GatewayError} `BadInput` no page ends so */
export function cursorOf(after: string | null | undefined): string | undefined {
  if (after === '') throw badInput('after must be an endCursor.');
  return after ?? undefined;
}

/** An entry of a page. */
export interface Edge<Node> {
  /** What cannot be understood is an error in its place. */
  readonly record: Node | ContractBreach;
}

export type MobileEdge = Edge<Mobile>;
export type UserAccountEdge = Edge<UserAccount>;

/** A page of a backend as a connection; the backend's cursor is passed on as it is, and an empty one is the end. */
export function connectionOf<Node>({ items, nextCursor = '' }: Page<Node>): {
  edges: Edge<Node>[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
} {
  return {
    edges: items.map((record) => ({ record })),
    pageInfo: { hasNextPage: nextCursor !== '', endCursor: nextCursor === '' ? null : nextCursor },
  };
}

/** The node of an entry. @throws {ContractBreach} it cannot be understood */
export function nodeOf<Node>({ record }: Edge<Node>): Node {
  if (record instanceof ContractBreach) throw record;
  return record;
}

import type { Mobile, Page, UserAccount } from '../clients/backend-api.js';
import { ContractBreach } from '../clients/call-errors.js';
import { badInput } from '../errors.js';

/** Default size of a page, and the largest. */
const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 200;

/** Returns the number of entries to fetch. @throws {GatewayError} `BadInput` naming the limit */
export function pageSize(first: number | null | undefined): number {
  const size = first ?? DEFAULT_PAGE_SIZE;
  if (size < 1 || size > MAX_PAGE_SIZE) {
    throw badInput(`first must be from 1 to ${MAX_PAGE_SIZE}, and is ${size}.`);
  }
  return size;
}

/** Returns the end of the page before; undefined for the first page. @throws {GatewayError} `BadInput` if empty */
export function cursorOf(after: string | null | undefined): string | undefined {
  if (after === '') throw badInput('after must be an endCursor.');
  return after ?? undefined;
}

/** An entry of a page. */
export interface Edge<Node> {
  /** The entry, or an error in its place if it breaches the contract. */
  readonly record: Node | ContractBreach;
}

export type MobileEdge = Edge<Mobile>;
export type UserAccountEdge = Edge<UserAccount>;

/** Turns a backend's page into a connection. The backend's cursor passes unchanged; an empty one marks the end. */
export function connectionOf<Node>({ items, nextCursor = '' }: Page<Node>): {
  edges: Edge<Node>[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
} {
  return {
    edges: items.map((record) => ({ record })),
    pageInfo: { hasNextPage: nextCursor !== '', endCursor: nextCursor === '' ? null : nextCursor },
  };
}

/** Returns the node of an entry. @throws {ContractBreach} the entry breaches the contract */
export function nodeOf<Node>({ record }: Edge<Node>): Node {
  if (record instanceof ContractBreach) throw record;
  return record;
}

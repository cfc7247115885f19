import type { IncomingMessage } from 'node:http';
import type { GraphQLParams } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { isJsonContent } from '../../wire/json-content.js';
import type { ReplyType } from './reply.js';

/**
 * Returns true for the common form of GraphQL over HTTP: a `POST` of JSON with a known and allowed size. Does not read
 * the body.
 */
export function isPlainRequest({ method, headers }: IncomingMessage, maxBodyBytes: number): boolean {
  if (method !== 'POST' || headers['content-type'] === undefined || headers['content-length'] === undefined) {
    return false;
  }
  if (!isJsonContent(headers['content-type'], headers['content-encoding'] ?? '')) return false;
  return Number(headers['content-length']) <= maxBodyBytes;
}

/** Media types of replies; the first is the default. */
const OFFERED: ReadonlyMap<string, ReplyType> = new Map(
  (['application/json', 'application/graphql-response+json'] as const).map((type) => [`${type};charset=utf-8`, type]),
);

/**
 * Returns the reply type that an `Accept` header prefers (RFC 9110, section 12.5.1).
 *
 * @returns undefined if it accepts none
 */
export function replyTypeFor(accept = '*/*'): ReplyType | undefined {
  if (accept === '*/*' || accept === 'application/json' || accept === '') return 'application/json';
  return chosen.memo(accept).replyType;
}

/**
 * Cache of choices by header. A front end sends the same header with each request, and choosing takes a fifth of the
 * time of a small operation.
 */
const chosen = new LRUCache<string, { readonly replyType: ReplyType | undefined }>({
  max: 100,
  memoMethod: (accept) => {
    const preferred = new Negotiator({ headers: { accept } }).mediaType([...OFFERED.keys()]);
    return { replyType: OFFERED.get(preferred ?? '') };
  },
});

/** Returns true if a body holds only valid parameters; a document may be missing. */
export function areParams(body: unknown): body is GraphQLParams {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  for (const name in body) {
    const value: unknown = body[name as keyof typeof body];
    if (value != null && !hasItsType(name, value)) return false;
  }
  return true;
}

function hasItsType(name: string, value: unknown): boolean {
  if (name === 'query' || name === 'operationName' || name === 'documentId') return typeof value === 'string';
  return (name === 'variables' || name === 'extensions') && typeof value === 'object' && !Array.isArray(value);
}

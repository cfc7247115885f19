import type { IncomingMessage } from 'node:http';
import type { GraphQLParams } from 'graphql-yoga';
import type { ReplyType } from './reply.js';

/** A request that needs none of the rarer ways of GraphQL over HTTP. */
export interface PlainRequest {
  /** Size of the body. */
  readonly bytes: number;
  /** Type that the reply is to have. */
  readonly replyType: ReplyType;
}

/**
 * Whether a request is a `POST` of JSON of a known, allowed size, to be answered with JSON. Nothing of its body is
 * read.
 *
 * @returns undefined when it is anything else
 */
export function plainRequest({ method, headers }: IncomingMessage, maxBodyBytes: number): PlainRequest | undefined {
  if (method !== 'POST' || headers['content-type'] === undefined || headers['content-length'] === undefined) {
    return undefined;
  }
  if (mediaTypeOf(headers['content-type']) !== 'application/json') return undefined;
  const bytes = Number(headers['content-length']);
  const replyType = replyTypeFor(headers.accept);
  return bytes <= maxBodyBytes && replyType !== undefined ? { bytes, replyType } : undefined;
}

/** A media type without its parameters, in lower case. */
export function mediaTypeOf(contentType: string): string {
  const end = contentType.indexOf(';');
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/**
 * The first type of an `Accept` header that an ordinary reply can have, whatever its quality, as Yoga chooses it.
 *
 * @returns undefined when there is none
 */
export function replyTypeFor(accept = '*/*'): ReplyType | undefined {
  if (accept === '*/*' || accept === 'application/json' || accept === '') return 'application/json';
  for (const entry of accept.replaceAll(/\s/g, '').toLowerCase().split(',')) {
    const [type = '', ...parameters] = entry.split(';');
    const charset = parameters.find((parameter) => parameter.includes('charset='));
    if (charset !== undefined && charset !== 'charset=utf-8') continue;
    if (['*/*', 'application/*', '*/json', 'application/json'].includes(type)) return 'application/json';
    if (type === 'application/graphql-response+json' || type === '*/graphql-response+json') {
      return 'application/graphql-response+json';
    }
  }
  return undefined;
}

/** Whether a body holds what parameters are made of, and nothing else; a document may be missing. */
export function areParams(body: unknown): body is GraphQLParams {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  for (const name in body) {
    const value: unknown = body[name as keyof typeof body];
    if (value != null && !hasItsType(name, value)) return false;
  }
  return true;
}

function hasItsType(name: string, value: unknown): boolean {
  if (name === 'query' || name === 'operationName') return typeof value === 'string';
  return (name === 'variables' || name === 'extensions') && typeof value === 'object' && !Array.isArray(value);
}

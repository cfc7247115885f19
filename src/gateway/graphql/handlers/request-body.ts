import type { IncomingMessage } from 'node:http';
import type { GraphQLError } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { yieldToEventLoop } from '../../../base/waits.js';
import { decodeUtf8, percentDecoded } from '../../../base/wire/decode-utf8.js';
import { isJsonContent, jsonIn, isUnencoded } from '../../../base/wire/json-content.js';
import type { ParsedBody, RequestContext } from '../context.js';
import { asGraphQLError, requestError, toRequestError, type RequestReason } from '../error-mapping.js';
import { ERRORS } from '../../../base/error-table.js';
import { GatewayError } from '../../../base/errors.js';
import { TYPE_HEADERS, type ReplyType } from './reply.js';

/** Returns true for the common form of GraphQL over HTTP: a `POST` of JSON with a known and allowed size. */
export function isPlainRequest({ method, headers }: IncomingMessage, maxBodyBytes: number): boolean {
  const { 'content-type': type, 'content-encoding': encoding = '', 'content-length': length } = headers;
  if (method !== 'POST' || type === undefined || length === undefined) return false;
  return isJsonContent(type, encoding) && Number(length) <= maxBodyBytes;
}

/** Media types of replies; the first is the default. */
const OFFERED: ReadonlyMap<string, ReplyType> = new Map(
  (['application/json', 'application/graphql-response+json'] as const).map((type) => [`${type};charset=utf-8`, type]),
);

/** Returns the reply type that an `Accept` header prefers (RFC 9110, section 12.5.1); undefined if it accepts none. */
export function replyTypeFor(accept = '*/*'): ReplyType | undefined {
  if (accept === '*/*' || accept === 'application/json' || accept === '') return 'application/json';
  return chosen.memo(accept).replyType;
}

/** Cache by header: front ends repeat theirs, and a choice takes a fifth of the time of a small operation. */
const chosen = new LRUCache<string, { readonly replyType: ReplyType | undefined }>({
  max: 100,
  memoMethod: (accept) => {
    const preferred = new Negotiator({ headers: { accept } }).mediaType([...OFFERED.keys()]);
    return { replyType: OFFERED.get(preferred ?? '') };
  },
});

/** Parameters that are texts (GraphQL over HTTP, "Request Parameters" and "Persisted Documents"). */
const TEXTS: readonly string[] = ['query', 'operationName', 'documentId'];
/** Parameters that are objects. */
const OBJECTS: readonly string[] = ['variables', 'extensions'];

/** Returns the parameters in a body, which have yet to be judged. @throws {GraphQLError} it has none */
export function paramsIn(parsed: ParsedBody): GraphQLParams {
  if ('fault' in parsed) throw parsed.fault;
  const { value } = parsed;
  if (isObjectValue(value)) return value;
  if (!Array.isArray(value)) throw requestError('BodyNotObject');
  throw requestError('InvalidRequest', { developerText: 'Batching is not supported.' });
}

/**
 * Returns the parameters of a request from either handler, whose document has been found. The rules and the texts are
 * those of Yoga, which finds no fault behind them. @throws {GraphQLError} they are invalid
 */
export function judgedParams(params: GraphQLParams): GraphQLParams {
  const { query }: { readonly query?: unknown } = params;
  if (query == null) throw notParams('Must provide query string.');
  if (typeof query !== 'string') {
    throw notParams(`Expected "query" param to be a string, but given ${typeName(query)}.`);
  }
  for (const name of OBJECTS) {
    const value: unknown = Reflect.get(params, name);
    if (value == null || isObjectValue(value)) continue;
    throw notParams(`Expected "${name}" param to be empty or an object, but given ${typeName(value)}.`);
  }
  return params;
}

function notParams(developerText: string): GraphQLError {
  const http = { status: ERRORS.InvalidRequest.status, headers: { Allow: 'GET, POST' } };
  return asGraphQLError(new GatewayError('InvalidRequest', { developerText }), { extensions: { http } });
}

function typeName(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}

function isObjectValue(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body of a GraphQL request: JSON in UTF-8, decoded strictly (RFC 8259, section 8.1).
 *
 * @param context receives the body and its size, and decides when the operation may run
 * @throws {GraphQLError} the body is invalid, incomplete, or over the server's limit
 */
async function readGraphQLBody(context: RequestContext): Promise<GraphQLParams> {
  const params = paramsIn(await receiveAndParse(context));
  // Other members are ignored (GraphQL over HTTP, "Request Parameters"); Yoga would refuse them.
  return Object.fromEntries([...TEXTS, ...OBJECTS].map((name) => [name, Reflect.get(params, name)]));
}

async function receiveAndParse(context: RequestContext): Promise<ParsedBody> {
  const bytes = await context.receive?.();
  if (bytes === undefined) throw cutShort();
  context.bodyBytes = bytes.length;
  const parsed = await parseLargeBody(bytes);
  await context.turn?.();
  return parsed;
}

export function parseBody(bytes: Uint8Array): ParsedBody {
  try {
    return parseText(UTF_8.decode(bytes));
  } catch {
    return { fault: requestError('BodyNotUtf8') };
  }
}

export async function parseLargeBody(bytes: Uint8Array): Promise<ParsedBody> {
  const text = await decodeUtf8(bytes);
  const parsed = text === undefined ? { fault: requestError('BodyNotUtf8') } : parseText(text);
  await yieldToEventLoop();
  return parsed;
}

/** Members of a body and of its `variables`, in all. Tokens bound those that a document can declare to fewer. */
const MAX_MEMBERS = 1_000;

/** Size of a text, in characters, which can have enough members for them to be counted before it is parsed. */
const COUNTED_FROM = 16_384;

/** True for more members than that, which take many times as long to parse as a text of their size. */
function hasTooManyMembers(text: string): boolean {
  let depth = 0;
  let members = 0;
  for (let at = 0; at < text.length && members <= MAX_MEMBERS; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === ':' && depth <= 2) members += 1;
  }
  return members > MAX_MEMBERS;
}

/** Returns the place of the quote that ends a string. @param start place of the one that begins it */
function endOfString(text: string, start: number): number {
  for (let end = start; ;) {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
    let before = end;
    while (text[before - 1] === '\\') before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
}

function parseText(text: string): ParsedBody {
  if (text.length > COUNTED_FROM && hasTooManyMembers(text)) {
    const developerText = `The body and its variables have more than ${MAX_MEMBERS} members.`;
    return { fault: requestError('InvalidRequest', { developerText }) };
  }
  const value = jsonIn(text);
  return value === undefined ? { fault: requestError('BodyNotJson') } : { value };
}

/**
 * Receives a whole body; undefined if the client sent only a part of it. The rest of a body that is too large is left
 * to the connection.
 *
 * @param maxBytes limit of the size
 * @throws {GraphQLError} it is too large
 */
export function receiveBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  // Events, because iterating over a request costs several times as much.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else refuse();
    };
    const refuse = (): void => {
      request.off('data', take).pause();
      reject(requestError('BodyTooLarge', { limit: maxBytes, variable: 'GRAPHQL_MAX_BODY_BYTES' }));
    };
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      refuse();
      return;
    }
    request.on('data', take);
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    // This event comes last, also after an error.
    request.on('close', () => resolve(undefined));
  });
}

export function cutShort(): GraphQLError {
  return requestError('BodyCutShort');
}

/**
 * Creates a plugin that refuses requests that Yoga would accept although they are not plain JSON: forms and plain text,
 * which any web page can send from its visitors' browsers without a preflight (CORS), compressed or non-UTF-8 bodies,
 * and query strings that are ambiguous or contain broken JSON.
 */
export function jsonRequestsOnly(): Plugin<object, RequestContext> {
  return { onRequestParse: parseJsonOnly };
}

function parseJsonOnly(hook: Parameters<NonNullable<Plugin<object, RequestContext>['onRequestParse']>>[0]): void {
  const { request, url, serverContext, setRequestParser, endResponse, fetchAPI } = hook;
  const refusal = refusalOf(request, url);
  if (refusal !== undefined) {
    const error = toRequestError(refusal);
    serverContext.operationLog.answered([error]);
    const [name, type] = TYPE_HEADERS[replyTypeFor(request.headers.get('accept') ?? undefined) ?? 'application/json'];
    const init = { status: ERRORS[refusal.reason].status, headers: { [name]: type } };
    endResponse(fetchAPI.Response.json({ errors: [error] }, init));
  } else if (request.method === 'POST') setRequestParser(() => readGraphQLBody(serverContext));
  // Yoga's own parser takes a host name for a query string if there is none.
  else if (request.method === 'GET') setRequestParser(() => readParameters(url.searchParams));
}

function refusalOf({ method, headers }: Request, url: URL): GatewayError<RequestReason> | undefined {
  const encoding = headers.get('content-encoding') ?? '';
  const isJson = method !== 'POST' || isJsonContent(headers.get('content-type') ?? '', encoding);
  if (!isJson || (method === 'GET' && !isUnencoded(encoding))) return new GatewayError('NotJsonContent');
  return method === 'GET' ? queryStringFault(url) : undefined;
}

function queryStringFault({ search, searchParams }: URL): GatewayError<RequestReason> | undefined {
  if (percentDecoded(search) === undefined) return new GatewayError('InvalidQueryString');
  const repeated = [...TEXTS, ...OBJECTS].filter((name) => searchParams.getAll(name).length > 1);
  if (repeated.length > 0) return new GatewayError('ParametersRepeated', { names: repeated });
  const broken = OBJECTS.filter((name) => searchParams.get(name) && objectIn(searchParams, name) === undefined);
  return broken.length > 0 ? new GatewayError('ParametersNotJson', { names: broken }) : undefined;
}

/** Reads parameters of a valid query string; empty counts as absent. */
function readParameters(given: URLSearchParams): GraphQLParams {
  const params: Record<string, unknown> = {};
  for (const name of TEXTS) params[name] = given.get(name) || undefined;
  for (const name of OBJECTS) params[name] = objectIn(given, name);
  return params; // Yoga validates it before use
}

function objectIn(params: URLSearchParams, name: string): unknown {
  return jsonIn(params.get(name) ?? '');
}

import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { ERRORS } from '../../../base/error-table.js';
import { GatewayError } from '../../../base/errors.js';
import { percentDecoded } from '../../../base/wire/decode-utf8.js';
import { isJsonContent, isUnencoded, jsonIn } from '../../../base/wire/json-content.js';
import { toRequestError, type RequestReason } from '../error-mapping.js';
import { OBJECTS, readGraphQLBody, TEXTS } from './request-body.js';
import type { RequestContext } from '../context.js';

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
    endResponse(fetchAPI.Response.json({ errors: [error] }, { status: ERRORS[refusal.reason].status }));
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

import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { ERRORS } from '../../error-table.js';
import { GatewayError } from '../../errors.js';
import { percentDecoded } from '../../wire/decode-utf8.js';
import { isJsonContent, isUnencoded, jsonIn } from '../../wire/json-content.js';
import { toRequestError, type RequestReason } from '../error-mapping.js';
import { OBJECTS, readGraphQLBody, TEXTS } from './request-body.js';
import type { RequestContext } from '../context.js';

/**
 * Creates a plugin that refuses requests that Yoga would accept although they are not plain JSON: forms and plain text,
 * which any web page can send from its visitors' browsers without a preflight (CORS), compressed or non-UTF-8 bodies,
 * and query strings that are ambiguous or contain broken JSON.
 */
export function jsonRequestsOnly(): Plugin<object, RequestContext> {
  return {
    onRequestParse({ request: { method, headers }, url, serverContext, setRequestParser, endResponse, fetchAPI }) {
      const refuse = (refused: GatewayError<RequestReason>): void => {
        const error = toRequestError(refused);
        serverContext.notes.answered([error]);
        endResponse(fetchAPI.Response.json({ errors: [error] }, { status: ERRORS[refused.reason].status }));
      };
      const encoding = headers.get('content-encoding') ?? '';
      if (method === 'POST') {
        if (!isJsonContent(headers.get('content-type') ?? '', encoding)) refuse(new GatewayError('NotJsonContent'));
        else setRequestParser((request) => readGraphQLBody(request, serverContext));
      }
      if (method === 'GET') {
        const fault = faultOf(url);
        if (!isUnencoded(encoding)) refuse(new GatewayError('NotJsonContent'));
        else if (fault !== undefined) refuse(fault);
        // Yoga's own parser takes a host name for a query string if there is none.
        else setRequestParser(() => readParameters(url.searchParams));
      }
    },
  };
}

function faultOf({ search, searchParams }: URL): GatewayError<RequestReason> | undefined {
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

import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { badInput } from '../../errors.js';
import { isJsonContent, isUnencoded, NOT_JSON_CONTENT } from '../../wire/json-content.js';
import { toRequestError } from '../error-mapping.js';
import { readGraphQLBody } from './request-body.js';
import type { RequestContext } from '../request-context.js';

/** Parameters of a request in a query string (GraphQL over HTTP, "GET" and "Persisted Documents"). */
const TEXTS = ['query', 'operationName', 'documentId'];
const PARAMETERS = [...TEXTS, 'variables', 'extensions'];

/**
 * Refuses requests that the server would take although they are not JSON: forms and plain text, which any web page
 * can have its visitors' browsers send without asking first (CORS), bodies that are compressed or no UTF-8, and query
 * strings that are read in several ways or hold broken JSON.
 */
export function jsonRequestsOnly(): Plugin<object, RequestContext> {
  return {
    onRequestParse({ request: { method, headers }, url, serverContext, setRequestParser, endResponse, fetchAPI }) {
      const refuse = (status: number, message: string): void => {
        const error = toRequestError(badInput(message));
        serverContext.notes.answered([error]);
        endResponse(fetchAPI.Response.json({ errors: [error] }, { status }));
      };
      const encoding = headers.get('content-encoding') ?? '';
      if (method === 'POST') {
        if (!isJsonContent(headers.get('content-type') ?? '', encoding)) refuse(415, NOT_JSON_CONTENT);
        else setRequestParser((request) => readGraphQLBody(request, serverContext));
      }
      if (method === 'GET') {
        const fault = faultOf(url);
        if (!isUnencoded(encoding)) refuse(415, NOT_JSON_CONTENT);
        else if (fault !== undefined) refuse(400, fault);
        // The server's own takes a host name for a query string where there is none.
        else setRequestParser(() => readParameters(url.searchParams));
      }
    },
  };
}

function faultOf({ search, searchParams }: URL): string | undefined {
  if (!isPercentEncoded(search)) return 'The query string must be percent-encoded UTF-8.';
  const repeated = PARAMETERS.filter((name) => searchParams.getAll(name).length > 1);
  if (repeated.length > 0) return `${repeated.join(' and ')} must be given once.`;
  const broken = ['variables', 'extensions'].filter((name) => !isJson(searchParams.get(name) ?? ''));
  return broken.length > 0 ? `${broken.join(' and ')} must be JSON.` : undefined;
}

/** Parameters of a query string without faults; empty counts as absent. */
function readParameters(given: URLSearchParams): GraphQLParams {
  const params: Record<string, unknown> = {};
  for (const name of TEXTS) params[name] = given.get(name) || undefined;
  for (const name of ['variables', 'extensions']) params[name] = parsed(given.get(name) || undefined);
  return params; // looked through by the server before it is used
}

function parsed(json: string | undefined): unknown {
  return json === undefined ? undefined : JSON.parse(json);
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Empty counts as absent. */
function isJson(text: string): boolean {
  try {
    return text === '' || JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

import { SpanKind } from '@opentelemetry/api';
import {
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
} from '@opentelemetry/semantic-conventions';
import { BackendOutage, BackendRefusal } from '../../clients/call-errors.js';
import type { EndedCall, StartedCall } from '../../clients/call-observer.js';
import { ERROR_STATUS } from '../../error-table.js';
import type { EndedOperation } from '../../graphql/operation-observer.js';
import type { EndedRequest, StartedRequest } from '../../http/request-observer.js';
import type { Observation } from '../../observation.js';
import { ATTRIBUTES } from './names.js';
import type { Spans } from './spans.js';

/** Known methods (semantic conventions, "HTTP server span"); clients may invent others. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']);

/** Limit of characters of an operation name, which may be almost as long as a body. */
const MAX_NAME = 100;

/** Observes a request, in the trace of its sender. */
export function request(
  spans: Spans,
  { method, headers, requestId, isProbe }: StartedRequest,
): Observation<EndedRequest> {
  // Probes come every few seconds; their traces have no use.
  if (isProbe) return { within: (work) => work(), finish: () => undefined };
  const known = METHODS.has(method) ? method : '_OTHER';
  const shown = known === '_OTHER' ? 'HTTP' : known;
  const { traceparent, tracestate } = headers;
  const parent = {
    ...(typeof traceparent === 'string' && { traceparent }),
    ...(typeof tracestate === 'string' && { tracestate }),
  };
  const attributes = { [ATTR_HTTP_REQUEST_METHOD]: known, [ATTRIBUTES.requestId]: requestId };
  return spans.begin({ name: shown, kind: SpanKind.SERVER, attributes }, parent, ({ route, status }) => ({
    ...(route !== undefined && { name: `${shown} ${route}` }),
    attributes: { [ATTR_HTTP_RESPONSE_STATUS_CODE]: status, ...(route !== undefined && { [ATTR_HTTP_ROUTE]: route }) },
    error: status >= 500 ? String(status) : undefined,
  }));
}

/** Observes a GraphQL operation. Faults of the caller do not make it an error. */
export function operation(spans: Spans): Observation<EndedOperation> {
  return spans.continue({ name: 'graphql', attributes: {} }, ({ name, type, codes }) => {
    const shown = name?.slice(0, MAX_NAME);
    return {
      name: type ?? 'graphql',
      attributes: {
        ...(type !== undefined && { [ATTRIBUTES.operationType]: type }),
        ...(shown !== undefined && { [ATTRIBUTES.operationName]: shown }),
        ...(codes.length > 0 && { [ATTRIBUTES.errorCodes]: [...new Set(codes)] }),
      },
      error: codes.find((code) => ERROR_STATUS[code] >= 500),
    };
  });
}

/** Observes a call of a backend. */
export function call(spans: Spans, { backend, call: name, caller }: StartedCall): Observation<EndedCall> {
  const attributes = {
    [ATTRIBUTES.backend]: backend,
    [ATTRIBUTES.call]: name,
    ...(caller !== undefined && { [ATTRIBUTES.caller]: caller }),
  };
  return spans.continue({ name: `${backend} ${name}`, kind: SpanKind.CLIENT, attributes }, ({ outcome, error }) => {
    const status = error instanceof BackendRefusal || error instanceof BackendOutage ? error.httpStatus : undefined;
    return {
      attributes: status === undefined ? {} : { [ATTR_HTTP_RESPONSE_STATUS_CODE]: status },
      error: outcome === 'ok' ? undefined : outcome,
    };
  });
}

import { SpanKind, type Attributes } from '@opentelemetry/api';
import {
  ATTR_DB_OPERATION_NAME,
  ATTR_DB_SYSTEM_NAME,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_URL_FULL,
  ATTR_URL_PATH,
  ATTR_URL_SCHEME,
} from '@opentelemetry/semantic-conventions';
import { BACKEND_OPERATIONS, type BackendOperation } from '../../../../generated/backend-operations.js';
import { CallError } from '../../../clients/call-error.js';
import { ERROR_STATUS } from '../../../base/error-table.js';
import type { StartOf } from '../../../base/observation.js';
import type { JobIdentity } from '../../../jobs/record/job-record.js';
import { knownMethod, type Observations } from '../observers.js';
import type { Spans } from './spans.js';

/*
 * Attribute names of our own, and names outside of the stable semantic conventions of OpenTelemetry. Values are ids,
 * words from short lists, and numbers. Texts of requests, replies or errors could contain secrets and are never values.
 */
const ATTRIBUTES = {
  operationName: 'graphql.operation.name',
  operationType: 'graphql.operation.type',
  /** Distinct codes of the errors in the reply. */
  errorCodes: 'gateway.graphql.error_codes',
  abandoned: 'gateway.graphql.abandoned',
  /** As in the log. */
  requestId: 'gateway.request.id',
  backend: 'peer.service',
  urlTemplate: 'url.template',
  /** `bullmq`, `sqlite` or `aws_sqs`. */
  queue: 'messaging.system',
  queueOperation: 'messaging.operation.name',
  queueOperationType: 'messaging.operation.type',
  queueName: 'messaging.destination.name',
  messageId: 'messaging.message.id',
  /** Call of a backend, such as `listMobiles`. */
  call: 'gateway.backend.call',
  /** True if the result of a call was no longer needed. */
  cutOff: 'gateway.backend.cut_off',
  /** Origin of a call: `user` or `job`. */
  caller: 'gateway.backend.caller',
  jobId: 'gateway.job.id',
  jobKind: 'gateway.job.kind',
  org: 'gateway.job.org',
  attempt: 'gateway.job.attempt',
  items: 'gateway.job.items',
  failedItems: 'gateway.job.failed_items',
  /** Outcome of a run of a job, or of a delivery. */
  outcome: 'gateway.job.outcome',
  /** Place of an item in the body, from 0. */
  item: 'gateway.job.item',
  pages: 'gateway.report.pages',
  /** Time for which a thread drew, without waiting, in milliseconds. */
  drawingMs: 'gateway.report.drawing_ms',
  /** `files` or `s3`. */
  objectStore: 'gateway.object_store.kind',
  /** Other attributes of the S3 conventions are for single requests, but an upload is one span here. */
  bucket: 'aws.s3.bucket',
} as const;

export interface TracedStores {
  /** Kind of the job store: `redis` or `sqlite`. */
  readonly database: string;
  /** As in `messaging.system`. */
  readonly queue: string;
  readonly objects: { readonly kind: string; readonly bucket?: string };
}

function about({ kind, org, jobId }: JobIdentity): Attributes {
  return { [ATTRIBUTES.jobId]: jobId, [ATTRIBUTES.jobKind]: kind, ...(org !== undefined && { [ATTRIBUTES.org]: org }) };
}

/** Name of the queue, whatever system it is in. */
const DESTINATION = 'jobs';

/** Describes the request of a call. Its path is the template, because a path may hold a login id. */
function requestOf({ backend, baseUrl, call }: StartOf<'call'>): Attributes {
  const operations: Readonly<Partial<Record<string, BackendOperation>>> = BACKEND_OPERATIONS[backend];
  const { method = '', path = '' } = operations[call] ?? {};
  const { hostname, protocol, port, origin, pathname } = new URL(baseUrl);
  return {
    [ATTR_HTTP_REQUEST_METHOD]: method,
    [ATTR_SERVER_ADDRESS]: hostname,
    [ATTR_SERVER_PORT]: Number(port) || (protocol === 'https:' ? 443 : 80),
    [ATTR_URL_FULL]: `${origin}${pathname.replace(/\/$/, '')}${path}`,
    [ATTRIBUTES.urlTemplate]: path,
  };
}

function errorOf(end: string): { readonly error: string | undefined } {
  return { error: end === 'failed' ? end : undefined };
}

/** Makes the spans of all work. A trace begins with a request or a delivery; sweeps and health checks have no trace. */
export function tracedWork(spans: Spans, { database, queue, objects }: TracedStores): Observations {
  const queued = (name: string, type: 'send' | 'process'): Attributes => ({
    [ATTRIBUTES.queue]: queue,
    [ATTRIBUTES.queueOperation]: name,
    [ATTRIBUTES.queueOperationType]: type,
    [ATTRIBUTES.queueName]: DESTINATION,
  });
  return {
    /** Continues the trace of the request's sender. */
    request({ method, headers, requestId, isProbe }) {
      // Probes come every few seconds, and their traces would be useless.
      if (isProbe) return { within: (work) => work(), finish: () => undefined };
      const known = knownMethod(method);
      const shown = known === '_OTHER' ? 'HTTP' : known;
      const { traceparent, tracestate } = headers;
      const parent = {
        ...(typeof traceparent === 'string' && { traceparent }),
        ...(typeof tracestate === 'string' && { tracestate }),
      };
      const attributes = {
        [ATTR_HTTP_REQUEST_METHOD]: known,
        // The port speaks plain HTTP; TLS, if any, ends in front of it.
        [ATTR_URL_SCHEME]: 'http',
        [ATTRIBUTES.requestId]: requestId,
      };
      return spans.begin({ name: shown, kind: SpanKind.SERVER, attributes }, parent, ({ route, status }) => ({
        ...(route !== undefined && { name: `${shown} ${route}` }),
        attributes: {
          [ATTR_HTTP_RESPONSE_STATUS_CODE]: status,
          // A path may hold ids and signatures, so that of an unknown route is left out.
          ...(route !== undefined && { [ATTR_HTTP_ROUTE]: route, [ATTR_URL_PATH]: route }),
        },
        error: status >= 500 ? String(status) : undefined,
      }));
    },
    /** A fault of the caller is not an error of the span, and neither is a client that disconnects. */
    operation: () =>
      spans.continue({ name: 'graphql', attributes: {} }, ({ name, type, codes, abandoned }) => ({
        name: type ?? 'graphql',
        attributes: {
          ...(type !== undefined && { [ATTRIBUTES.operationType]: type }),
          ...(name !== undefined && { [ATTRIBUTES.operationName]: name }),
          ...(abandoned && { [ATTRIBUTES.abandoned]: true }),
          ...(codes.length > 0 && { [ATTRIBUTES.errorCodes]: [...new Set(codes)] }),
        },
        error: codes.find((code) => ERROR_STATUS[code] >= 500),
      })),
    authentication: undefined,
    keyFetch: undefined,
    call(start) {
      const { backend, call: name, caller } = start;
      const attributes = {
        ...requestOf(start),
        [ATTRIBUTES.backend]: backend,
        [ATTRIBUTES.call]: name,
        ...(caller !== undefined && { [ATTRIBUTES.caller]: caller }),
      };
      return spans.continue({ name: `${backend} ${name}`, kind: SpanKind.CLIENT, attributes }, ({ outcome, error }) => {
        const status = error instanceof CallError ? error.details.httpStatus : undefined;
        return {
          attributes: {
            ...(status !== undefined && { [ATTR_HTTP_RESPONSE_STATUS_CODE]: status }),
            ...(outcome === 'cut_off' && { [ATTRIBUTES.cutOff]: true }),
          },
          error: outcome === 'ok' || outcome === 'cut_off' ? undefined : outcome,
        };
      });
    },
    /** Continues the trace of the mutation that started the job. */
    delivery({ message, attempt }) {
      const { traceparent } = message;
      const attributes = {
        ...about(message),
        ...queued('deliver', 'process'),
        [ATTRIBUTES.messageId]: message.jobId,
        [ATTRIBUTES.attempt]: attempt,
      };
      const start = { name: `deliver ${message.kind}`, kind: SpanKind.CONSUMER, attributes };
      return spans.begin(start, traceparent === undefined ? {} : { traceparent }, ({ outcome }) => ({
        attributes: { [ATTRIBUTES.outcome]: outcome },
        error: outcome === 'failed' || outcome === 'dead' ? outcome : undefined,
        // A message that waits for its turn is delivered again every second.
        leaveOut: outcome === 'held_back',
      }));
    },
    run({ job, attempt, total }) {
      const attributes = { ...about(job), [ATTRIBUTES.attempt]: attempt, [ATTRIBUTES.items]: total };
      return spans.continue({ name: `run ${job.kind}`, attributes, repeats: true }, ({ outcome, items }) => ({
        attributes: { [ATTRIBUTES.outcome]: outcome, ...(items && { [ATTRIBUTES.failedItems]: items.failed }) },
        error: outcome === 'failed' ? outcome : undefined,
      }));
    },
    /** The budget of names limits these spans to the first items of a job and to failed ones. */
    item: (index) => spans.continue({ name: 'item', attributes: { [ATTRIBUTES.item]: index } }, errorOf),
    report: () =>
      spans.continue({ name: 'draw report', attributes: {} }, (drawn) => ({
        ...(drawn && { attributes: { [ATTRIBUTES.pages]: drawn.pages, [ATTRIBUTES.drawingMs]: drawn.drawingMs } }),
        error: drawn === undefined ? 'not_drawn' : undefined,
      })),
    drawingStart: undefined,
    /** An operation of any number of commands has one span. */
    jobStore(operation) {
      const isSend = operation === 'submit';
      const attributes = {
        [ATTR_DB_SYSTEM_NAME]: database,
        [ATTR_DB_OPERATION_NAME]: operation,
        ...(isSend && queued('submit', 'send')),
      };
      const kind = isSend ? SpanKind.PRODUCER : SpanKind.CLIENT;
      return spans.continue({ name: `job-store ${operation}`, kind, attributes }, errorOf);
    },
    /** An upload of any number of parts has one span. */
    objectStore(operation) {
      const attributes = {
        [ATTRIBUTES.objectStore]: objects.kind,
        ...(objects.bucket !== undefined && { [ATTRIBUTES.bucket]: objects.bucket }),
      };
      return spans.continue({ name: `object-store ${operation}`, kind: SpanKind.CLIENT, attributes }, errorOf);
    },
  };
}

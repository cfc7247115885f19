import type { Observers } from '../observers.js';
import type { TracingOptions } from '../tracing.js';
import { ATTRIBUTES } from './names.js';
import * as jobs from './job-spans.js';
import * as requests from './request-spans.js';
import type { Spans } from './spans.js';
import { SpanKind } from '@opentelemetry/api';
import { ATTR_DB_OPERATION_NAME, ATTR_DB_SYSTEM_NAME } from '@opentelemetry/semantic-conventions';
import type { StoreOperation } from '../../job-record/store-observer.js';
import type { ObjectOperation } from '../../objects/object-observer.js';
import type { Observation } from '../../observation.js';

/**
 * Watches everything for traces. A trace begins with a request or a delivery; what belongs to neither, such as sweeps
 * and health checks, has none.
 *
 * @param stores what the job store and the object store are kept in
 */
export function tracedObservers(spans: Spans, stores: Pick<TracingOptions, 'database' | 'bucket'>): Observers {
  const { database, bucket } = stores;
  return {
    requests: { started: (request) => requests.request(spans, request) },
    operations: { started: () => requests.operation(spans) },
    calls: { started: (call) => requests.call(spans, call) },
    jobs: { started: (run) => jobs.run(spans, run) },
    items: { started: (item) => jobs.item(spans, item) },
    deliveries: { started: (delivery) => jobs.delivery(spans, delivery) },
    reports: { started: (report) => jobs.report(spans, report) },
    jobStore: { started: (operation) => jobStore(spans, operation, database) },
    objects: { started: (operation) => objects(spans, operation, bucket) },
  };
}

/** What the job store or its queue is asked for: one span each, however many commands it takes. */
function jobStore(spans: Spans, operation: StoreOperation, database: string): Observation<'ok' | 'failed'> {
  const attributes = { [ATTR_DB_SYSTEM_NAME]: database, [ATTR_DB_OPERATION_NAME]: operation };
  const kind = operation === 'submit' ? SpanKind.PRODUCER : SpanKind.CLIENT;
  return spans.continue({ name: `job-store ${operation}`, kind, attributes }, errorOf);
}

/** What the object store is asked for: one span for an upload, in however many parts. */
function objects(spans: Spans, operation: ObjectOperation, bucket?: string): Observation<'ok' | 'failed'> {
  const attributes = {
    [ATTRIBUTES.objectStore]: bucket === undefined ? 'files' : 's3',
    ...(bucket !== undefined && { [ATTRIBUTES.bucket]: bucket }),
  };
  return spans.continue({ name: `object-store ${operation}`, kind: SpanKind.CLIENT, attributes }, errorOf);
}

function errorOf(end: 'ok' | 'failed'): { readonly error: string | undefined } {
  return { error: end === 'failed' ? end : undefined };
}

import { type Attributes, SpanKind } from '@opentelemetry/api';
import { ATTR_DB_OPERATION_NAME, ATTR_DB_SYSTEM_NAME } from '@opentelemetry/semantic-conventions';
import type { EndedDelivery, StartedDelivery } from '../../job-record/delivery-observer.js';
import type { JobIdentity } from '../../job-record/job-record.js';
import type { StoreOperation } from '../../job-record/store-observer.js';
import type { ItemEnd, StartedItem } from '../../jobs/item-observer.js';
import type { EndedRun, StartedRun } from '../../jobs/job-observer.js';
import type { ObjectOperation } from '../../objects/object-observer.js';
import type { Observation } from '../../observation.js';
import type { DrawnPages, ReportOptions } from '../../reports/model.js';
import type { Observers } from '../observers.js';
import type { TracingOptions } from '../tracing.js';
import { ATTRIBUTES } from './names.js';
import * as requests from './request-spans.js';
import type { Spans } from './spans.js';

/** Observes a delivery, in the trace of the mutation that started the job. */
function delivery(spans: Spans, { message, attempt }: StartedDelivery): Observation<EndedDelivery> {
  const { traceparent } = message;
  const attributes = { ...about(message), [ATTRIBUTES.attempt]: attempt };
  const start = { name: `deliver ${message.kind}`, kind: SpanKind.CONSUMER, attributes };
  return spans.begin(start, traceparent === undefined ? {} : { traceparent }, ({ outcome }) => ({
    attributes: { [ATTRIBUTES.outcome]: outcome },
    error: outcome === 'failed' || outcome === 'dead' ? outcome : undefined,
    // A message that waits for its turn is delivered again every second.
    leaveOut: outcome === 'held_back',
  }));
}

/** Observes a run of a job, within its callback. */
function run(spans: Spans, { job, attempt, total }: StartedRun): Observation<EndedRun> {
  const attributes = { ...about(job), [ATTRIBUTES.attempt]: attempt, [ATTRIBUTES.items]: total };
  return spans.continue({ name: `run ${job.kind}`, attributes, repeats: true }, ({ outcome, items }) => ({
    attributes: { [ATTRIBUTES.outcome]: outcome, ...(items && { [ATTRIBUTES.failedItems]: items.failed }) },
    error: outcome === 'failed' ? outcome : undefined,
  }));
}

/** Observes an item: the first of a job, and those that fail. */
function item(spans: Spans, { index }: StartedItem): Observation<ItemEnd> {
  return spans.continue({ name: 'item', attributes: { [ATTRIBUTES.item]: index } }, (end) => ({
    error: end === 'failed' ? end : undefined,
  }));
}

/** Observes the drawing of a report. */
function report(spans: Spans, _report: ReportOptions): Observation<DrawnPages | undefined> {
  return spans.continue({ name: 'draw report', attributes: {} }, (drawn) => ({
    ...(drawn && { attributes: { [ATTRIBUTES.pages]: drawn.pages, [ATTRIBUTES.drawingMs]: drawn.drawingMs } }),
    error: drawn === undefined ? 'not_drawn' : undefined,
  }));
}

function about({ kind, org, jobId }: JobIdentity): Attributes {
  return { [ATTRIBUTES.jobId]: jobId, [ATTRIBUTES.jobKind]: kind, ...(org !== undefined && { [ATTRIBUTES.org]: org }) };
}

/**
 * Observes every part for traces. A trace begins with a request or a delivery; other work, such as sweeps and health
 * checks, has none.
 *
 * @param stores kinds of the job store and the object store
 */
export function tracedObservers(spans: Spans, stores: Pick<TracingOptions, 'database' | 'bucket'>): Observers {
  const { database, bucket } = stores;
  return {
    requests: { started: (request) => requests.request(spans, request) },
    operations: { started: () => requests.operation(spans) },
    calls: { started: (call) => requests.call(spans, call) },
    jobs: { started: (start) => run(spans, start) },
    items: { started: (start) => item(spans, start) },
    deliveries: { started: (start) => delivery(spans, start) },
    reports: { started: (start) => report(spans, start) },
    jobStore: { started: (operation) => jobStore(spans, operation, database) },
    objects: { started: (operation) => objects(spans, operation, bucket) },
  };
}

/** Observes an operation of the job store or its queue: one span for any number of commands. */
function jobStore(spans: Spans, operation: StoreOperation, database: string): Observation<'ok' | 'failed'> {
  const attributes = { [ATTR_DB_SYSTEM_NAME]: database, [ATTR_DB_OPERATION_NAME]: operation };
  const kind = operation === 'submit' ? SpanKind.PRODUCER : SpanKind.CLIENT;
  return spans.continue({ name: `job-store ${operation}`, kind, attributes }, errorOf);
}

/** Observes an operation of the object store: one span for an upload of any number of parts. */
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

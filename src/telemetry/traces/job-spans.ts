import { SpanKind, type Attributes } from '@opentelemetry/api';
import type { JobIdentity } from '../../job-record/job-record.js';
import type { ItemEnd, StartedItem } from '../../jobs/item-observer.js';
import type { EndedRun, StartedRun } from '../../jobs/job-observer.js';
import type { Observation } from '../../observation.js';
import type { EndedDelivery, StartedDelivery } from '../../job-record/delivery-observer.js';
import type { ReportOptions } from '../../reports/model.js';
import type { DrawnPages } from '../../reports/render/report-observer.js';
import { ATTRIBUTES } from './names.js';
import type { Spans } from './spans.js';

/** A delivery, in the trace of the mutation that started the job. */
export function delivery(spans: Spans, { message, attempt }: StartedDelivery): Observation<EndedDelivery> {
  const { traceparent } = message;
  const attributes = { ...about(message), [ATTRIBUTES.attempt]: attempt };
  const start = { name: `deliver ${message.kind}`, kind: SpanKind.CONSUMER, attributes };
  return spans.begin(start, traceparent === undefined ? {} : { traceparent }, ({ outcome }) => ({
    attributes: { [ATTRIBUTES.outcome]: outcome },
    error: outcome === 'failed' || outcome === 'dead' ? outcome : undefined,
    // A message that waits for its turn comes again every second.
    leaveOut: outcome === 'held_back',
  }));
}

/** A run of a job, within the callback that brought it. */
export function run(spans: Spans, { job, attempt, total }: StartedRun): Observation<EndedRun> {
  const attributes = { ...about(job), [ATTRIBUTES.attempt]: attempt, [ATTRIBUTES.items]: total };
  return spans.continue({ name: `run ${job.kind}`, attributes, repeats: true }, ({ outcome, items }) => ({
    attributes: { [ATTRIBUTES.outcome]: outcome, ...(items && { [ATTRIBUTES.failedItems]: items.failed }) },
    error: outcome === 'failed' ? outcome : undefined,
  }));
}

/** An item: the first of a job, and those that fail. */
export function item(spans: Spans, { index }: StartedItem): Observation<ItemEnd> {
  return spans.continue({ name: 'item', attributes: { [ATTRIBUTES.item]: index } }, (end) => ({
    error: end === 'failed' ? end : undefined,
  }));
}

/** The drawing of a report. */
export function report(spans: Spans, _report: ReportOptions): Observation<DrawnPages | undefined> {
  return spans.continue({ name: 'draw report', attributes: {} }, (drawn) => ({
    ...(drawn && { attributes: { [ATTRIBUTES.pages]: drawn.pages, [ATTRIBUTES.drawingMs]: drawn.drawingMs } }),
    error: drawn === undefined ? 'not_drawn' : undefined,
  }));
}

function about({ kind, org, jobId }: JobIdentity): Attributes {
  return { [ATTRIBUTES.jobId]: jobId, [ATTRIBUTES.jobKind]: kind, ...(org !== undefined && { [ATTRIBUTES.org]: org }) };
}

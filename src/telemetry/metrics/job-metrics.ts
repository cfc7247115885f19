import { CALLBACK_PATHS, type JobKind } from '../../job-record/job-kinds.js';
import type { JobObserver } from '../../jobs/job-observer.js';
import type { ObjectObserver } from '../../objects/object-observer.js';
import type { DeliveryObserver } from '../../job-record/delivery-observer.js';
import { DELIVERY_OUTCOMES } from '../../job-record/delivery-outcome.js';
import type { ReportObserver } from '../../reports/render/report-observer.js';
import type { MetricSet } from './metric-set.js';
import { timing } from './timing.js';

const KINDS = Object.keys(CALLBACK_PATHS).map((kind) => ({ kind }));

/** Of each way in which a delivery can end, by the table of outcomes; what may fail may be the last attempt, too. */
const DELIVERIES = Object.entries(DELIVERY_OUTCOMES).flatMap(([reason, { outcome }]) =>
  ({ done: ['done'], delay: ['delayed', 'dead'], retry: ['failed', 'dead'], final: ['dead'] })[outcome].map((end) => ({
    outcome: end,
    reason,
  })),
);

function ofEachKind(outcomes: readonly string[]): readonly { kind: string; outcome: string }[] {
  return KINDS.flatMap(({ kind }) => outcomes.map((outcome) => ({ kind, outcome })));
}

/** Counts jobs that were accepted. */
export function orderedJobMetrics(metrics: MetricSet): (kind: JobKind) => void {
  const ordered = metrics.counter('gateway_jobs_ordered_total', KINDS);
  return (kind) => ordered.count({ kind });
}

/** Measures runs of jobs. */
export function jobMetrics(metrics: MetricSet): JobObserver {
  const starts = metrics.counter('gateway_job_starts_total', KINDS);
  const retries = metrics.counter('gateway_job_retries_total', KINDS);
  const waits = metrics.histogram('gateway_job_wait_seconds');
  const running = metrics.gauge('gateway_jobs_running');
  const durations = metrics.histogram('gateway_job_duration_seconds');
  const items = metrics.counter('gateway_job_items_total', ofEachKind(['done', 'failed', 'cancelled']));
  return timing(
    ({ job: { kind } }, { outcome, items: ended }, seconds) => {
      running.dec({ kind });
      durations.observe(seconds, { kind, outcome });
      if (ended === undefined) return;
      items.add(ended.done, { kind, outcome: 'done' });
      items.add(ended.failed, { kind, outcome: 'failed' });
      items.add(ended.cancelled, { kind, outcome: 'cancelled' });
    },
    ({ job: { kind }, attempt, createdAt }) => {
      running.inc({ kind });
      starts.count({ kind });
      if (attempt > 1) retries.count({ kind });
      // Clocks of two machines may differ.
      else waits.observe(Math.max(0, Date.now() - createdAt) / 1_000, { kind });
    },
  );
}

/** Counts deliveries of job messages. */
export function deliveryMetrics(metrics: MetricSet): DeliveryObserver {
  const known = KINDS.flatMap(({ kind }) => DELIVERIES.map((labels) => ({ kind, ...labels })));
  const deliveries = metrics.counter('gateway_deliveries_total', known);
  return timing(({ message: { kind } }, { outcome, reason = '' }) => deliveries.count({ kind, outcome, reason }));
}

/** Measures reports. */
export function reportMetrics(metrics: MetricSet): ReportObserver {
  const durations = metrics.histogram('gateway_report_duration_seconds');
  const drawing = metrics.histogram('gateway_report_drawing_seconds');
  const pages = metrics.counter('gateway_report_pages_total');
  return timing((_report, drawn, seconds) => {
    durations.observe(seconds, { outcome: drawn === undefined ? 'not_drawn' : 'drawn' });
    if (drawn === undefined) return;
    drawing.observe(drawn.drawingMs / 1_000);
    pages.add(drawn.pages);
  });
}

/** Measures what the object store is asked for. */
export function objectMetrics(metrics: MetricSet): ObjectObserver {
  const durations = metrics.histogram('gateway_object_store_operation_duration_seconds');
  return timing((operation, outcome, seconds) => durations.observe(seconds, { operation, outcome }));
}

import { SpanKind } from '@opentelemetry/api';
import { ATTR_DB_OPERATION_NAME, ATTR_DB_SYSTEM_NAME } from '@opentelemetry/semantic-conventions';
import type { StoreOperation } from '../../job-record/store-observer.js';
import type { ObjectOperation } from '../../objects/object-observer.js';
import type { Observation } from '../../observation.js';
import type { Spans } from './spans.js';

/** What the job store or its queue is asked for: one span each, however many commands it takes. */
export function jobStore(spans: Spans, operation: StoreOperation, database: string): Observation<'ok' | 'failed'> {
  const attributes = { [ATTR_DB_SYSTEM_NAME]: database, [ATTR_DB_OPERATION_NAME]: operation };
  const kind = operation === 'submit' ? SpanKind.PRODUCER : SpanKind.CLIENT;
  return spans.continue({ name: `job-store ${operation}`, kind, attributes }, errorOf);
}

/** What the object store is asked for: one span for an upload, in however many parts. */
export function objects(spans: Spans, operation: ObjectOperation): Observation<'ok' | 'failed'> {
  return spans.continue({ name: `object-store ${operation}`, kind: SpanKind.CLIENT, attributes: {} }, errorOf);
}

function errorOf(end: 'ok' | 'failed'): { readonly error: string | undefined } {
  return { error: end === 'failed' ? end : undefined };
}

import { CALLBACK_PATHS, LIST_KINDS } from '../../generated/callbacks.js';

/** The path of the callback that handles each kind of job (specification, "Endpoints"). */
export { CALLBACK_PATHS };

/**
 * A kind of job, as it stands in record keys, object keys and queue messages: `x-job-kind` of a callback in
 * `openapi/gateway.yaml`.
 */
export type JobKind = keyof typeof CALLBACK_PATHS;

/** A kind whose body is a list of items that stand by themselves, so that some of them alone make a job too. */
export type BulkKind = (typeof LIST_KINDS)[number];

const BULK_KINDS: ReadonlySet<JobKind> = new Set(LIST_KINDS);

/** Whether the body of such a job is a list of items. */
export function isBulkKind(kind: JobKind): kind is BulkKind {
  return BULK_KINDS.has(kind);
}

/** Whether a text names a kind of job. */
export function isJobKind(text: string): text is JobKind {
  return Object.hasOwn(CALLBACK_PATHS, text);
}

/** Every kind of job. */
export const JOB_KINDS: readonly JobKind[] = Object.keys(CALLBACK_PATHS).filter(isJobKind);

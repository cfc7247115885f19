import { CALLBACK_PATHS, LIST_KINDS } from '../../../generated/callbacks.js';

/** Callback path of each kind of job (specification, "Endpoints"). */
export { CALLBACK_PATHS };

/** Kind of job, as in keys of records and objects and in messages: `x-job-kind` in `openapi/gateway.yaml`. */
export type JobKind = keyof typeof CALLBACK_PATHS;

const BULK_KINDS: ReadonlySet<JobKind> = new Set(LIST_KINDS);

/** Returns true if the body of such a job is a list of independent items, any part of which is a body as well. */
export function isBulkKind(kind: JobKind): boolean {
  return BULK_KINDS.has(kind);
}

export function isJobKind(text: string): text is JobKind {
  return Object.hasOwn(CALLBACK_PATHS, text);
}

export const JOB_KINDS: readonly JobKind[] = Object.keys(CALLBACK_PATHS).filter(isJobKind);

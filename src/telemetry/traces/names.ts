/*
 * Names of attributes that are not yet among the stable semantic conventions of OpenTelemetry, and our own. Values are
 * ids, words from short lists and numbers: never texts of requests, replies or errors, which could hold secrets.
 */
export const ATTRIBUTES = {
  operationName: 'graphql.operation.name',
  operationType: 'graphql.operation.type',
  /** Codes of the errors that were answered, each once. */
  errorCodes: 'gateway.graphql.error_codes',
  /** As in the log. */
  requestId: 'gateway.request.id',
  backend: 'peer.service',
  /** Call of a backend, such as `listMobiles`. */
  call: 'gateway.backend.call',
  /** For whom a backend is called: `user` or `job`. */
  caller: 'gateway.backend.caller',
  jobId: 'gateway.job.id',
  jobKind: 'gateway.job.kind',
  org: 'gateway.job.org',
  attempt: 'gateway.job.attempt',
  items: 'gateway.job.items',
  failedItems: 'gateway.job.failed_items',
  /** How a run of a job, or a delivery, ended. */
  outcome: 'gateway.job.outcome',
  /** Place of an item in the body, from 0. */
  item: 'gateway.job.item',
  pages: 'gateway.report.pages',
  /** Time that a thread drew, waiting left out, in milliseconds. */
  drawingMs: 'gateway.report.drawing_ms',
  /** What the object store is: `files` or `s3`. */
  objectStore: 'gateway.object_store.kind',
  /** An upload is one span, however many requests of S3 it takes, so nothing else of its conventions fits. */
  bucket: 'aws.s3.bucket',
} as const;

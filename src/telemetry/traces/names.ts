/*
 * Attribute names of our own, and those not yet in the stable semantic conventions of OpenTelemetry. Values are ids,
 * words from short lists and numbers: never texts of requests, replies or errors, which could hold secrets.
 */
export const ATTRIBUTES = {
  operationName: 'graphql.operation.name',
  operationType: 'graphql.operation.type',
  /** Distinct codes of the errors in the reply. */
  errorCodes: 'gateway.graphql.error_codes',
  /** As in the log. */
  requestId: 'gateway.request.id',
  backend: 'peer.service',
  /** Call of a backend, such as `listMobiles`. */
  call: 'gateway.backend.call',
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
  /** The only attribute of the S3 conventions that fits: an upload of many requests is one span. */
  bucket: 'aws.s3.bucket',
} as const;

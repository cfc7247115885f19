import type { paths } from '../../generated/gateway.js';

/**
 * The kinds of job, as they stand in record keys, object keys and queue messages, with the path of the callback that
 * handles each (specification, "Endpoints").
 */
export const CALLBACK_PATHS = {
  'driving-reports': '/api/v1/DrivingReport/GenerateCallback',
  'user-accounts': '/api/v1/UserAccount/BulkOperationCallback',
  mobiles: '/api/v1/Mobile/BulkUpdateCallback',
} as const satisfies Readonly<Record<string, keyof paths>>;

/** A kind of job. */
export type JobKind = keyof typeof CALLBACK_PATHS;

type Body<Kind extends JobKind> =
  paths[(typeof CALLBACK_PATHS)[Kind]]['post']['requestBody']['content']['application/json'];

/** A kind whose body is a list of items that stand by themselves, so that some of them alone make a job too. */
export type BulkKind = { [Kind in JobKind]: Body<Kind> extends readonly unknown[] ? Kind : never }[JobKind];

/** Says of every kind whether it is a bulk kind; held against its body in the OpenAPI file by the compiler. */
const IS_BULK: { readonly [Kind in JobKind]: Kind extends BulkKind ? true : false } = {
  'driving-reports': false,
  'user-accounts': true,
  mobiles: true,
};

/** Whether the body of such a job is a list of items. */
export function isBulkKind(kind: JobKind): kind is BulkKind {
  return IS_BULK[kind];
}

/** Whether a text names a kind of job. */
export function isJobKind(text: string): text is JobKind {
  return Object.hasOwn(CALLBACK_PATHS, text);
}

/** Every kind of job. */
export const JOB_KINDS: readonly JobKind[] = Object.keys(CALLBACK_PATHS).filter(isJobKind);

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

/** Whether a text names a kind of job. */
export function isJobKind(text: string): text is JobKind {
  return Object.hasOwn(CALLBACK_PATHS, text);
}

/** Every kind of job. */
export const JOB_KINDS: readonly JobKind[] = Object.keys(CALLBACK_PATHS).filter(isJobKind);

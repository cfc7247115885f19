import { createHash } from 'node:crypto';
import { stringify } from 'uuid';
import type { JobIdentity } from './job-record.js';

/** Order that a user may repeat: its key is the user's own, within the organisation and the kind. */
export interface KeyedOrder extends Pick<JobIdentity, 'kind'> {
  readonly org: string;
  readonly backendUser: string;
  readonly idempotencyKey: string;
}

/**
 * Returns the id of the job that an order with an idempotency key starts: a UUID of version 8 (RFC 9562, section 5.8)
 * of SHA-256 over the JSON list of kind, organisation, user and key. No secret is in it, so all replicas make the same.
 */
export function keyedJobId({ kind, org, backendUser, idempotencyKey }: KeyedOrder): string {
  const name = JSON.stringify([kind, org, backendUser, idempotencyKey]);
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return stringify(bytes);
}

const KEYED = /^[\da-f]{8}-[\da-f]{4}-8/;

/** Returns true for an id that comes again with its key after the record has expired, or derives from such an id. */
export function isKeyedJobId(jobId: string): boolean {
  return KEYED.test(jobId);
}

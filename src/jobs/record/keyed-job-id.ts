import { createHash } from 'node:crypto';
import { stringify } from 'uuid';
import { encodeKeyPart, type JobIdentity } from './job-record.js';

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

/**
 * Returns the prefix of the `Idempotency-Key`s of the items of a job, as 0.2.0 makes it. An id derived from content or
 * from a user's key returns with them later, and must not get the answers of the first time. Equal ids of jobs in
 * different organisations have different prefixes.
 *
 * @param createdAt time when the job was accepted, milliseconds since 1970
 * @param isDerived true if the id derives from the content of the job
 */
export function keyPrefixOf({ org, jobId }: Omit<JobIdentity, 'kind'>, createdAt: number, isDerived: boolean): string {
  const effectId = isDerived || isKeyedJobId(jobId) ? `${jobId}:${createdAt}` : jobId;
  return `${encodeKeyPart(org ?? '')}:${effectId}`;
}

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { encodeKeyPart } from './job-record.js';

/*
 * Signatures of callbacks according to Standard Webhooks 1.0.0 ("Signature scheme", symmetric): HMAC-SHA-256 over id,
 * timestamp and body, joined by full stops. Sender and receiver share this file.
 */

export interface CallbackSignature {
  /** `{org}.{job}.{uuid}`, a new one for each attempt. */
  readonly 'webhook-id': string;
  /** Send time, seconds since 1970. */
  readonly 'webhook-timestamp': string;
  /** `v1,` and base64, once for each secret, separated by spaces. */
  readonly 'webhook-signature': string;
}

/** Job of a callback, from its other headers. An absent value becomes an empty part of the id. */
export type SignedJob = Readonly<Record<'org' | 'jobId', string | undefined>>;

/** Signs an attempt to call a callback, under every secret. @param now milliseconds since 1970 */
export function signCallback(
  secrets: readonly Uint8Array[],
  job: SignedJob,
  body: string,
  now: number,
): CallbackSignature {
  const id = `${idPrefixOf(job)}${randomUUID()}`;
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets.map((secret) => signatureOf(secret, id, timestamp, body));
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isAttemptAt(job: SignedJob, id: string): boolean {
  const prefix = idPrefixOf(job);
  return id.startsWith(prefix) && UUID.test(id.slice(prefix.length));
}

/** Finds the secret of any of the signatures, in constant time. @returns its index; below 0 if none made one */
export function signingSecretOf(
  secrets: readonly Uint8Array[],
  { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': given }: CallbackSignature,
  body: Uint8Array,
): number {
  const candidates = given.split(' ').map((signature) => Buffer.from(signature));
  // Each secret is tried, so that the time does not reveal the matching one.
  return secrets
    .map((secret) => Buffer.from(signatureOf(secret, id, timestamp, body)))
    .map((expected) => candidates.filter((each) => each.length === expected.length && timingSafeEqual(each, expected)))
    .findIndex((matches) => matches.length > 0);
}

function idPrefixOf({ org, jobId }: SignedJob): string {
  // Only the job id may contain a full stop, so no other job has this prefix with a UUID behind it.
  return `${encodeKeyPart(org ?? '')}.${jobId ?? ''}.`;
}

function signatureOf(secret: Uint8Array, id: string, timestamp: string, body: string | Uint8Array): string {
  return `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

/** Memory of ids that are accepted only once, shared by all processes on the same engine. */
export interface ReplayMemory {
  /**
   * Remembers an id of up to 64 characters of `A-Z a-z 0-9 _ -`, as one atomic step; false when it was remembered
   * already.
   *
   * @throws {ServiceUnavailableError} when the memory cannot be reached
   */
  remember(id: string, forMs: number): Promise<boolean>;
}

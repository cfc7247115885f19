import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { encodeKeyPart } from './job-record.js';

/*
 * Signatures of callbacks as Standard Webhooks 1.0.0 has them ("Signature scheme", symmetric): HMAC-SHA-256 over id,
 * timestamp and body, joined by full stops. Sender and receiver share this file.
 */

/** Headers of a signed callback. */
export interface CallbackSignature {
  /** `{org}.{job}.{uuid}`, another one for each attempt. */
  readonly 'webhook-id': string;
  /** When it was sent, seconds since 1970. */
  readonly 'webhook-timestamp': string;
  /** `v1,` and base64, once for each secret, separated by spaces. */
  readonly 'webhook-signature': string;
}

/** Whose job a callback is, as its other headers say; what they leave out is the empty text in the id. */
export interface SignedJob {
  readonly org: string | undefined;
  readonly jobId: string | undefined;
}

/**
 * Signs one attempt to call a callback, under every secret, so that it is accepted wherever one of them is known.
 *
 * @param now milliseconds since 1970
 */
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

/** Whether an id is one of an attempt at this job. */
export function isAttemptAt(job: SignedJob, id: string): boolean {
  const prefix = idPrefixOf(job);
  return id.startsWith(prefix) && UUID.test(id.slice(prefix.length));
}

/**
 * Which of the secrets any of the given signatures was made with; compared in constant time, as text.
 *
 * @returns its index, below 0 when there is none
 */
export function signingSecretOf(
  secrets: readonly Uint8Array[],
  { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': given }: CallbackSignature,
  body: Uint8Array,
): number {
  const candidates = given.split(' ').map((signature) => Buffer.from(signature));
  // Each secret is tried, so that the time does not tell which one it was.
  return secrets
    .map((secret) => Buffer.from(signatureOf(secret, id, timestamp, body)))
    .map((expected) => candidates.filter((each) => each.length === expected.length && timingSafeEqual(each, expected)))
    .findIndex((matches) => matches.length > 0);
}

function idPrefixOf({ org, jobId }: SignedJob): string {
  // No part but the job id holds a full stop, so no other job has this beginning and a UUID behind it.
  return `${org === undefined ? '' : encodeKeyPart(org)}.${jobId ?? ''}.`;
}

function signatureOf(secret: Uint8Array, id: string, timestamp: string, body: string | Uint8Array): string {
  return `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

/** Remembers for a while what may come only once, for all processes on the same engine. */
export interface ReplayMemory {
  /**
   * Remembers an id, as one atomic step.
   *
   * @param id up to 64 characters of `A-Z a-z 0-9 _ -`
   * @returns false when it was remembered already
   * @throws {ServiceUnavailableError} it cannot be told
   */
  remember(id: string, forMs: number): Promise<boolean>;
}

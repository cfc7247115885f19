import canonicalize from 'canonicalize';
import type { KeyRing } from '../config/key-ring.js';
import type { JobKind } from './job-kinds.js';

/** How long the outcome of a job without an id of its own is kept: it only bridges a redelivery. */
export const DERIVED_ID_RETENTION_MS = 10 * 60 * 1000;

type NonEmpty<T> = readonly [T, ...T[]];

/**
 * Fingerprints of a request body: HMAC-SHA-256 over its canonical JSON (RFC 8785), because bodies hold
 * passwords and a plain hash of a short one could be guessed. One per valid key, the current key's first.
 */
export function fingerprintsOf(keyRing: KeyRing, body: unknown): NonEmpty<string> {
  return keyRing.sign('job-fingerprint', canonicalize(body) ?? '');
}

/**
 * Ids for a job that came without one, made of its kind, organisation and body, so that a second delivery is
 * recognised. One per valid key, the current key's first.
 */
export function derivedJobIds(
  keyRing: KeyRing,
  job: { readonly kind: JobKind; readonly org: string | undefined; readonly body: unknown },
): NonEmpty<string> {
  return keyRing.sign('job-fingerprint', canonicalize([job.kind, job.org ?? null, job.body]) ?? '');
}

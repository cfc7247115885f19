import type { KeyRing } from '../config/key-ring.js';
import { decryptCompact, encryptCompact, JweError, type JweHeader } from './compact-jwe.js';
import type { JobIdentity } from './job-record.js';

/** The key of a payload is not configured here; it may be later, during a key rotation. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError';

  constructor(kid: string) {
    super(`The queue payload was encrypted with key "${kid}", which is not configured.`);
  }
}

/**
 * Encrypts the body of a job for the queue: compact JWE (RFC 7516), `dir` with `A256GCM`. The protected header names
 * the key and the job, so that a payload cannot be moved to another job, and says when it was sealed (`iat`, RFC 7519,
 * section 4.1.6).
 *
 * @param body JSON text
 * @param now milliseconds since 1970
 */
export function sealPayload(keyRing: KeyRing, identity: JobIdentity, body: string, now = Date.now()): Promise<string> {
  const [{ kid, key }] = keyRing.for('queue-payload');
  const { kind, org, jobId } = identity;
  const job = { kind, ...(org !== undefined && { org }), jobId };
  return Promise.resolve(encryptCompact(body, { kid, iat: Math.floor(now / 1000), ...job }, key));
}

/**
 * Decrypts a payload of {@link sealPayload}, with any key of the ring.
 *
 * @returns the JSON text
 * @throws {UnknownKeyError} when it was made with another key
 * @throws {Error} when the payload is of another job, or was tampered with
 */
export function openPayload(keyRing: KeyRing, identity: JobIdentity, jwe: string): Promise<string> {
  return new Promise((resolve) => {
    const { text, header } = decrypt(keyRing, jwe);
    const { kind, org, jobId, kid } = header;
    if (kind !== identity.kind || org !== identity.org || jobId !== identity.jobId) {
      throw new Error('The queue payload belongs to another job.');
    }
    if (typeof kid === 'string') keyRing.used('queue-payload', kid);
    resolve(text);
  });
}

function decrypt(keyRing: KeyRing, jwe: string): { readonly text: string; readonly header: JweHeader } {
  try {
    return decryptCompact(jwe, ({ kid }) => {
      const found = keyRing.for('queue-payload').find((candidate) => candidate.kid === kid);
      if (found !== undefined) return found.key;
      throw new UnknownKeyError(typeof kid === 'string' ? kid : '');
    });
  } catch (error) {
    if (!(error instanceof JweError)) throw error;
    throw new Error('The queue payload is damaged or was tampered with.', { cause: error });
  }
}

import { CompactEncrypt, compactDecrypt, errors } from 'jose';

import type { KeyRing } from '../config/key-ring.js';
import type { JobIdentity } from './job-record.js';

/**
 * Encrypts the body of a job for its way through the queue: compact JWE (RFC 7516), `dir` with `A256GCM`. The
 * protected header names the key and the job, so that a payload cannot be moved to another job.
 *
 * @param body JSON text
 */
export async function sealPayload(keyRing: KeyRing, identity: JobIdentity, body: string): Promise<string> {
  const [{ kid, key }] = keyRing.for('queue-payload');
  const { kind, org, jobId } = identity;
  return new CompactEncrypt(new TextEncoder().encode(body))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid, kind, ...(org !== undefined && { org }), jobId })
    .encrypt(key);
}

/**
 * Decrypts what {@link sealPayload} made, with any key of the ring.
 *
 * @returns the JSON text
 * @throws {Error} when the payload is of another job, was made with an unknown key, or was tampered with
 */
export async function openPayload(keyRing: KeyRing, identity: JobIdentity, jwe: string): Promise<string> {
  const { plaintext, protectedHeader } = await decrypt(keyRing, jwe);
  const { kind, org, jobId } = protectedHeader;
  if (kind !== identity.kind || org !== identity.org || jobId !== identity.jobId) {
    throw new Error('The queue payload belongs to another job.');
  }
  return new TextDecoder().decode(plaintext);
}

async function decrypt(keyRing: KeyRing, jwe: string): ReturnType<typeof compactDecrypt> {
  try {
    return await compactDecrypt(
      jwe,
      ({ kid }) => {
        const found = keyRing.for('queue-payload').find((candidate) => candidate.kid === kid);
        if (found === undefined) {
          throw new Error(`The queue payload was encrypted with key "${kid ?? ''}", which is not configured.`);
        }
        return found.key;
      },
      { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
    );
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    throw new Error('The queue payload is damaged or was tampered with.', { cause: error });
  }
}

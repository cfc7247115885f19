import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing } from '../../base/config/key-ring.js';
import type { JobIdentity } from './job-record.js';
import { jsonIn } from '../../base/wire/json-content.js';
import { isObject } from './stored-fields.js';

/*
 * The body of a job in the queue is a compact JWE (RFC 7516) with `dir` and `A256GCM` (RFC 7518, sections 4.5 and 5.3).
 * A portable library encodes base64 one character at a time: a body of 1.8 MB blocks the event loop for 39 ms with it,
 * and for 2 ms here.
 */
const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The key of a payload is not configured here; it may be later, during a key rotation. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError';

  constructor(kid: string) {
    super(`The queue payload was encrypted with key "${kid}", which is not configured.`);
  }
}

/**
 * Encrypts the body of a job, which is JSON text, for the queue. The protected header names the key and the job, so
 * that a payload cannot be moved to another job, and the time of encryption (`iat`, RFC 7519, section 4.1.6).
 */
export function sealPayload(keyRing: KeyRing, identity: JobIdentity, body: string, now = Date.now()): string {
  const [{ kid, key }] = keyRing.for('queue-payload');
  const { kind, org, jobId } = identity;
  const header = { alg: 'dir', enc: 'A256GCM', kid, iat: Math.floor(now / 1000), kind, org, jobId };
  const protectedHeader = Buffer.from(JSON.stringify(header)).toString('base64url');
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(protectedHeader));
  const ciphertext = cipher.update(body, 'utf8', 'base64url') + cipher.final('base64url');
  const tag = cipher.getAuthTag().toString('base64url');
  return [protectedHeader, '', iv.toString('base64url'), ciphertext, tag].join('.');
}

/**
 * Decrypts a payload of {@link sealPayload}, with any key of the ring.
 *
 * @returns the JSON text
 * @throws {UnknownKeyError} when it was made with another key
 * @throws {Error} when the payload is of another job, or was tampered with
 */
export function openPayload(keyRing: KeyRing, identity: JobIdentity, jwe: string): string {
  const [protectedHeader = '', encryptedKey, iv = '', ciphertext = '', tag = '', ...rest] = jwe.split('.');
  const header = jsonIn(Buffer.from(protectedHeader, 'base64url').toString());
  if (!isObject(header) || encryptedKey !== '' || rest.length > 0) throw tamperedWith();
  const { alg, enc, crit, zip, kid, kind, org, jobId } = header;
  if (alg !== 'dir' || enc !== 'A256GCM' || crit !== undefined || zip !== undefined) throw tamperedWith();
  const found = keyRing.for('queue-payload').find((candidate) => candidate.kid === kid);
  if (found === undefined) throw new UnknownKeyError(typeof kid === 'string' ? kid : '');
  const text = decrypted(found.key, { protectedHeader, iv, ciphertext, tag });
  if (kind !== identity.kind || org !== identity.org || jobId !== identity.jobId) {
    throw new Error('The queue payload belongs to another job.');
  }
  keyRing.used('queue-payload', found.kid);
  return text;
}

type Parts = Readonly<Record<'protectedHeader' | 'iv' | 'ciphertext' | 'tag', string>>;

function decrypted(key: Uint8Array, { protectedHeader, iv, ciphertext, tag }: Parts): string {
  try {
    const decipher = createDecipheriv(ALGORITHM, key, decode(iv, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(protectedHeader)).setAuthTag(decode(tag, TAG_BYTES));
    return Buffer.concat([decipher.update(decode(ciphertext)), decipher.final()]).toString();
  } catch (cause) {
    throw tamperedWith({ cause });
  }
}

function tamperedWith(options?: ErrorOptions): Error {
  return new Error('The queue payload is damaged or was tampered with.', options);
}

/** @throws {Error} when it is not in canonical form (RFC 7515, appendix C), or has another size */
function decode(encoded: string, size?: number): Buffer {
  const bytes = Buffer.from(encoded, 'base64url');
  if (bytes.toString('base64url') !== encoded) throw new Error('It is not base64url.');
  if (size !== undefined && bytes.length !== size) throw new Error(`It has ${bytes.length} bytes instead of ${size}.`);
  return bytes;
}

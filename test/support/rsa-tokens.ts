import {
  constants,
  createHash,
  createHmac,
  generateKeyPairSync,
  privateEncrypt,
  sign,
  type KeyObject,
} from 'node:crypto';
import type { PublicKey } from '../../src/clients/backend-api.js';

/** An RSA key pair, and how backend-api publishes it. */
export interface RsaPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly pem: string;
  readonly published: PublicKey;
}

/** @param bits of the modulus */
export function rsaPair(kid: string, bits = 2048): RsaPair {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return { privateKey, publicKey, pem, published: { kid, pem } };
}

/** Base64url of a text or of bytes; anything else as JSON. */
export function encoded(part: unknown): string {
  const bytes = typeof part === 'string' || part instanceof Uint8Array ? part : JSON.stringify(part);
  return Buffer.from(bytes).toString('base64url');
}

/** A token of a header and a payload, each a text, bytes or a value, with whatever is made of them as its signature. */
export function token(header: unknown, payload: unknown, signature: (input: Buffer) => Uint8Array): string {
  const input = `${encoded(header)}.${encoded(payload)}`;
  return `${input}.${Buffer.from(signature(Buffer.from(input))).toString('base64url')}`;
}

/** Signs as RS256 does, or with another digest. */
export function rsa({ privateKey }: Pick<RsaPair, 'privateKey'>, digest = 'sha256'): (input: Buffer) => Buffer {
  return (input) => sign(digest, input, privateKey);
}

/** Signs as PS256 does. */
export function pss({ privateKey }: Pick<RsaPair, 'privateKey'>): (input: Buffer) => Buffer {
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return (input) => sign('sha256', input, { key: privateKey, ...padding });
}

/** Signs as HS256 does. */
export function hmac(secret: string | Uint8Array, digest = 'sha256'): (input: Buffer) => Buffer {
  return (input) => createHmac(digest, secret).update(input).digest();
}

/** DigestInfo of SHA-256 in DER, up to the hash (RFC 8017, section 9.2, note 1). */
export const SHA256_PREFIX = Buffer.from('3031300d060960864801650304020105000420', 'hex');

/** A signature as the owner of the key could make it: RSA itself, without any padding of its own. */
export function padded(
  { privateKey }: RsaPair,
  make: (hash: Buffer, length: number) => Uint8Array,
): (input: Buffer) => Buffer {
  const length = (privateKey.asymmetricKeyDetails?.modulusLength ?? 0) / 8;
  return (input) => {
    const message = make(createHash('sha256').update(input).digest(), length);
    return privateEncrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, message);
  };
}

/** How an encoded message departs from the right one. */
interface EmsaOptions {
  readonly type?: number;
  /** Byte that the padding is made of. */
  readonly fill?: number;
  readonly separator?: number;
  /** Bytes behind the hash. */
  readonly after?: Uint8Array;
}

/** EMSA-PKCS1-v1_5, or what departs from it (RFC 8017, section 9.2). */
export function emsa(
  length: number,
  info: Uint8Array,
  { type = 1, fill = 0xff, separator = 0, after = new Uint8Array() }: EmsaOptions = {},
): Buffer {
  const filled = length - 3 - info.length - after.length;
  return Buffer.concat([Buffer.from([0, type]), Buffer.alloc(filled, fill), Buffer.from([separator]), info, after]);
}

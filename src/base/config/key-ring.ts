import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { listOf } from './variable.js';

/** Secrets that sign callbacks, 24 to 64 bytes each. */
export type SigningSecrets = NonEmpty<Uint8Array>;

/** Lengths required by Standard Webhooks, in bytes ("Signature scheme"). */
const MIN_BYTES = 24;
const MAX_BYTES = 64;

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/** Parses one or two secrets, each `whsec_` and base64, separated by a comma. @returns undefined if invalid */
export function parseSigningSecrets(text: string): SigningSecrets | undefined {
  return oneOrTwo(text, parseSecret);
}

function oneOrTwo<T>(text: string, parse: (entry: string) => T | undefined): NonEmpty<T> | undefined {
  const entries = listOf(text).map(parse);
  const [first, ...rest] = entries.filter((entry) => entry !== undefined);
  return first === undefined || rest.length + 1 < entries.length || rest.length > 1 ? undefined : [first, ...rest];
}

function parseSecret(text: string): Uint8Array | undefined {
  const base64 = SECRET.exec(text)?.[1] ?? '';
  const secret = Buffer.from(base64, 'base64');
  // A text that encodes the same bytes differently was truncated or mistyped.
  if (secret.toString('base64') !== base64) return undefined;
  return secret.length >= MIN_BYTES && secret.length <= MAX_BYTES ? secret : undefined;
}

/** Secrets with two valid values during rotation. */
export type RotatedKey = 'callback' | 'signing' | 'encryption';

export type KeyGeneration = 'current' | 'previous';

/** Receives the generation of each used key, but not the key. This shows when the previous key can be removed. */
export type OnKeyUsed = (key: RotatedKey, generation: KeyGeneration) => void;

/** Returns the generation of a key by its index in a list with the current key first. */
export function generationOf(index: number): KeyGeneration {
  return index === 0 ? 'current' : 'previous';
}

export interface NamedKey {
  readonly kid: string;
  readonly key: Uint8Array;
}

export interface PiecewiseSignature {
  update(piece: string): void;
  /** Returns the HMAC-SHA-256 in base64url for every key, the current one first. */
  end(): NonEmpty<string>;
}

/** Purpose of a derived key; keys of different purposes differ. */
export type KeyPurpose = 'queue-payload' | 'job-fingerprint' | 'download-link' | 'kept-session';

type NonEmpty<T> = readonly [T, ...T[]];

function mapped<T, U>([first, ...others]: NonEmpty<T>, map: (entry: T) => U): NonEmpty<U> {
  return [map(first), ...others.map(map)];
}

/**
 * Keys derived (HKDF-SHA-256, RFC 5869) from the configured master keys for jobs. The first master key is the current
 * one; the others are accepted as well, so that no data is lost by a rotation.
 */
export class KeyRing {
  readonly #keys: Readonly<Record<KeyPurpose, NonEmpty<NamedKey>>>;
  readonly #onUsed: OnKeyUsed | undefined;

  /**
   * @param masterKeys 32 bytes each, the current one first
   * @param onUsed receives the generation of the key that verified or decrypted
   */
  constructor(masterKeys: NonEmpty<Uint8Array>, onUsed?: OnKeyUsed) {
    this.#onUsed = onUsed;
    const derived = (purpose: KeyPurpose) => mapped(masterKeys, (master) => derive(master, purpose));
    this.#keys = {
      'queue-payload': derived('queue-payload'),
      'job-fingerprint': derived('job-fingerprint'),
      'download-link': derived('download-link'),
      'kept-session': derived('kept-session'),
    };
  }

  for(purpose: KeyPurpose): NonEmpty<NamedKey> {
    return this.#keys[purpose];
  }

  /** Returns the HMAC-SHA-256 of a text in base64url for every key of the purpose, the current one first. */
  sign(purpose: KeyPurpose, text: string): NonEmpty<string> {
    const signature = this.startSignature(purpose);
    signature.update(text);
    return signature.end();
  }

  startSignature(purpose: KeyPurpose): PiecewiseSignature {
    const [first, ...more] = mapped(this.#keys[purpose], ({ key }) => createHmac('sha256', key));
    return {
      update: (piece) => {
        for (const hmac of [first, ...more]) hmac.update(piece);
      },
      end: () => [first.digest('base64url'), ...more.map((hmac) => hmac.digest('base64url'))],
    };
  }

  /** Verifies a signature against every key of the purpose, in constant time. */
  verify(purpose: KeyPurpose, text: string, signature: string): boolean {
    const given = Buffer.from(signature);
    // All keys are tried, so that the time does not reveal which one matches.
    const matches = this.sign(purpose, text)
      .map((expected) => Buffer.from(expected))
      .map((expected) => expected.length === given.length && timingSafeEqual(expected, given));
    const index = matches.indexOf(true);
    if (index >= 0) this.#onUsed?.('encryption', generationOf(index));
    return index >= 0;
  }

  used(purpose: KeyPurpose, kid: string): void {
    const index = this.#keys[purpose].findIndex((key) => key.kid === kid);
    if (index >= 0) this.#onUsed?.('encryption', generationOf(index));
  }
}

/** Parses one or two keys of 32 bytes, in base64url and separated by a comma. @returns undefined if invalid */
export function parseMasterKeys(text: string): NonEmpty<Uint8Array> | undefined {
  return oneOrTwo(text, (entry) => (/^[A-Za-z0-9_-]{43}=?$/.test(entry) ? Buffer.from(entry, 'base64url') : undefined));
}

function derive(master: Uint8Array, purpose: KeyPurpose): NamedKey {
  const key = new Uint8Array(hkdfSync('sha256', master, new Uint8Array(), `vehicle-location-gateway ${purpose}`, 32));
  return { kid: createHash('sha256').update(key).digest('base64url').slice(0, 12), key };
}

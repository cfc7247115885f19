import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, exportJWK } from 'jose';

/** RSA key that signs access tokens. */
export interface SigningKey {
  /** RFC 7638 thumbprint, so that a new key never reuses an old id. */
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** SPKI in PEM form. */
  readonly pem: string;
}

const generate = promisify(generateKeyPair);

/** Keys of the backend: the newest signs, the published ones verify. */
export class SigningKeys {
  #published: readonly [SigningKey, ...SigningKey[]];
  #unpublished: Promise<SigningKey> | undefined;

  /** @param first signing key until rotation */
  constructor(first: SigningKey) {
    this.#published = [first];
  }

  /** Signing key. */
  get current(): SigningKey {
    return this.#published[0];
  }

  /** Verification keys, newest first. */
  get published(): readonly SigningKey[] {
    return this.#published;
  }

  /** Returns a key that is never published. */
  unpublished(): Promise<SigningKey> {
    this.#unpublished ??= createSigningKey();
    return this.#unpublished;
  }

  /** Replaces the signing key; the old one stays published until the next rotation if `keepOld`. */
  async rotate({ keepOld = true }: { readonly keepOld?: boolean } = {}): Promise<void> {
    const next = await createSigningKey();
    this.#published = keepOld ? [next, this.current] : [next];
  }
}

/** Generates a key of 2048 bits. */
export async function createSigningKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await generate('rsa', { modulusLength: 2048 });
  const kid = await calculateJwkThumbprint(await exportJWK(publicKey));
  return { kid, privateKey, publicKey, pem: publicKey.export({ type: 'spki', format: 'pem' }).toString() };
}

import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, exportJWK } from 'jose';

/** An RSA key that signs access tokens. */
export interface SigningKey {
  /** RFC 7638 thumbprint, so that a new key never carries an old name. */
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** SPKI in PEM form. */
  readonly pem: string;
}

const generate = promisify(generateKeyPair);

/** The keys of the backend: the newest signs, the published ones verify. */
export class SigningKeys {
  #published: readonly [SigningKey, ...SigningKey[]];
  #unpublished: Promise<SigningKey> | undefined;

  /** @param first the key that signs until it is rotated */
  constructor(first: SigningKey) {
    this.#published = [first];
  }

  /** The key that signs. */
  get current(): SigningKey {
    return this.#published[0];
  }

  /** The keys that verify, newest first. */
  get published(): readonly SigningKey[] {
    return this.#published;
  }

  /** A key that is never published. */
  unpublished(): Promise<SigningKey> {
    this.#unpublished ??= createSigningKey();
    return this.#unpublished;
  }

  /** Signs with a new key from now on; the one before stays published for a while, or not. */
  async rotate({ keepOld = true }: { readonly keepOld?: boolean } = {}): Promise<void> {
    const next = await createSigningKey();
    this.#published = keepOld ? [next, this.current] : [next];
  }
}

/** A fresh key of 2048 bits. */
export async function createSigningKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await generate('rsa', { modulusLength: 2048 });
  const kid = await calculateJwkThumbprint(await exportJWK(publicKey));
  return { kid, privateKey, publicKey, pem: publicKey.export({ type: 'spki', format: 'pem' }).toString() };
}

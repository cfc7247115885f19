import { calculateJwkThumbprint, exportJWK, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { createHmac, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { StoredAccount } from './seed/accounts.js';

/** RSA key that signs access tokens. */
export interface SigningKey {
  /** RFC 7638 thumbprint, so that a new key never reuses an old id. */
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** SPKI in PEM form. */
  readonly pem: string;
}

/** Keys of the backend: the newest signs, the published ones verify. */
export class SigningKeys {
  readonly #secret: string | Buffer;
  #published: readonly [SigningKey, ...SigningKey[]];

  /** @param first signing key until rotation */
  constructor(first: SigningKey) {
    this.#published = [first];
    this.#secret = first.privateKey.export(PKCS_8);
  }

  /** Returns the proof that a text was issued here, before or after a rotation or a restart with the same first key. */
  proofOf(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('base64url');
  }

  get current(): SigningKey {
    return this.#published[0];
  }

  /** Verification keys, newest first. */
  get published(): readonly SigningKey[] {
    return this.#published;
  }

  /** Replaces the signing key; the old one stays published until the next rotation if `keepOld`. */
  async rotate({ keepOld = true }: { readonly keepOld?: boolean } = {}): Promise<void> {
    const next = await createSigningKey();
    this.#published = keepOld ? [next, this.current] : [next];
  }
}

/** Generates a key of 2048 bits. */
export async function createSigningKey(): Promise<SigningKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return signingKeyOf(privateKey);
}

/** Returns the key in a file, which is generated if the file has none. Sessions last as long as their key. */
export async function keptSigningKey(file: string): Promise<SigningKey> {
  const kept = await readFile(file)
    .then(createPrivateKey)
    .catch(() => undefined);
  if (kept !== undefined) return signingKeyOf(kept);
  const key = await createSigningKey();
  // A directory that cannot be written fails the start of the gateway elsewhere.
  await writeFile(file, key.privateKey.export(PKCS_8), { mode: 0o600 }).catch(() => undefined);
  return key;
}

const PKCS_8 = { type: 'pkcs8', format: 'pem' } as const;

async function signingKeyOf(privateKey: KeyObject): Promise<SigningKey> {
  const publicKey = createPublicKey(privateKey);
  const kid = await calculateJwkThumbprint(await exportJWK(publicKey));
  return { kid, privateKey, publicKey, pem: publicKey.export({ type: 'spki', format: 'pem' }).toString() };
}

/** Lifetime of an access token in seconds. */
export const ACCESS_TOKEN_SECONDS = 900;

const ALGORITHM = 'RS256';
const REGION = 'jp-east';

/** Sender of a verified token. */
export interface TokenCaller {
  readonly user: string;
  readonly org: string;
  readonly isAdmin: boolean;
}

/** Issues and verifies access tokens with the claims of the specification, heading Resources. */
export class AccessTokens {
  readonly #keys: SigningKeys;
  readonly #issuer: string;
  readonly #now: () => Date;

  constructor(keys: SigningKeys, issuer: string, now: () => Date) {
    this.#keys = keys;
    this.#issuer = issuer;
    this.#now = now;
  }

  issue(account: StoredAccount): Promise<string> {
    const { kid, privateKey } = this.#keys.current;
    const header = { alg: ALGORITHM, typ: 'JWT', kid };
    return new SignJWT(this.claimsOf(account)).setProtectedHeader(header).sign(privateKey);
  }

  /** Returns the sender of a token; undefined if it is foreign or no longer valid. */
  async verify(token: string): Promise<TokenCaller | undefined> {
    const options = { algorithms: [ALGORITHM], currentDate: this.#now() };
    const attempts = this.#keys.published.map(({ publicKey }) => jwtVerify(token, publicKey, options));
    const verified = await Promise.any(attempts).catch(() => undefined);
    return verified && callerOf(verified.payload);
  }

  /** Returns the claims of a token that is issued now. */
  claimsOf({ org, profile: { loginId, isAdmin, useChat } }: StoredAccount): Record<string, unknown> {
    const issuedAt = Math.floor(this.#now().getTime() / 1000);
    return {
      iss: this.#issuer,
      preferred_username: loginId,
      'org:id': org,
      region: REGION,
      is_admin: isAdmin,
      ...(useChat && { chat_id: `chat-${loginId}` }),
      iat: issuedAt,
      exp: issuedAt + ACCESS_TOKEN_SECONDS,
    };
  }
}

function callerOf(payload: JWTPayload): TokenCaller | undefined {
  const { preferred_username: user, 'org:id': org, is_admin: isAdmin } = payload;
  if (typeof user !== 'string' || typeof org !== 'string') return undefined;
  return { user, org, isAdmin: isAdmin === true };
}

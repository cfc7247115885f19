import { CompactSign, jwtVerify, type JWTPayload, calculateJwkThumbprint, exportJWK } from 'jose';
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

const generate = promisify(generateKeyPair);

/** Keys of the backend: the newest signs, the published ones verify. */
export class SigningKeys {
  readonly #secret: string | Buffer;
  #published: readonly [SigningKey, ...SigningKey[]];
  #unpublished: Promise<SigningKey> | undefined;

  /** @param first signing key until rotation */
  constructor(first: SigningKey) {
    this.#published = [first];
    this.#secret = first.privateKey.export(PKCS_8);
  }

  /** Returns the proof that a text was issued here, before or after a rotation or a restart with the same first key. */
  proofOf(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('base64url');
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
  const { privateKey } = await generate('rsa', { modulusLength: 2048 });
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

const REGION = 'jp-east';

/** Differences of a test token from an ordinary one. */
export interface TokenOverrides {
  /** Claims to change; undefined removes one. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /**
   * Members of the protected header to change; undefined removes one. `alg` selects the signature: `none` leaves it
   * empty, an `HS` algorithm takes the public key's PEM text as its secret.
   */
  readonly header?: Readonly<Record<string, unknown>>;
  /** The published key (the default), or one that is never published. */
  readonly key?: 'current' | 'unknown';
}

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

  /** Issues a token. Throws if the key does not support the algorithm in the header. */
  async issue(subject: StoredAccount, overrides: TokenOverrides = {}): Promise<string> {
    const { claims, header, key = 'current' } = overrides;
    const signingKey = key === 'current' ? this.#keys.current : await this.#keys.unpublished();
    const protectedHeader = { alg: 'RS256', typ: 'JWT', kid: signingKey.kid, ...header };
    return sign({ ...this.#claims(subject), ...claims }, protectedHeader, signingKey);
  }

  /** Returns the sender of a token; undefined if it is foreign or no longer valid. */
  async verify(token: string): Promise<TokenCaller | undefined> {
    for (const { publicKey } of this.#keys.published) {
      try {
        const options = { algorithms: ['RS256'], currentDate: this.#now() };
        const { payload } = await jwtVerify(token, publicKey, options);
        return callerOf(payload);
      } catch {
        // Another published key may have signed it.
      }
    }
    return undefined;
  }

  #claims({ org, profile: { loginId, isAdmin, useChat } }: StoredAccount): Record<string, unknown> {
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

async function sign(claims: object, header: Record<string, unknown>, key: SigningKey): Promise<string> {
  const payload = Buffer.from(JSON.stringify(claims));
  const alg = header['alg'];
  if (typeof alg !== 'string' || alg === 'none') {
    return `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${payload.toString('base64url')}.`;
  }
  const secret = alg.startsWith('HS') ? Buffer.from(key.pem) : key.privateKey;
  return new CompactSign(payload).setProtectedHeader({ ...header, alg }).sign(secret);
}

function callerOf(payload: JWTPayload): TokenCaller | undefined {
  const { preferred_username: user, 'org:id': org, is_admin: isAdmin } = payload;
  if (typeof user !== 'string' || typeof org !== 'string') return undefined;
  return { user, org, isAdmin: isAdmin === true };
}

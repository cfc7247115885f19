import { hash, type KeyObject } from 'node:crypto';
import { decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../base/errors.js';
import { observed, type Observer } from '../../base/observation.js';
import { authUserOf, type AuthUser } from './auth-user.js';
import type { KeySource, VerificationKey } from './public-keys.js';

/** Tolerated clock difference between issuer and gateway, for `exp` and `nbf`. */
const CLOCK_TOLERANCE_SECONDS = 30;

const TOKEN_TYPES = [undefined, 'jwt', 'at+jwt'];

/** Prefix of a media type that `typ` may omit (RFC 7515, section 4.1.9). */
const APPLICATION = /^application\//;

type TokenHeader = { readonly kid: string | undefined; readonly typ: string | undefined };

/** Reads the header of an untrusted token; undefined if invalid. */
export function readHeader(token: string): TokenHeader | undefined {
  try {
    const { kid, typ } = decodeProtectedHeader(token) as { kid?: unknown; typ?: unknown }; // may hold anything
    const isText = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string';
    return isText(kid) && isText(typ) ? { kid, typ } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Verifies a token by RS256 only, whatever its header says (specification, "JWT Bearer (GraphQL)"; RFC 7515, section
 * 5.2). Keys and key URLs in the header are ignored.
 *
 * @param candidates keys that may have signed it
 * @param nowMs milliseconds since 1970
 * @returns undefined unless it is canonical, of a known type, signed by one of the keys, and valid now
 */
export async function verifySignedToken(
  token: string,
  { typ }: TokenHeader,
  candidates: readonly VerificationKey[],
  nowMs: number,
): Promise<{ readonly key: KeyObject; readonly claims: JWTPayload } | undefined> {
  if (!isCanonical(token) || !TOKEN_TYPES.includes(typ?.toLowerCase().replace(APPLICATION, ''))) return undefined;
  for (const { key } of candidates) {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['RS256'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(nowMs),
      });
      return { key, claims: payload };
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) continue;
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
  return undefined;
}

/** Returns true if each part is canonical base64url (RFC 7515, section 2): otherwise, many texts would be one token. */
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

/** Cached facts about a token. */
interface VerifiedToken {
  /** Key that verified the signature, and its name in the token's header. */
  readonly key: KeyObject;
  readonly kid: string | undefined;
  readonly user: AuthUser;
  /** `nbf` and `exp` of the token, in seconds since 1970. */
  readonly notBefore: number | undefined;
  readonly expires: number | undefined;
}

/** Limits of the number of cached tokens, of their total characters, and of those of one. An entry takes a kilobyte. */
const LIMITS = { max: 10_000, maxSize: 32 * 1024 * 1024, maxEntrySize: 8 * 1024 };

/** Cache of users by verified token, so that each signature is checked once per key. */
export class VerifiedTokens {
  readonly #tokens = new LRUCache<string, VerifiedToken>(LIMITS);

  get(token: string): VerifiedToken | undefined {
    return this.#tokens.get(hash('sha256', token, 'base64'));
  }

  /** Caches a token that is not too long. Its facts are never longer than the token itself. */
  set(token: string, verified: VerifiedToken): void {
    this.#tokens.set(hash('sha256', token, 'base64'), verified, { size: token.length });
  }

  delete(token: string): void {
    this.#tokens.delete(hash('sha256', token, 'base64'));
  }
}

/** Outcome of an authentication: `no_token` without the header, `unavailable` while the keys are. */
export type AuthenticationOutcome = 'authenticated' | 'no_token' | 'invalid_token' | 'unavailable';

declare module '../../base/observation.js' {
  interface ObservedWork {
    /** At most one for each request. */
    authentication: Observed<undefined, AuthenticationOutcome>;
  }
}

/** Dependencies and settings of authentication. */
export interface AuthenticationOptions {
  readonly keys: KeySource;
  /** Accepted values of `iss` or `aud`. */
  readonly issuers: readonly string[];
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly observer?: Observer | undefined;
  readonly verified?: VerifiedTokens;
}

/** Returns the user of an `Authorization` header, which is null if absent. */
export type Authenticate = (authorization: string | null) => Promise<AuthUser>;

const PREFIX = 'Bearer ';

/** Creates authentication of bearer tokens; see {@link authenticate}. */
export function createAuthenticate({ observer, ...options }: AuthenticationOptions): Authenticate {
  const parts = { now: Date.now, verified: new VerifiedTokens(), ...options };
  return (authorization) => {
    const work = (): Promise<AuthUser> => authenticate(parts, authorization);
    return observed(observer, 'authentication', undefined, work, (settled) =>
      'error' in settled ? failureOf(authorization, settled.error) : 'authenticated',
    );
  };
}

type Parts = Required<Omit<AuthenticationOptions, 'observer'>>;

/**
 * Authenticates by steps 3 to 7 of the specification's "JWT Bearer (GraphQL)", in that order. It requests the keys each
 * time, but verifies each signature only once by the same key.
 *
 * @throws {GatewayError} `UnAuthenticated` with one of the two specified messages
 * @throws {ServiceUnavailableError} when the keys are unavailable, which is not the caller's fault
 */
async function authenticate(parts: Parts, authorization: string | null): Promise<AuthUser> {
  if (authorization === null) throw new GatewayError('AuthorizationMissing');
  if (!authorization.startsWith(PREFIX)) throw new GatewayError('TokenInvalid');
  const user = await userOf(parts, authorization.slice(PREFIX.length));
  if (user === undefined) throw new GatewayError('TokenInvalid');
  return user;
}

/** Returns the user of a token, from the cache while the key that verified it is still published. */
async function userOf(parts: Parts, token: string): Promise<AuthUser | undefined> {
  const { keys, verified, now } = parts;
  const known = verified.get(token);
  if (known === undefined) return verify(parts, token);
  const candidates = await keys.candidates(known.kid);
  if (!candidates.some(({ key }) => key === known.key)) {
    verified.delete(token);
    return verify(parts, token, candidates);
  }
  if (isTimely(known, now())) return known.user;
  verified.delete(token);
  return undefined;
}

/** Verifies signature, times and claims of a token. @param given keys that were fetched for it already */
async function verify(
  { keys, issuers, verified, now }: Parts,
  token: string,
  given?: readonly VerificationKey[],
): Promise<AuthUser | undefined> {
  const header = readHeader(token);
  // Keys are fetched even for a malformed token, because the specification fetches before it reads the token.
  const candidates = given ?? (await keys.candidates(header?.kid));
  const checked = header && (await verifySignedToken(token, header, candidates, now()));
  const user = checked && authUserOf(checked.claims, issuers);
  if (header === undefined || checked === undefined || user === undefined) return undefined;
  const { nbf: notBefore, exp: expires } = checked.claims;
  verified.set(token, { key: checked.key, kid: header.kid, user: Object.freeze(user), notBefore, expires });
  return user;
}

function failureOf(authorization: string | null, error: unknown): AuthenticationOutcome {
  if (!(error instanceof GatewayError) || error.code !== 'UnAuthenticated') return 'unavailable';
  return authorization === null ? 'no_token' : 'invalid_token';
}

/** Checks the times of a token (RFC 7519, sections 4.1.4 and 4.1.5); absent ones set no limit. */
function isTimely({ notBefore = -Infinity, expires = Infinity }: VerifiedToken, nowMs: number): boolean {
  const now = Math.floor(nowMs / 1000);
  return notBefore <= now + CLOCK_TOLERANCE_SECONDS && expires > now - CLOCK_TOLERANCE_SECONDS;
}

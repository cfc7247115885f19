import { hash, type KeyObject } from 'node:crypto';
import { decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../base/errors.js';
import { observed, type Observer } from '../../base/observation.js';
import { authUserOf, isOfIssuer, type AuthUser } from './auth-user.js';
import type { KeySource, VerificationKey } from './public-keys.js';

/** Tolerated clock difference between issuer and gateway, for `exp` and `nbf`. */
const CLOCK_TOLERANCE_SECONDS = 30;

const TOKEN_TYPES = [undefined, 'jwt', 'at+jwt'];

/** Prefix of a media type that `typ` may omit (RFC 7515, section 4.1.9). */
const APPLICATION = /^application\//;

type TokenHeader = { readonly kid: string | undefined; readonly typ: string | undefined };

/**
 * Why a token was refused, for operators alone: its form or type, a `kid` that no key has, its signature, its `exp` or
 * `nbf`, its issuer and audience, or another claim.
 */
export const TOKEN_REFUSALS = ['form', 'key_id', 'signature', 'expiry', 'issuer', 'claim'] as const;

export type TokenRefusal = (typeof TOKEN_REFUSALS)[number];

/** A token was refused; callers are told "token is invalid" and no more (specification, "JWT Bearer (GraphQL)"). */
export class TokenRefusedError extends GatewayError<'TokenInvalid'> {
  /** @param issuer `iss` of a token whose signature is right */
  constructor(
    readonly refusal: TokenRefusal,
    readonly issuer?: unknown,
  ) {
    super('TokenInvalid');
  }
}

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
 * @returns key and claims, or why it is refused: not canonical or of no known type, signed by none of the keys, not
 *   valid now
 */
export async function verifySignedToken(
  token: string,
  { typ }: TokenHeader,
  candidates: readonly VerificationKey[],
  nowMs: number,
): Promise<{ readonly key: KeyObject; readonly claims: JWTPayload } | TokenRefusal> {
  if (!isCanonical(token) || !TOKEN_TYPES.includes(typ?.toLowerCase().replace(APPLICATION, ''))) return 'form';
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
      if (error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed) return 'expiry';
      if (error instanceof errors.JOSEError) return 'form';
      throw error;
    }
  }
  return candidates.length === 0 ? 'key_id' : 'signature';
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
type AuthenticationOutcome = 'authenticated' | 'no_token' | 'invalid_token' | 'unavailable';

/** Outcome, and for an invalid token the reason; otherwise the reason is empty. */
export interface AuthenticationEnd {
  readonly outcome: AuthenticationOutcome;
  readonly reason: TokenRefusal | '';
}

declare module '../../base/observation.js' {
  interface ObservedWork {
    /** At most one for each request. */
    authentication: Observed<undefined, AuthenticationEnd>;
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
  /** Told of each accepted token that is not made for APIs, by the claim that says so. */
  readonly onOtherKind?: (claim: OtherKind, issuer: string) => unknown;
  /** Told of each token that is refused. */
  readonly onRefused?: (error: TokenRefusedError) => unknown;
}

/** Returns the user of an `Authorization` header, which is null if absent. */
export type Authenticate = (authorization: string | null) => Promise<AuthUser>;

const PREFIX = 'Bearer ';

/** Creates authentication of bearer tokens; see {@link authenticate}. */
export function createAuthenticate({ observer, ...options }: AuthenticationOptions): Authenticate {
  const parts = {
    now: Date.now,
    verified: new VerifiedTokens(),
    onRefused: () => undefined,
    onOtherKind: () => undefined,
    ...options,
  };
  return (authorization) => {
    const work = (): Promise<AuthUser> => authenticate(parts, authorization);
    return observed(observer, 'authentication', undefined, work, (settled) =>
      'error' in settled ? failureOf(settled.error) : AUTHENTICATED,
    );
  };
}

type Parts = Required<Omit<AuthenticationOptions, 'observer'>>;

const AUTHENTICATED: AuthenticationEnd = { outcome: 'authenticated', reason: '' };

/**
 * Authenticates by steps 3 to 7 of the specification's "JWT Bearer (GraphQL)", in that order. It requests the keys each
 * time, but verifies each signature only once by the same key.
 *
 * @throws {GatewayError} `UnAuthenticated` with one of the two specified messages
 * @throws {ServiceUnavailableError} when the keys are unavailable, which is not the caller's fault
 */
async function authenticate(parts: Parts, authorization: string | null): Promise<AuthUser> {
  if (authorization === null) throw new GatewayError('AuthorizationMissing');
  if (!authorization.startsWith(PREFIX)) return refuseToken(parts, 'form');
  return userOf(parts, authorization.slice(PREFIX.length));
}

/** Returns the user of a token, from the cache while the key that verified it is still published. */
async function userOf(parts: Parts, token: string): Promise<AuthUser> {
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
  return refuseToken(parts, 'expiry', known.user.Issuser);
}

/** Verifies signature, times and claims of a token. @param given keys that were fetched for it already */
async function verify(parts: Parts, token: string, given?: readonly VerificationKey[]): Promise<AuthUser> {
  const { keys, issuers, verified, now } = parts;
  const header = readHeader(token);
  // Keys are fetched even for a malformed token, because the specification fetches before it reads the token.
  const candidates = given ?? (await keys.candidates(header?.kid));
  if (header === undefined) return refuseToken(parts, 'form');
  const checked = await verifySignedToken(token, header, candidates, now());
  if (typeof checked === 'string') return refuseToken(parts, checked);
  const { key, claims } = checked;
  const user = authUserOf(claims, issuers);
  if (user === undefined) return refuseToken(parts, isOfIssuer(claims, issuers) ? 'claim' : 'issuer', claims.iss);
  const other = otherKindOf(claims, now());
  if (other !== undefined) parts.onOtherKind(other, user.Issuser);
  const { nbf: notBefore, exp: expires } = claims;
  verified.set(token, { key, kid: header.kid, user: Object.freeze(user), notBefore, expires });
  return user;
}

/** Claim by which a token is of another kind than an access token. */
export type OtherKind = 'typ' | 'token_use' | 'events' | 'exp';

/** Values of `typ` as a claim that Keycloak gives to other tokens. */
const OTHER_TYPES: readonly unknown[] = ['ID', 'Refresh', 'Offline'];

const TEN_YEARS_SECONDS = 315_360_000;

/** Returns the claim that makes a token one of another kind, or of no end; the specification has no rule for them. */
function otherKindOf(claims: JWTPayload, nowMs: number): OtherKind | undefined {
  const { typ, token_use: use, events, exp = Infinity } = claims;
  if (OTHER_TYPES.includes(typ)) return 'typ';
  if (use === 'id') return 'token_use';
  if (events !== undefined) return 'events';
  return exp > nowMs / 1_000 + TEN_YEARS_SECONDS ? 'exp' : undefined;
}

/** @throws {TokenRefusedError} */
function refuseToken({ onRefused }: Parts, refusal: TokenRefusal, issuer?: unknown): never {
  const error = new TokenRefusedError(refusal, issuer);
  onRefused(error);
  throw error;
}

function failureOf(error: unknown): AuthenticationEnd {
  if (error instanceof TokenRefusedError) return { outcome: 'invalid_token', reason: error.refusal };
  const isAbsent = error instanceof GatewayError && error.reason === 'AuthorizationMissing';
  return { outcome: isAbsent ? 'no_token' : 'unavailable', reason: '' };
}

/** Checks the times of a token (RFC 7519, sections 4.1.4 and 4.1.5); absent ones set no limit. */
function isTimely({ notBefore = -Infinity, expires = Infinity }: VerifiedToken, nowMs: number): boolean {
  const now = Math.floor(nowMs / 1000);
  return notBefore <= now + CLOCK_TOLERANCE_SECONDS && expires > now - CLOCK_TOLERANCE_SECONDS;
}

import { hash, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { GatewayError, unauthenticated } from '../errors.js';
import { observed } from '../observation.js';
import { authUserOf, type AuthUser } from './auth-user.js';
import type { AuthenticationObserver, AuthenticationOutcome } from './authentication-observer.js';
import type { KeySource, VerificationKey } from './public-keys.js';
import { CLOCK_TOLERANCE_SECONDS, readHeader, verifySignedToken } from './signed-token.js';

/** What is remembered of a token. */
export interface VerifiedToken {
  /** Key that verified the signature. */
  readonly key: KeyObject;
  /** Name of the key that the token gives. */
  readonly kid: string | undefined;
  readonly user: AuthUser;
  /** `nbf` and `exp` of the token, in seconds since 1970. */
  readonly notBefore: number | undefined;
  readonly expires: number | undefined;
}

/** Tokens that are remembered, and the characters of all of them together. An entry takes about a kilobyte. */
const MAX_TOKENS = 10_000;
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** A longer token is verified each time it comes. */
const MAX_LENGTH = 8 * 1024;

/**
 * Users by the tokens that have been verified, so that the signature of each is checked once for each key. Tokens
 * themselves are not kept, only their hashes and what is read of them, which is never longer than they are: so the
 * length of a token is its size. Whoever sends ever new tokens, or long ones, displaces what was not used for the
 * longest time, and fills no memory; a displaced token is verified again.
 */
export class VerifiedTokens {
  readonly #tokens = new LRUCache<string, VerifiedToken>({
    max: MAX_TOKENS,
    maxSize: MAX_CHARACTERS,
    maxEntrySize: MAX_LENGTH,
  });

  /** What is remembered of a token, which is used with that. */
  get(token: string): VerifiedToken | undefined {
    return this.#tokens.get(hash('sha256', token, 'base64'));
  }

  /** Remembers a token that is not too long, and forgets others when there is no room. */
  set(token: string, verified: VerifiedToken): void {
    this.#tokens.set(hash('sha256', token, 'base64'), verified, { size: token.length });
  }

  delete(token: string): void {
    this.#tokens.delete(hash('sha256', token, 'base64'));
  }
}

/** What authentication needs to know. */
export interface AuthenticationOptions {
  readonly keys: KeySource;
  /** Values of which `iss` or `aud` must be one. */
  readonly issuers: readonly string[];
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Absent: nobody watches. */
  readonly observer?: AuthenticationObserver | undefined;
  /** Tokens that were verified before; none when left out. */
  readonly verified?: VerifiedTokens;
}

/** Turns the value of an `Authorization` header, null when there is none, into the user. */
export type Authenticate = (authorization: string | null) => Promise<AuthUser>;

const PREFIX = 'Bearer ';

/**
 * Authentication as the specification's "JWT Bearer (GraphQL)", steps 3 to 7, in that order. The keys are asked for
 * each time; a signature that one of them has verified before is not verified again.
 *
 * The returned function throws `UnAuthenticated` with one of the two specified messages, or
 * `ServiceUnavailableError` when the keys cannot be had, which is not the caller's fault.
 */
export function createAuthenticate({
  keys,
  issuers,
  now = Date.now,
  observer,
  verified = new VerifiedTokens(),
}: AuthenticationOptions): Authenticate {
  async function userOf(token: string): Promise<AuthUser | undefined> {
    const known = verified.get(token);
    if (known === undefined) return verify(token);
    const candidates = await keys.candidates(known.kid);
    if (!candidates.some(({ key }) => key === known.key)) {
      verified.delete(token);
      return verify(token, candidates);
    }
    if (isTimely(known, now())) return known.user;
    verified.delete(token);
    return undefined;
  }

  async function verify(token: string, given?: readonly VerificationKey[]): Promise<AuthUser | undefined> {
    const header = readHeader(token);
    // The keys are fetched for a malformed token too: the specification fetches before it looks at the token.
    const candidates = given ?? (await keys.candidates(header?.kid));
    const checked = header && (await verifySignedToken(token, header, candidates, now()));
    const user = checked && authUserOf(checked.claims, issuers);
    if (header === undefined || checked === undefined || user === undefined) return undefined;
    const { nbf: notBefore, exp: expires } = checked.claims;
    verified.set(token, { key: checked.key, kid: header.kid, user: Object.freeze(user), notBefore, expires });
    return user;
  }

  async function authenticate(authorization: string | null): Promise<AuthUser> {
    if (authorization === null) throw unauthenticated('Authorization header not set');
    if (!authorization.startsWith(PREFIX)) throw unauthenticated('token is invalid');
    const user = await userOf(authorization.slice(PREFIX.length));
    if (user === undefined) throw unauthenticated('token is invalid');
    return user;
  }

  if (observer === undefined) return authenticate;
  return (authorization) =>
    observed(
      observer.started(undefined),
      () => authenticate(authorization),
      (settled) => ('error' in settled ? failureOf(authorization, settled.error) : 'authenticated'),
    );
}

function failureOf(authorization: string | null, error: unknown): AuthenticationOutcome {
  if (!(error instanceof GatewayError) || error.code !== 'UnAuthenticated') return 'unavailable';
  return authorization === null ? 'no_token' : 'invalid_token';
}

/** RFC 7519, sections 4.1.4 and 4.1.5; claims without them hold for ever. */
function isTimely({ notBefore = -Infinity, expires = Infinity }: VerifiedToken, nowMs: number): boolean {
  const now = Math.floor(nowMs / 1000);
  return notBefore <= now + CLOCK_TOLERANCE_SECONDS && expires > now - CLOCK_TOLERANCE_SECONDS;
}

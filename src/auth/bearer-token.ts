import { decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import { unauthenticated } from '../errors.js';
import { authUserOf, type AuthUser } from './auth-user.js';
import type { KeySource, VerificationKey } from './public-keys.js';
import { VerifiedTokens, type VerifiedToken } from './verified-tokens.js';

/** What authentication needs to know. */
export interface AuthenticationOptions {
  readonly keys: KeySource;
  /** Values of which `iss` or `aud` must be one. */
  readonly issuers: readonly string[];
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Turns the value of an `Authorization` header, null when there is none, into the user. */
export type Authenticate = (authorization: string | null) => Promise<AuthUser>;

/** Clock difference between issuer and gateway that `exp` and `nbf` forgive. */
const CLOCK_TOLERANCE_SECONDS = 30;

const PREFIX = 'Bearer ';
const TOKEN_TYPES = [undefined, 'jwt', 'at+jwt'];

/**
 * Authentication as the specification's "JWT Bearer (GraphQL)", steps 3 to 7, in that order. The keys are asked for
 * each time; a signature that one of them has verified before is not verified again.
 *
 * The returned function throws `UnAuthenticated` with one of the two specified messages, or
 * `ServiceUnavailableError` when the keys cannot be had, which is not the caller's fault.
 */
export function createAuthenticate({ keys, issuers, now = Date.now }: AuthenticationOptions): Authenticate {
  const verified = new VerifiedTokens();

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
    const header = protectedHeader(token);
    // The keys are fetched for a malformed token too: the specification fetches before it looks at the token.
    const candidates = given ?? (await keys.candidates(header?.kid));
    if (header === undefined || !isCanonical(token) || !TOKEN_TYPES.includes(header.typ?.toLowerCase()))
      return undefined;
    const checked = await verifySignature(token, candidates, now());
    const user = checked && authUserOf(checked.claims, issuers);
    if (checked === undefined || user === undefined) return undefined;
    const { nbf: notBefore, exp: expires } = checked.claims;
    verified.set(token, { key: checked.key, kid: header.kid, user: Object.freeze(user), notBefore, expires });
    return user;
  }

  return async (authorization) => {
    if (authorization === null) throw unauthenticated('Authorization header not set');
    if (!authorization.startsWith(PREFIX)) throw unauthenticated('token is invalid');
    const user = await userOf(authorization.slice(PREFIX.length));
    if (user === undefined) throw unauthenticated('token is invalid');
    return user;
  };
}

/** RFC 7519, sections 4.1.4 and 4.1.5; claims without them hold for ever. */
function isTimely({ notBefore = -Infinity, expires = Infinity }: VerifiedToken, nowMs: number): boolean {
  const now = Math.floor(nowMs / 1000);
  return notBefore <= now + CLOCK_TOLERANCE_SECONDS && expires > now - CLOCK_TOLERANCE_SECONDS;
}

interface Checked extends Pick<VerificationKey, 'key'> {
  readonly claims: JWTPayload;
}

/** Verified claims, or undefined. The `kid` only chooses keys; `alg` is fixed, whatever the header says. */
async function verifySignature(
  token: string,
  candidates: readonly VerificationKey[],
  nowMs: number,
): Promise<Checked | undefined> {
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

/**
 * Whether each part is spelled in the only way in which base64url without padding spells its bytes (RFC 7515,
 * section 2). Decoders overlook white space, padding and left-over bits, so that one token would have many texts.
 */
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

interface TokenHeader {
  readonly kid: string | undefined;
  readonly typ: string | undefined;
}

function protectedHeader(token: string): TokenHeader | undefined {
  try {
    const { kid, typ } = decodeProtectedHeader(token) as { kid?: unknown; typ?: unknown }; // may hold anything
    const isText = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string';
    return isText(kid) && isText(typ) ? { kid, typ } : undefined;
  } catch {
    return undefined;
  }
}

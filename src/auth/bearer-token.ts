import { decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import { unauthenticated } from '../errors.js';
import { authUserOf, type AuthUser } from './auth-user.js';
import type { KeySource } from './public-keys.js';

/** What authentication needs to know. */
export interface AuthenticationOptions {
  readonly keys: KeySource;
  /** Values of which `iss` or `aud` must be one. */
  readonly issuers: readonly string[];
}

/** Turns the value of an `Authorization` header, null when there is none, into the user. */
export type Authenticate = (authorization: string | null) => Promise<AuthUser>;

/** Clock difference between issuer and gateway that `exp` and `nbf` forgive. */
const CLOCK_TOLERANCE_SECONDS = 30;

const PREFIX = 'Bearer ';
const TOKEN_TYPES = [undefined, 'jwt', 'at+jwt'];

/**
 * Authentication as the specification's "JWT Bearer (GraphQL)", steps 3 to 7, in that order.
 *
 * The returned function throws `UnAuthenticated` with one of the two specified messages, or
 * `ServiceUnavailableError` when the keys cannot be had, which is not the caller's fault.
 */
export function createAuthenticate({ keys, issuers }: AuthenticationOptions): Authenticate {
  return async (authorization) => {
    if (authorization === null) throw unauthenticated('Authorization header not set');
    if (!authorization.startsWith(PREFIX)) throw unauthenticated('token is invalid');
    const token = authorization.slice(PREFIX.length);
    const claims = await verify(token, keys);
    const user = claims && authUserOf(claims, issuers);
    if (user === undefined) throw unauthenticated('token is invalid');
    return user;
  };
}

/** Verified claims, or undefined. The `kid` only chooses keys; `alg` is fixed, whatever the header says. */
async function verify(token: string, keys: KeySource): Promise<JWTPayload | undefined> {
  const header = protectedHeader(token);
  // The keys are fetched for a malformed token too: the specification fetches before it looks at the token.
  const candidates = await keys.candidates(header?.kid);
  if (header === undefined || !TOKEN_TYPES.includes(header.typ?.toLowerCase())) return undefined;
  for (const { key } of candidates) {
    try {
      const options = { algorithms: ['RS256'], clockTolerance: CLOCK_TOLERANCE_SECONDS };
      return (await jwtVerify(token, key, options)).payload;
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) continue;
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
  return undefined;
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

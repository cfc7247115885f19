import { decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import type { VerificationKey } from './public-keys.js';

/** Tolerated clock difference between issuer and gateway, for `exp` and `nbf`. */
export const CLOCK_TOLERANCE_SECONDS = 30;

const TOKEN_TYPES = [undefined, 'jwt', 'at+jwt'];

/** Prefix of a media type that `typ` may omit (RFC 7515, section 4.1.9). */
const APPLICATION = /^application\//;

/** Header fields needed before verification. */
export interface TokenHeader {
  readonly kid: string | undefined;
  readonly typ: string | undefined;
}

/** A token with valid signature and times. */
export interface SignedToken extends Pick<VerificationKey, 'key'> {
  readonly claims: JWTPayload;
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
 * Verifies a token by RS256 only, regardless of its header (specification, "JWT Bearer (GraphQL)"; RFC 7515, section
 * 5.2). Its `kid` only selected the keys; embedded keys and key URLs are ignored.
 *
 * @param candidates keys that may have signed it
 * @param nowMs milliseconds since 1970
 * @returns undefined if the token is malformed, not canonical, of another type, not signed by one of the keys, or not
 *   valid now
 */
export async function verifySignedToken(
  token: string,
  { typ }: TokenHeader,
  candidates: readonly VerificationKey[],
  nowMs: number,
): Promise<SignedToken | undefined> {
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

/**
 * Returns true if each part is the canonical base64url of its bytes, without padding (RFC 7515, section 2). Decoders
 * ignore white space, padding and left-over bits, so one token would have many texts.
 */
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

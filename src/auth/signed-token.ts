import { decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import type { VerificationKey } from './public-keys.js';

/** Clock difference between issuer and gateway that `exp` and `nbf` forgive. */
export const CLOCK_TOLERANCE_SECONDS = 30;

const TOKEN_TYPES = [undefined, 'jwt', 'at+jwt'];

/** The part of a media type that `typ` may leave out (RFC 7515, section 4.1.9). */
const APPLICATION = /^application\//;

/** What is read of a token before it can be verified. */
export interface TokenHeader {
  readonly kid: string | undefined;
  readonly typ: string | undefined;
}

/** A token whose signature and times are right. */
export interface SignedToken extends Pick<VerificationKey, 'key'> {
  readonly claims: JWTPayload;
}

/** The header of a token that may be anything; undefined when it is none. */
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
 * Verifies a token by RS256 and nothing else, whatever its header says (specification, "JWT Bearer (GraphQL)";
 * RFC 7515, section 5.2). Its `kid` only chose the keys; keys and addresses of keys in it are never looked at.
 *
 * @param candidates keys that may have signed it
 * @param nowMs milliseconds since 1970
 * @returns undefined when it is none, is spelled otherwise, is of another type, is not signed by one of the keys, or is
 *   not valid now
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
 * Whether each part is spelled in the only way in which base64url without padding spells its bytes (RFC 7515,
 * section 2). Decoders overlook white space, padding and left-over bits, so that one token would have many texts.
 */
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

import { decodeProtectedHeader, importSPKI, jwtVerify, type CryptoKey, type JWTPayload } from 'jose';
import { GraphQLError } from 'graphql';
import { fetchPublicKeys } from './peer-backends.js';
import { setting } from './serve.js';

/** The specification's claims, as every contender hands them to its resolvers. */
export interface AuthUser {
  readonly BackendUser: string;
  readonly Org: string;
  readonly Issuser: string;
  readonly Region: string;
  readonly IsAdmin: boolean;
  readonly LoggedInId: string | undefined;
  readonly ChatId: string | undefined;
}

const ACCEPTED = setting('TOKEN_ISSUSERS').split(',');
/** `KEEP_KEYS=1`: imports a key once a text, which a user who has profiled does. */
const imported = process.env['KEEP_KEYS'] === '1' ? new Map<string, CryptoKey>() : undefined;

/**
 * The gateway's token policy as its author would write it with jose's documentation open: the key is fetched for each
 * request, RS256 alone, `iss` or `aud` in the list, required claims.
 *
 * @throws {GraphQLError} the token is refused
 */
export async function authenticate(authorization: string | undefined): Promise<AuthUser> {
  if (authorization === undefined) throw refusal('Authorization header not set');
  if (!authorization.startsWith('Bearer ')) throw refusal('token is invalid');
  const token = authorization.slice('Bearer '.length);
  const { kid } = decodeProtectedHeader(token);
  const published = (await fetchPublicKeys()).find((key) => key.kid === kid);
  if (published === undefined) throw refusal('token is invalid');
  const { payload } = await jwtVerify(token, await importKey(published.pem), {
    algorithms: ['RS256'],
    clockTolerance: 30,
  });
  return userOf(payload);
}

/** The user, or a refusal of the field that needs one. */
export function required(user: AuthUser | undefined): AuthUser {
  if (user === undefined) throw refusal('Authorization header not set');
  return user;
}

async function importKey(pem: string): Promise<CryptoKey> {
  const kept = imported?.get(pem);
  if (kept !== undefined) return kept;
  const key = await importSPKI(pem, 'RS256');
  imported?.set(pem, key);
  return key;
}

function userOf(claims: JWTPayload): AuthUser {
  const { iss, aud, preferred_username: BackendUser, 'org:id': Org, region: Region } = claims;
  const { is_admin: IsAdmin = false, loggedin_id: LoggedInId, chat_id: ChatId } = claims;
  const names = [iss, ...(Array.isArray(aud) ? aud : [aud])];
  if (!names.some((name) => name !== undefined && ACCEPTED.includes(name))) throw refusal('token is invalid');
  if (!isFilled(BackendUser) || !isFilled(Org) || !isFilled(Region)) throw refusal('token is invalid');
  if (typeof IsAdmin !== 'boolean' || !isOptional(LoggedInId) || !isOptional(ChatId)) throw refusal('token is invalid');
  return { BackendUser, Org, Issuser: iss ?? '', Region, IsAdmin, LoggedInId, ChatId };
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isOptional(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function refusal(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'UnAuthenticated', status: 400 } });
}

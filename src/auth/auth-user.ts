import type { JWTPayload } from 'jose';
import { isOrganisationCode } from '../wire/organisation-code.js';

/** The authenticated user (specification, "AuthUser (request context)"; the spelling is the specification's). */
export interface AuthUser {
  readonly BackendUser: string;
  readonly Org: string;
  /** Empty if the token was accepted by its audience and names no issuer. */
  readonly Issuser: string;
  readonly Region: string;
  readonly IsAdmin: boolean;
  readonly LoggedInId?: string;
  readonly ChatId?: string;
}

/**
 * Reads the user of a verified token (specification, "JWT claims read by the service").
 *
 * @param claims payload of a token whose signature has been verified
 * @param accepted values that `iss` or `aud` may have, compared exactly
 * @returns undefined if a required claim is missing, of the wrong type, empty or blank, if the organisation code is
 *   invalid, or if an optional claim is of the wrong type
 */
export function authUserOf(claims: JWTPayload, accepted: readonly string[]): AuthUser | undefined {
  const username = claims['preferred_username'];
  const org = claims['org:id'];
  const region = claims['region'];
  const isAdmin = claims['is_admin'] ?? false;
  const loggedInId = claims['loggedin_id'] ?? undefined;
  const chatId = claims['chat_id'] ?? undefined;
  // A token may break jose's types for these two.
  const issuer: unknown = claims.iss;
  const audience: unknown = claims.aud;

  if (!isFilled(username) || !isOrganisationCode(org) || !isFilled(region)) return undefined;
  if (typeof isAdmin !== 'boolean' || !isOptionalText(loggedInId) || !isOptionalText(chatId)) return undefined;
  if (!isOptionalText(issuer) || !isAudience(audience)) return undefined;
  const audiences = typeof audience === 'string' ? [audience] : (audience ?? []);
  if (![issuer, ...audiences].some((value) => isFilled(value) && accepted.includes(value))) return undefined;

  return {
    BackendUser: username,
    Org: org,
    Issuser: issuer ?? '',
    Region: region,
    IsAdmin: isAdmin,
    ...(loggedInId !== undefined && { LoggedInId: loggedInId }),
    ...(chatId !== undefined && { ChatId: chatId }),
  };
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isAudience(value: unknown): value is string | readonly string[] | undefined {
  return isOptionalText(value) || (Array.isArray(value) && value.every((entry) => typeof entry === 'string'));
}

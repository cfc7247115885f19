import type { JWTPayload } from 'jose';
import { isOrganisationCode } from '../../base/wire/organisation-code.js';

/** Reads a claim, which is undefined if absent. @returns undefined if it breaks its rule */
type Rule<T> = (claim: unknown) => { readonly value: T } | undefined;

const isFilled = (claim: unknown): claim is string => typeof claim === 'string' && claim.trim() !== '';

const required: Rule<string> = (claim) => (isFilled(claim) ? { value: claim } : undefined);

const organisationClaim: Rule<string> = (claim) => (isOrganisationCode(claim) ? { value: claim } : undefined);

/** Empty if the token was accepted by its audience and names no issuer. */
const issuer: Rule<string> = (claim = '') => (typeof claim === 'string' ? { value: claim } : undefined);

const flagClaim: Rule<boolean> = (claim) => {
  const value = claim ?? false;
  return typeof value === 'boolean' ? { value } : undefined;
};

const optionalClaim: Rule<string | undefined> = (claim) => {
  const value = claim ?? undefined;
  return value === undefined || typeof value === 'string' ? { value } : undefined;
};

/**
 * Fields of the user, with the claim and the rule of each (specification, "JWT claims read by the service" and
 * "AuthUser (request context)"; the spelling is the specification's). The type and the reader follow from it.
 */
export const USER_FIELDS = {
  BackendUser: { claim: 'preferred_username', rule: required },
  Org: { claim: 'org:id', rule: organisationClaim },
  Issuser: { claim: 'iss', rule: issuer },
  Region: { claim: 'region', rule: required },
  IsAdmin: { claim: 'is_admin', rule: flagClaim },
  LoggedInId: { claim: 'loggedin_id', rule: optionalClaim },
  ChatId: { claim: 'chat_id', rule: optionalClaim },
} as const;

type Fields = typeof USER_FIELDS;
type ValueOf<Field extends keyof Fields> = Fields[Field]['rule'] extends Rule<infer Value> ? Value : never;
type Optional = { [Field in keyof Fields]: undefined extends ValueOf<Field> ? Field : never }[keyof Fields];

/** The authenticated user. */
export type AuthUser = { readonly [Field in Exclude<keyof Fields, Optional>]: ValueOf<Field> } & {
  readonly [Field in Optional]?: NonNullable<ValueOf<Field>>;
};

/**
 * Reads the user of a verified token.
 *
 * @param claims payload of a token whose signature has been verified
 * @param accepted values that `iss` or `aud` may have, compared exactly
 * @returns undefined if a claim breaks its rule, or if neither `iss` nor `aud` is accepted
 */
export function authUserOf(claims: JWTPayload, accepted: readonly string[]): AuthUser | undefined {
  const user: Record<string, unknown> = {};
  for (const [field, { claim, rule }] of Object.entries(USER_FIELDS)) {
    const read = rule(claims[claim]);
    if (read === undefined) return undefined;
    if (read.value !== undefined) user[field] = read.value;
  }
  const aud: unknown = claims.aud; // a token may break jose's types
  if (aud !== undefined && typeof aud !== 'string' && !isListOfTexts(aud)) return undefined;
  return isOfIssuer(claims, accepted) ? (user as AuthUser) : undefined; // each field was read by its own rule
}

/** Returns true if `iss` or `aud` is accepted. */
export function isOfIssuer({ iss, aud }: JWTPayload, accepted: readonly string[]): boolean {
  // A token may break jose's types for these two.
  const values: readonly unknown[] = [iss, aud].flat();
  return values.some((value) => isFilled(value) && accepted.includes(value));
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

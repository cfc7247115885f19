import { createHmac, randomBytes } from 'node:crypto';
import type { operations } from '../../../generated/backend-api.js';
import { percentDecoded } from '../../base/wire/decode-utf8.js';
import type { AccessTokens, TokenCaller } from '../access-tokens.js';
import type { Identification } from '../backend-server.js';
import { BackendFailure, type Handlers } from '../operation-types.js';
import type { Organisation } from '../seed/fleet.js';
import { seedAccounts } from '../seed/accounts.js';

/** Data of backend-api; lost when the sandbox closes. */
export type BackendState = ReturnType<typeof createState>;

const FIRST_NEW_ACCOUNT_ID = 301;

export function createState(organisations: ReadonlyMap<string, Organisation>) {
  const digestKey = randomBytes(32);
  /** Returns a one-way digest of a secret, different in every run. */
  const digest = (secret: string): string => createHmac('sha256', digestKey).update(secret).digest('base64url');
  const accounts = new Map(seedAccounts(digest).map((account) => [account.profile.loginId, account]));
  let nextId = FIRST_NEW_ACCOUNT_ID;
  /** Returns the id for the next new account. */
  const nextAccountId = (): number => nextId++;
  return { organisations, accounts, digest, nextAccountId };
}

const BEARER = /^Bearer (.+)$/;

export interface SandboxCaller {
  readonly organisation: Organisation;
  /** Administrators and the service itself may change accounts. */
  readonly mayAdminister: boolean;
  /** Returns whether a mobile of the organisation is visible. */
  readonly sees: (mobileId: number) => boolean;
}

type PublicRequest = 'getPublicKeys' | 'login' | 'refreshToken' | 'sendOtp' | 'sendTestOtp' | 'verifyOtp' | 'getHealth';

/** Handlers of the operations of `openapi/backend-api.yaml`; public ones have no caller. */
export type BackendHandlers = Handlers<operations, PublicRequest, SandboxCaller>;

export interface CallerParts {
  readonly state: BackendState;
  readonly tokens: AccessTokens;
  readonly apiKey: string;
}

/**
 * Identifies the sender of a request: a user by a bearer token, or the service by `x-api-key` with `x-org-id`. Both at
 * once are refused, so that the rights of a request are unambiguous.
 */
export function callerIdentification({ state, tokens, apiKey }: CallerParts): Identification {
  return async ({ authorization, 'x-api-key': givenKey, 'x-org-id': givenOrg }, isPublic) => {
    const apiKeyState = givenKey === undefined ? 'absent' : givenKey === apiKey ? 'right' : 'wrong';
    const token = authorization !== undefined && BEARER.exec(authorization)?.[1];
    const user = token ? await tokens.verify(token) : undefined;
    const named = typeof givenOrg === 'string' ? percentDecoded(givenOrg) : undefined;
    // Service calls of jobs without an organisation use the first one.
    const [home] = apiKeyState === 'right' && givenOrg === undefined ? state.organisations.keys() : [];
    const org = user?.org ?? named ?? home;
    const seen = { apiKey: apiKeyState, org, user: user?.user } as const;
    if (isPublic) return seen;
    if (authorization !== undefined && givenKey !== undefined) {
      return { ...seen, violation: 'a bearer token and x-api-key must not be sent together' };
    }
    const mayCall = user !== undefined || (authorization === undefined && apiKeyState === 'right');
    if (!mayCall) {
      return { ...seen, failure: new BackendFailure(401, 'A valid bearer token or service key is required.') };
    }
    const organisation = org === undefined ? undefined : state.organisations.get(org);
    return organisation === undefined
      ? // A right service key gets 403, because 401 would mean that the key is refused.
        { ...seen, failure: new BackendFailure(user ? 401 : 403, 'The organisation is missing or unknown.') }
      : { ...seen, caller: callerOf(organisation, user) };
  };
}

function callerOf(organisation: Organisation, user: TokenCaller | undefined): SandboxCaller {
  const mayAdminister = user?.isAdmin ?? true;
  const { mobiles, sharedMobileIds } = organisation;
  return {
    organisation,
    mayAdminister,
    sees: (mobileId) => (mayAdminister ? mobiles.has(mobileId) : sharedMobileIds.has(mobileId)),
  };
}

const DEFAULT_LIMIT = 50;
const CURSOR = /^after:(\d+)$/;

interface ListPage<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
  readonly total: number;
}

/**
 * Returns the page of a list after a cursor, in the order of the ids, so that entries added or removed meanwhile do not
 * shift it. Throws a 400 failure for an invalid cursor.
 */
export function pageOf<T extends { readonly id: number }>(
  list: Iterable<T>,
  { limit = DEFAULT_LIMIT, cursor }: { readonly limit?: number; readonly cursor?: string },
): ListPage<T> {
  const after = cursor === undefined ? -1 : lastIdBefore(cursor);
  const all = [...list];
  const rest = all.filter(({ id }) => id > after).sort((one, other) => one.id - other.id);
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  if (last === undefined || rest.length <= limit) return { items, total: all.length };
  return { items, total: all.length, nextCursor: Buffer.from(`after:${last.id}`).toString('base64url') };
}

function lastIdBefore(cursor: string): number {
  const id = CURSOR.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (id === undefined) throw new BackendFailure(400, 'The cursor is not valid.');
  return Number(id);
}

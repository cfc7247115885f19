import { createHmac, randomBytes } from 'node:crypto';
import type { components } from '../../../generated/backend-api.js';
import type { SeedAccount } from '../seed/accounts.js';
import type { Organisation } from '../seed/fleet.js';

type UserAccount = components['schemas']['UserAccount'];

/** Stored user account. Login ids are unique across organisations. */
export interface StoredAccount {
  readonly profile: UserAccount;
  readonly passwordDigest: string;
  readonly org: string;
  /** True if login requires a one-time password after the password. */
  readonly otp: boolean;
}

/** Data of backend-api; lost when the sandbox closes. */
export interface BackendState {
  readonly organisations: ReadonlyMap<string, Organisation>;
  readonly accounts: Map<string, StoredAccount>;
  /** Returns a one-way digest of a secret, different in every run. */
  digest(secret: string): string;
  /** Returns the id for the next new account. */
  nextAccountId(): number;
}

const FIRST_NEW_ACCOUNT_ID = 301;

/** Creates the initial state. */
export function createState(organisations: BackendState['organisations'], seeds: readonly SeedAccount[]): BackendState {
  const digestKey = randomBytes(32);
  const digest = (secret: string): string => createHmac('sha256', digestKey).update(secret).digest('base64url');
  const accounts = seeds.map(({ profile, password, org, otp }): [string, StoredAccount] => [
    profile.loginId,
    { profile, passwordDigest: digest(password), org, otp },
  ]);
  let lastAccountId = FIRST_NEW_ACCOUNT_ID - 1;
  return {
    organisations,
    accounts: new Map(accounts),
    digest,
    nextAccountId: () => {
      lastAccountId += 1;
      return lastAccountId;
    },
  };
}

import { createHmac, randomBytes } from 'node:crypto';
import { seedAccounts, type StoredAccount } from '../seed/accounts.js';
import type { Organisation } from '../seed/fleet.js';

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

export function createState(organisations: BackendState['organisations']): BackendState {
  const digestKey = randomBytes(32);
  const digest = (secret: string): string => createHmac('sha256', digestKey).update(secret).digest('base64url');
  const accounts = new Map(seedAccounts(digest).map((account) => [account.profile.loginId, account]));
  let nextAccountId = FIRST_NEW_ACCOUNT_ID;
  return { organisations, accounts, digest, nextAccountId: () => nextAccountId++ };
}

import { createHmac, randomBytes } from 'node:crypto';
import { seedAccounts } from '../seed/accounts.js';
import type { Organisation } from '../seed/fleet.js';

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

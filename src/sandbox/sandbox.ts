import type { Logger } from '../logging/logger.js';
import { AccessTokens, type TokenOverrides, type TokenSubject } from './access-tokens.js';
import { backendApi } from './backend-api/backend-api.js';
import { OneTimePasswords } from './backend-api/one-time-passwords.js';
import { createState } from './backend-api/state.js';
import { startBackend, type RunningBackend } from './backend-server.js';
import { FaultRules, type Faults } from './faults.js';
import { geoApi } from './geo-api.js';
import { JournalWriter, type Journal } from './journal.js';
import { seedAccounts, SHOWN_ACCOUNTS, type SandboxAccount } from './seed/accounts.js';
import { seedOrganisations } from './seed/fleet.js';
import { createSigningKey, SigningKeys, type SigningKey } from './signing-keys.js';
import { voipApi } from './voip-api.js';

export type { TokenOverrides } from './access-tokens.js';
export type { Fault, Faults, FaultScope, FaultStage, FaultTarget, Hold } from './faults.js';
export type { BackendName, Effect, Journal, JournaledEffect, JournaledRequest, RequestFilter } from './journal.js';
export type { SandboxAccount } from './seed/accounts.js';

/** Issuer of the sandbox's tokens, unless another one is chosen. */
export const SANDBOX_ISSUER = 'https://sandbox.vehicle-location.test';

/** How the sandbox is started. */
export interface SandboxOptions {
  readonly logger: Logger;
  /** What `x-api-key` of service calls to backend-api must be; they also carry `x-org-id`. */
  readonly backendApiKey: string;
  /** What `x-api-key` must be for geo-api and voip-api; they ask for none when unset. */
  readonly geoApiKey?: string;
  readonly voipApiKey?: string;
  /** Claim `iss` of the tokens; `SANDBOX_ISSUER` when unset. */
  readonly issuer?: string;
  /** What signs tokens until it is rotated; a fresh key when unset. */
  readonly signingKey?: SigningKey;
  /** The clock for tokens, one-time passwords and the journal. */
  readonly now?: () => Date;
  /** Ports on 127.0.0.1; any free one when unset or 0. */
  readonly ports?: { readonly backendApi?: number; readonly geoApi?: number; readonly voipApi?: number };
}

/** The three backends on loopback, for development and tests; everything they know is in memory. */
export interface Sandbox {
  readonly backendApiUrl: string;
  readonly geoApiUrl: string;
  readonly voipApiUrl: string;
  readonly issuer: string;
  /** Logins to show to people. */
  readonly accounts: readonly SandboxAccount[];
  readonly journal: Journal;
  readonly faults: Faults;
  /** One-time passwords that were issued. */
  readonly otps: {
    /** The code issued last for a login id and not yet redeemed. */
    last(loginId: string): string | undefined;
  };
  /** Signs with a new key from now on; the old one stays published unless `keepOld` is false. */
  rotateKeys(options?: { readonly keepOld?: boolean }): Promise<void>;
  /** An access token, by default of `demo` (administrator of `acme`). Throws for an unknown login id. */
  mintToken(overrides?: TokenOverrides & { readonly loginId?: string }): Promise<string>;
  /** Cuts every connection, releases every held request and leaves nothing running. */
  close(): Promise<void>;
}

/** Starts the three backends. Rejects, leaving nothing running, when a port is taken. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { logger, backendApiKey, issuer = SANDBOX_ISSUER, ports = {} } = options;
  const now = options.now ?? (() => new Date());
  const journal = new JournalWriter(now);
  const faults = new FaultRules();
  const keys = new SigningKeys(options.signingKey ?? (await createSigningKey()));
  const tokens = new AccessTokens(keys, issuer, now);
  const otps = new OneTimePasswords(now);
  const organisations = seedOrganisations(now());
  const state = createState(organisations, seedAccounts());
  const isMobile = (id: number): boolean => [...organisations.values()].some(({ mobiles }) => mobiles.has(id));

  const parts = { state, keys, tokens, otps, logger };
  const servers = { logger, journal, faults };
  const starting = [
    startBackend(servers, backendApi({ ...parts, apiKey: backendApiKey, port: ports.backendApi ?? 0 })),
    startBackend(
      servers,
      geoApi({ keys: { own: options.geoApiKey, backendApi: backendApiKey }, port: ports.geoApi ?? 0 }),
    ),
    startBackend(
      servers,
      voipApi({ keys: { own: options.voipApiKey, backendApi: backendApiKey }, port: ports.voipApi ?? 0, isMobile }),
    ),
  ] as const;
  const [backend, geo, voip] = await Promise.all(starting).catch(async (error: unknown) => {
    await closeStarted(starting);
    throw error;
  });

  return {
    backendApiUrl: backend.url,
    geoApiUrl: geo.url,
    voipApiUrl: voip.url,
    issuer,
    accounts: SHOWN_ACCOUNTS,
    journal,
    faults,
    otps,
    rotateKeys: (rotation) => keys.rotate(rotation),
    mintToken: async ({ loginId = 'demo', ...overrides } = {}) => {
      const account = state.accounts.get(loginId);
      if (account === undefined) throw new Error(`The sandbox has no account ${loginId}.`);
      const { isAdmin, useChat = false } = account.profile;
      const subject: TokenSubject = { loginId, org: account.org, isAdmin, useChat };
      return tokens.issue(subject, overrides);
    },
    close: async () => {
      faults.clear();
      await Promise.all([backend, geo, voip].map((each) => each.close()));
    },
  };
}

/** Closes those that could be started when another one could not. */
async function closeStarted(starting: readonly Promise<RunningBackend>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(starting)) {
    if (outcome.status === 'fulfilled') await outcome.value.close();
  }
}

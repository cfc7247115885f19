import type { Logger } from '../base/logging/logger.js';
import { AccessTokens, createSigningKey, SigningKeys, type SigningKey } from './access-tokens.js';
import { accountHandlers } from './backend-api/accounts.js';
import { callerIdentification, type BackendHandlers, createState } from './backend-api/callers.js';
import { mobileHandlers } from './backend-api/mobiles.js';
import { OneTimePasswords, loginHandlers } from './backend-api/login.js';
import { startBackend } from './backend-server.js';
import { FaultRules, type Faults } from './faults.js';
import { SHOWN_ACCOUNTS } from './seed/accounts.js';
import { seedOrganisations } from './seed/fleet.js';
import { geoApi, voipApi } from './service-backends.js';
import type { SandboxWatch } from './watched-requests.js';

export { keptSigningKey } from './access-tokens.js';
export type { BackendFault, Faults, FaultScope, FaultTarget } from './faults.js';
export type { SandboxBackend } from './watched-requests.js';

/** Default issuer of the sandbox's tokens. */
const SANDBOX_ISSUER = 'https://sandbox.vehicle-location.test';

export interface SandboxOptions extends SandboxWatch {
  readonly logger: Logger;
  /** Required `x-api-key` of service calls to backend-api; they also carry `x-org-id`. */
  readonly backendApiKey: string;
  /** Required `x-api-key` of geo-api and voip-api; none if unset. */
  readonly geoApiKey?: string;
  readonly voipApiKey?: string;
  /** Claim `iss` of the tokens; `SANDBOX_ISSUER` if unset. */
  readonly issuer?: string;
  /** First signing key of tokens; generated if unset. */
  readonly signingKey?: SigningKey;
  /** Clock for tokens and one-time passwords. */
  readonly now?: () => Date;
  /** Ports on 127.0.0.1; any free one if unset or 0. */
  readonly ports?: { readonly backendApi?: number; readonly geoApi?: number; readonly voipApi?: number };
}

/** The three backends on loopback, for development and tests; all their data is in memory. */
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** Starts the three backends. Rejects if a port is taken, and then leaves no server running. */
export async function startSandbox(options: SandboxOptions) {
  const { logger, backendApiKey, issuer = SANDBOX_ISSUER, ports = {}, onRequest, onEffect } = options;
  const now = options.now ?? (() => new Date());
  const faults = new FaultRules();
  const keys = new SigningKeys(options.signingKey ?? (await createSigningKey()));
  const tokens = new AccessTokens(keys, issuer, now);
  const otps = new OneTimePasswords(now);
  const organisations = seedOrganisations(now());
  const state = createState(organisations);
  const isMobile = (id: number): boolean => [...organisations.values()].some(({ mobiles }) => mobiles.has(id));

  const handlers: BackendHandlers = {
    ...loginHandlers({ state, keys, tokens, otps, logger }),
    ...mobileHandlers(now),
    ...accountHandlers(state),
    getHealth: () => ({ status: 200, body: undefined }),
  };
  const identify = callerIdentification({ state, tokens, apiKey: backendApiKey });
  const context = { logger, faults, onRequest, onEffect };
  const starting = [
    startBackend(context, { name: 'backend-api', port: ports.backendApi ?? 0, handlers, identify }),
    startBackend(context, geoApi({ own: options.geoApiKey, backendApiKey }, ports.geoApi ?? 0)),
    startBackend(context, voipApi({ own: options.voipApiKey, backendApiKey }, ports.voipApi ?? 0, isMobile)),
  ] as const;
  const [backend, geo, voip] = await Promise.all(starting).catch(async (error: unknown) => {
    for (const started of await Promise.allSettled(starting)) {
      if (started.status === 'fulfilled') await started.value.close();
    }
    throw error;
  });

  return {
    backendApiUrl: backend.url,
    geoApiUrl: geo.url,
    voipApiUrl: voip.url,
    issuer,
    /** Logins to display. */
    accounts: SHOWN_ACCOUNTS,
    faults: faults as Faults,
    /** One-time passwords that were issued. */
    otps: otps as Pick<OneTimePasswords, 'last'>,
    /** Keys of access tokens. */
    keys: keys as Pick<SigningKeys, 'current' | 'rotate'>,
    /** Returns the claims of a token of this user that is issued now; undefined without such a user. */
    claimsOf: (loginId: string) => {
      const account = state.accounts.get(loginId);
      return account && tokens.claimsOf(account);
    },
    /** Cuts every connection, releases every held request and stops all servers. */
    close: async (): Promise<void> => {
      faults.clear();
      await Promise.all([backend, geo, voip].map((each) => each.close()));
    },
  };
}

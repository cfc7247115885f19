import type { operations as GeoOperations } from '../../generated/geo-api.js';
import type { operations as VoipOperations } from '../../generated/voip-api.js';
import type { Logger } from '../base/logging/logger.js';
import { AccessTokens, createSigningKey, SigningKeys, type SigningKey } from './access-tokens.js';
import { accountHandlers } from './backend-api/accounts.js';
import { callerIdentification, type BackendHandlers, createState } from './backend-api/callers.js';
import { mobileHandlers } from './backend-api/mobiles.js';
import { OneTimePasswords, loginHandlers } from './backend-api/login.js';
import { startBackend, type BackendOptions, type Identification } from './backend-server.js';
import { FaultRules, type Faults } from './faults.js';
import { SHOWN_ACCOUNTS } from './seed/accounts.js';
import { seedOrganisations, DEPOT, TOKYO_PLACES, type NamedPlace } from './seed/fleet.js';
import type { SandboxWatch } from './watched-requests.js';
import { BackendFailure, type Handlers } from './operation-types.js';
import { randomFrom } from './seed/random.js';

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

/** Keys that geo-api or voip-api accepts or rejects. */
interface AcceptedKeys {
  /** Required `x-api-key`; undefined: none. */
  readonly own: string | undefined;
  /** Key of backend-api, which other services must never receive. */
  readonly backendApiKey: string;
}

/** Checks callers of geo-api and voip-api, which must never receive a user's token or an organisation. */
function serviceIdentification(keys: AcceptedKeys): Identification {
  return ({ authorization, 'x-api-key': given, 'x-org-id': org }, isPublic) => {
    const apiKey = given === undefined ? 'absent' : given === keys.own ? 'right' : 'wrong';
    const seen = { apiKey, org: typeof org === 'string' ? org : undefined } as const;
    if (authorization !== undefined) {
      return { ...seen, violation: 'an Authorization header must not be sent here' };
    }
    if (org !== undefined) return { ...seen, violation: 'x-org-id must not be sent here' };
    if (given === keys.backendApiKey && given !== keys.own) {
      return { ...seen, violation: 'the key of backend-api must not be sent here' };
    }
    if (isPublic || keys.own === undefined || apiKey === 'right') return seen;
    return { ...seen, failure: new BackendFailure(401, 'A valid x-api-key is required.') };
  };
}

const PLACES: readonly NamedPlace[] = [...TOKYO_PLACES, DEPOT];
/** Distance from the nearest known place beyond which a point has no address. */
const MAX_DISTANCE_DEGREES = 0.35;
/** Distance from a place in degrees within which every point is in its fourth block, 4丁目. */
const CENTRE_DEGREES = 0.002;

/** Builds the geo service; its addresses depend only on the coordinates. */
function geoApi(keys: AcceptedKeys, port: number): BackendOptions {
  const handlers: Handlers<GeoOperations, keyof GeoOperations, undefined> = {
    reverseGeocode: ({ body }) => ({
      status: 200,
      body: { addresses: body.points.map(({ lat, lng }) => addressOf(lat, lng)) },
    }),
    getHealth: () => ({ status: 200, body: undefined }),
  };
  return { name: 'geo-api', port, handlers, identify: serviceIdentification(keys) };
}

/** Returns a Japanese address, such as 東京都港区芝公園4丁目2-8; null if unknown. */
function addressOf(lat: number, lng: number): string | null {
  const distance = (place: NamedPlace): number => Math.hypot(place.lat - lat, place.lng - lng);
  const nearest = PLACES.reduce((best, place) => (distance(place) < distance(best) ? place : best));
  if (distance(nearest) > MAX_DISTANCE_DEGREES) return null;
  // One block is about 300 m wide, one house number about 30 m.
  const block = randomFrom(`block/${lat.toFixed(2)}/${lng.toFixed(2)}`);
  const house = randomFrom(`house/${lat.toFixed(3)}/${lng.toFixed(3)}`);
  const chome = distance(nearest) < CENTRE_DEGREES ? 4 : block.integer(1, 6);
  return `${nearest.town}${chome}丁目${house.integer(1, 24)}-${house.integer(1, 18)}`;
}

type PresenceItem = VoipOperations['getPresence']['responses'][200]['content']['application/json']['items'][number];

const TALK_GROUPS = ['第1グループ', '第2グループ', '夜間', 'Dispatch'] as const;

/** Builds the voice service; presence depends only on the mobile. Every 17th mobile has no voice account. */
function voipApi(keys: AcceptedKeys, port: number, isMobile: (id: number) => boolean): BackendOptions {
  const handlers: Handlers<VoipOperations, keyof VoipOperations, undefined> = {
    getPresence: ({ query }) => {
      const known = [...new Set(query.mobileIds)].filter((id) => isMobile(id) && id % 17 !== 0);
      return { status: 200, body: { items: known.map(presenceOf) } };
    },
    getHealth: () => ({ status: 200, body: undefined }),
  };
  return { name: 'voip-api', port, handlers, identify: serviceIdentification(keys) };
}

function presenceOf(mobileId: number): PresenceItem {
  const random = randomFrom(`presence/${mobileId}`);
  const talkGroup = random.chance(0.2) ? null : random.pick(TALK_GROUPS);
  return { mobileId, online: random.chance(0.7), talkGroup };
}

import type { operations as GeoOperations } from '../../generated/geo-api.js';
import type { operations as VoipOperations } from '../../generated/voip-api.js';
import type { BackendOptions, Identification } from './backend-server.js';
import { BackendFailure, type Handlers } from './operation-types.js';
import { DEPOT, TOKYO_PLACES, type NamedPlace } from './seed/fleet.js';
import { randomFrom } from './seed/random.js';

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
export function geoApi(keys: AcceptedKeys, port: number): BackendOptions {
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
export function voipApi(keys: AcceptedKeys, port: number, isMobile: (id: number) => boolean): BackendOptions {
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

import type { operations } from '../../generated/geo-api.js';
import type { BackendOptions } from './backend-server.js';
import type { Handlers } from './operation-types.js';
import { DEPOTS, FARTHER_PLACES, TOKYO_PLACES, type Place } from './seed/places.js';
import { randomFrom } from './seed/random.js';
import { serviceIdentification, type ServiceKeys } from './service-callers.js';

const PLACES: readonly Place[] = [...TOKYO_PLACES, ...Object.values(DEPOTS), ...FARTHER_PLACES];
/** Distance from every known place beyond which there is no address. */
const MAX_DISTANCE_DEGREES = 0.35;
/** Distance from a place within which every point is in its fourth block: 4丁目. */
const CENTRE_DEGREES = 0.002;

export interface GeoParts {
  readonly keys: ServiceKeys;
  readonly port: number;
}

/** Builds the geo service; its addresses depend only on the coordinates. */
export function geoApi({ keys, port }: GeoParts): BackendOptions {
  const handlers: Handlers<operations, keyof operations, undefined> = {
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
  const distance = (place: Place): number => Math.hypot(place.lat - lat, place.lng - lng);
  const nearest = PLACES.reduce((best, place) => (distance(place) < distance(best) ? place : best));
  if (distance(nearest) > MAX_DISTANCE_DEGREES) return null;
  // One block is about 300 m wide, one house number about 30 m.
  const block = randomFrom(`block/${lat.toFixed(2)}/${lng.toFixed(2)}`);
  const house = randomFrom(`house/${lat.toFixed(3)}/${lng.toFixed(3)}`);
  const chome = distance(nearest) < CENTRE_DEGREES ? 4 : block.integer(1, 6);
  return `${nearest.town}${chome}丁目${house.integer(1, 24)}-${house.integer(1, 18)}`;
}

import createClient from 'openapi-fetch';
import type * as geo from '../../generated/geo-api.js';
import * as geoContract from '../../generated/validators/geo-api.js';
import * as voipContract from '../../generated/validators/voip-api.js';
import type * as voip from '../../generated/voip-api.js';
import { Backend, type BackendSettings, type BackendStatus } from './backend.js';
import { contractBreach, type BackendName } from './call-error.js';
import type { Caller } from './caller.js';
import { PLAIN_REQUESTS } from './plain-exchange.js';
import { listed, validEntries, type OnBreach } from './read-reply.js';

/** Point on the earth, in degrees. */
export type GeoPoint = geo.components['schemas']['Point'];

export type Presence = voip.components['schemas']['Presence'];

export type GeoApi = ReturnType<typeof createGeoApi>;

export type VoipApi = ReturnType<typeof createVoipApi>;

/** Settings of a backend that never sees a user's token, and whose requests the gateway itself makes. */
interface PlainApiOptions extends BackendSettings {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
}

const addressList = listed('addresses', geoContract.Addresses, geoContract.Address);
const presenceList = listed('items', voipContract.Presences, voipContract.Presence);

/** Creates a client of geo-api, typed by `openapi/geo-api.yaml`. Every method throws a `CallError`. */
export function createGeoApi(options: PlainApiOptions) {
  const { backend, client, headers, ...shared } = connect('geo-api', options);
  return {
    /**
     * Returns the addresses of points, in the order of the points; null for an unknown address or an invalid point.
     *
     * @param caller user or job that needs them
     */
    async reverseGeocode(points: readonly GeoPoint[], caller: Caller): Promise<readonly (string | null)[]> {
      const valid = points.map((point) => geoContract.Point(point));
      const asked = points.filter((_, index) => valid[index]);
      if (asked.length === 0) return points.map(() => null);
      const reply = await backend.read(caller, {
        call: 'reverseGeocode',
        reply: (text, name, onBreach) => addressesIn(text, name, onBreach, asked.length),
        send: (via) => client.POST('/v1/reverse-geocode', { headers, body: { points: asked }, ...via }),
      });
      const addresses = reply.addresses.values();
      return valid.map((isValid) => {
        const address = isValid ? addresses.next().value : null;
        return typeof address === 'string' ? address : null;
      });
    },
    ...shared,
  };
}

/** Creates a client of voip-api, typed by `openapi/voip-api.yaml`. Every method throws a `CallError`. */
export function createVoipApi(options: PlainApiOptions) {
  const { backend, client, headers, ...shared } = connect('voip-api', options);
  return {
    /** Returns one valid entry per known mobile, in any order. @param caller user or job that needs them */
    async getPresence(mobileIds: readonly number[], caller: Caller): Promise<readonly Presence[]> {
      if (mobileIds.length === 0) return [];
      const params = { query: { mobileIds: [...mobileIds] } };
      const { items } = await backend.read(caller, {
        call: 'getPresence',
        reply: presenceList,
        send: (via) => client.GET('/v1/presence', { headers, params, ...via }),
      });
      return validEntries(items);
    },
    ...shared,
  };
}

/** Opens a backend. Both have the path of a health check, and each is sent only its own others. */
function connect(name: BackendName, { baseUrl, apiKey, ...settings }: PlainApiOptions) {
  const backend = new Backend(name, baseUrl, settings);
  const client = createClient<geo.paths & voip.paths>({ ...PLAIN_REQUESTS, baseUrl });
  const probe = backend.openProbe();
  return {
    backend,
    client,
    headers: apiKey === undefined ? {} : { 'x-api-key': apiKey },
    getHealth: (timeoutMs: number): Promise<void> =>
      probe(timeoutMs, 'getHealth', (via) => client.GET('/health', { ...via })),
    status: (): BackendStatus => backend.status,
    close: (): Promise<void> => backend.close(),
  };
}

/** Reads a reply, which has one address for each point that was asked for. @throws {CallError} */
function addressesIn(text: string, backend: BackendName, onBreach: OnBreach | undefined, points: number) {
  const list = addressList(text, backend, onBreach, points);
  if (list.addresses.length === points) return list;
  throw contractBreach(backend, `${list.addresses.length} addresses for ${points} points`, '/addresses');
}

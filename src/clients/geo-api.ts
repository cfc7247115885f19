import createClient from 'openapi-fetch';
import type { components, paths } from '../../generated/geo-api.js';
import * as contract from '../../generated/validators/geo-api.js';
import { Backend, plainCalls, type PlainBackendOptions } from './backend.js';
import { ContractBreach, mapRefusal, unavailable, type BackendName } from './call-errors.js';
import type { Caller } from './caller.js';
import { PLAIN_REQUESTS } from './plain-exchange.js';
import { listed, type OnBreach } from './read-reply.js';

/** Point on the earth, in degrees. */
export type GeoPoint = components['schemas']['Point'];

export type GeoApi = ReturnType<typeof createGeoApi>;

const addressList = listed('addresses', contract.Addresses, contract.Address);

/**
 * Creates a client of geo-api, typed by `openapi/geo-api.yaml`. Every method throws the errors of its {@link Backend},
 * except refusals, because the gateway itself makes the requests.
 */
export function createGeoApi({ baseUrl, apiKey, ...options }: PlainBackendOptions) {
  const backend = new Backend('geo-api', options);
  const client = createClient<paths>({ ...PLAIN_REQUESTS, baseUrl });
  const headers = apiKey === undefined ? {} : { 'x-api-key': apiKey };

  return {
    /**
     * Returns the addresses of points, in the order of the points; null for an unknown address or an invalid point.
     *
     * @param caller user or job that needs them
     */
    async reverseGeocode(points: readonly GeoPoint[], caller: Caller): Promise<readonly (string | null)[]> {
      const valid = points.map((point) => contract.Point(point));
      const asked = points.filter((_, index) => valid[index]);
      if (asked.length === 0) return points.map(() => null);
      const read = backend.read(caller, {
        call: 'reverseGeocode',
        reply: (text, name, onBreach) => addressesIn(text, name, onBreach, asked.length),
        send: (via) => client.POST('/v1/reverse-geocode', { ...via, headers, body: { points: asked } }),
      });
      const addresses = (await mapRefusal(read, unavailable)).addresses.values();
      return valid.map((isValid) => {
        const address = isValid ? addresses.next().value : null;
        return typeof address === 'string' ? address : null;
      });
    },
    ...plainCalls(backend, (via) => client.GET('/health', { ...via })),
  };
}

/** Reads a reply, which has one address for each point that was asked for. @throws {ContractBreach} */
function addressesIn(text: unknown, backend: BackendName, onBreach: OnBreach | undefined, points: number) {
  const list = addressList(text, backend, onBreach, points);
  if (list.addresses.length === points) return list;
  throw new ContractBreach(backend, `${list.addresses.length} addresses for ${points} points`, '/addresses');
}

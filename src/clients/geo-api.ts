import createClient from 'openapi-fetch';
import type { components, paths } from '../../generated/geo-api.js';
import * as contract from '../../generated/validators/geo-api.js';
import { Backend, plainCalls, type PlainBackendOptions } from './backend.js';
import { ContractBreach, reworded, unavailable } from './call-errors.js';
import type { Caller } from './caller.js';
import { PLAIN_REQUESTS } from './plain-exchange.js';
import { listed, type Judged } from './read-reply.js';

/** Point on the earth, in degrees. */
export type Point = components['schemas']['Point'];

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

  /** Returns the addresses of valid points. */
  async function addressesOf(points: readonly Point[], caller: Caller): Promise<readonly Judged<string | null>[]> {
    if (points.length === 0) return [];
    const { addresses } = await reworded(
      backend.read(caller, {
        call: 'reverseGeocode',
        reply(text, name, onBreach) {
          const list = addressList(text, name, onBreach, points.length);
          if (list.addresses.length === points.length) return list;
          const rule = `${list.addresses.length} addresses for ${points.length} points`;
          throw new ContractBreach(name, rule, '/addresses');
        },
        send: (via) => client.POST('/v1/reverse-geocode', { ...via, headers, body: { points: [...points] } }),
      }),
      unavailable,
    );
    return addresses;
  }

  return {
    /**
     * Returns the addresses of points, in the order of the points; null for an unknown address or an invalid point.
     *
     * @param caller user or job that needs them
     */
    async reverseGeocode(points: readonly Point[], caller: Caller): Promise<readonly (string | null)[]> {
      const valid = points.map((point) => contract.Point(point));
      const asked = points.filter((_, index) => valid[index]);
      const addresses = (await addressesOf(asked, caller)).values();
      return valid.map((isValid) => {
        const address = isValid ? addresses.next().value : null;
        return typeof address === 'string' ? address : null;
      });
    },
    ...plainCalls(backend, (via) => client.GET('/health', { ...via })),
  };
}

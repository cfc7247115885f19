import createClient from 'openapi-fetch';
import type { components, paths } from '../../generated/geo-api.js';
import * as contract from '../../generated/validators/geo-api.js';
import { Backend, plainCalls, type PlainBackendOptions } from './backend.js';
import { ContractBreach, reworded, unavailable } from './call-errors.js';
import type { Caller } from './caller.js';
import { PLAIN_REQUESTS } from './plain-exchange.js';
import { listed } from './read-reply.js';

/** Point on the earth, in degrees. */
export type Point = components['schemas']['Point'];

/** Client of the geo service. */
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
  async function addressesOf(points: readonly Point[], caller: Caller): Promise<readonly (string | null)[]> {
    if (points.length === 0) return [];
    const { addresses } = await reworded(
      backend.read(caller, {
        call: 'reverseGeocode',
        reply(text, name, onBreach) {
          const list = addressList(text, name, onBreach, points.length);
          if (list.addresses.length === points.length) return list;
          throw new ContractBreach(
            name,
            `${list.addresses.length} addresses for ${points.length} points`,
            '/addresses',
          );
        },
        send: (via) => client.POST('/v1/reverse-geocode', { ...via, headers, body: { points: [...points] } }),
      }),
      unavailable,
    );
    return addresses.map((address) => (address instanceof ContractBreach ? null : address));
  }

  return {
    /**
     * Returns the addresses of points, in the order of the points; null for an unknown address or an invalid point.
     *
     * @param caller user or job that needs them
     */
    async reverseGeocode(points: readonly Point[], caller: Caller): Promise<readonly (string | null)[]> {
      if (points.every((point) => contract.Point(point))) return addressesOf(points, caller);
      const possible = points.filter((point) => contract.Point(point));
      const addresses = new Map<Point, string | null>();
      for (const [index, address] of (await addressesOf(possible, caller)).entries()) {
        const point = possible[index];
        if (point !== undefined) addresses.set(point, address);
      }
      return points.map((point) => addresses.get(point) ?? null);
    },
    ...plainCalls(backend, (via) => client.GET('/health', { ...via })),
  };
}

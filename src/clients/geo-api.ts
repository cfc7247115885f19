import createClient from 'openapi-fetch';
import type { components, paths } from '../../generated/geo-api.js';
import * as contract from '../../generated/validators/geo-api.js';
import { Backend, PROBE_CONNECTIONS, type BackendStanding, type PlainBackendOptions } from './backend.js';
import { ContractBreach } from './call-errors.js';
import type { Caller } from './caller.js';
import { PLAIN_REQUESTS, PlainRequest, targetOf } from './plain-exchange.js';
import { listed, unread } from './read-reply.js';
import { reworded, unavailable } from './refusals.js';

/** Point on the earth, in degrees. */
export type Point = components['schemas']['Point'];

/**
 * Client of the geo service. Every method throws the errors of its {@link Backend}, except refusals: the requests are
 * never the caller's own.
 */
export interface GeoApi {
  /**
   * Returns the addresses of points, in the order of the points; null for an unknown address or an invalid point.
   *
   * @param caller user or job that needs them
   */
  reverseGeocode(points: readonly Point[], caller: Caller): Promise<readonly (string | null)[]>;
  /** @param timeoutMs maximum wait */
  getHealth(timeoutMs: number): Promise<void>;
  /** Current use. */
  readonly standing: BackendStanding;
  /** Closes idle connections and waits for those in use. */
  close(): Promise<void>;
}

/** Called without openapi-fetch: each page of mobiles needs it. */
const GEOCODE_PATH = '/v1/reverse-geocode' satisfies keyof paths;

const addressList = listed('addresses', contract.Addresses, contract.Address);

/** Creates a client of geo-api, typed by `openapi/geo-api.yaml`. */
export function createGeoApi({ baseUrl, apiKey, ...options }: PlainBackendOptions): GeoApi {
  const backend = new Backend({ name: 'geo-api', ...options });
  const client = createClient<paths>({ ...PLAIN_REQUESTS, baseUrl });
  const probe = backend.openAside('probes', PROBE_CONNECTIONS);
  const headers = { 'content-type': 'application/json', ...(apiKey !== undefined && { 'x-api-key': apiKey }) };
  const url = `${baseUrl.replace(/\/$/, '')}${GEOCODE_PATH}`;
  const target = targetOf(url);

  /** Returns the addresses of valid points. */
  async function addressesOf(points: readonly Point[], caller: Caller): Promise<readonly (string | null)[]> {
    if (points.length === 0) return [];
    const { addresses } = await reworded(
      backend.read(caller, {
        call: 'reverseGeocode',
        reply(text, name, tell) {
          const list = addressList(text, name, tell);
          if (list.addresses.length === points.length) return list;
          throw new ContractBreach(
            name,
            `${list.addresses.length} addresses for ${points.length} points`,
            '/addresses',
          );
        },
        request: new PlainRequest(url, { method: 'POST', headers, body: JSON.stringify({ points }), target }),
      }),
      unavailable,
    );
    return addresses.map((address) => (address instanceof ContractBreach ? null : address));
  }

  return {
    async reverseGeocode(points, caller) {
      if (points.every((point) => contract.Point(point))) return addressesOf(points, caller);
      const possible = points.filter((point) => contract.Point(point));
      const addresses = new Map<Point, string | null>();
      for (const [index, address] of (await addressesOf(possible, caller)).entries()) {
        const point = possible[index];
        if (point !== undefined) addresses.set(point, address);
      }
      return points.map((point) => addresses.get(point) ?? null);
    },
    getHealth: (limitMs) =>
      probe(limitMs, { call: 'getHealth', reply: unread, send: (via) => client.GET('/health', { ...via }) }),
    get standing() {
      return backend.standing;
    },
    close: () => backend.close(),
  };
}

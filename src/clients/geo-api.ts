import createClient from 'openapi-fetch';
import type { components, paths } from '../../generated/geo-api.js';
import * as replies from '../../generated/validators/geo-api.js';
import { ServiceUnavailableError } from '../errors.js';
import type { Logger } from '../logger.js';
import { exchange } from './exchange.js';
import { createResilience } from './resilience.js';
import type { Transport } from './transport.js';

/** A point on the earth, in degrees. */
export type Point = components['schemas']['Point'];

/** How a backend that never sees a user's token is reached. */
export interface PlainBackendOptions {
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly apiKey: string | undefined;
  readonly timeoutMs: number;
  readonly logger: Logger;
}

/** The geo service. Every method throws what {@link exchange} throws. */
export interface GeoApi {
  /** @returns one entry per point, in the order of the points; null where no address is known */
  reverseGeocode(points: readonly Point[], signal?: AbortSignal): Promise<readonly (string | null)[]>;
  /** @param timeoutMs longest wait */
  getHealth(timeoutMs: number): Promise<void>;
}

/** Client of geo-api, typed by `openapi/geo-api.yaml`. */
export function createGeoApi({ baseUrl, transport, apiKey, timeoutMs, logger }: PlainBackendOptions): GeoApi {
  const client = createClient<paths>({ baseUrl, fetch: transport.fetch });
  const backend = 'geo-api';
  const call = { backend, timeoutMs, resilience: createResilience({ backend, logger }) } as const;
  const headers = apiKey === undefined ? {} : { 'x-api-key': apiKey };
  return {
    async reverseGeocode(points, abort) {
      if (points.length === 0) return [];
      const { addresses } = await exchange({
        ...call,
        mode: 'read',
        signal: abort,
        reply: replies.Addresses,
        send: (signal) => client.POST('/v1/reverse-geocode', { headers, signal, body: { points: [...points] } }),
      });
      if (addresses.length !== points.length) {
        const cause = new Error(`geo-api sent ${addresses.length} addresses for ${points.length} points`);
        throw new ServiceUnavailableError('geo-api', { cause });
      }
      return addresses;
    },
    getHealth: (limit) =>
      exchange({
        ...call,
        mode: 'probe',
        timeoutMs: limit,
        send: (signal) => client.GET('/health', { signal, parseAs: 'text' }),
      }).then(() => undefined),
  };
}

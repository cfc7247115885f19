import createClient from 'openapi-fetch';
import type { components, paths } from '../../generated/voip-api.js';
import * as replies from '../../generated/validators/voip-api.js';
import { exchange } from './exchange.js';
import { createResilience } from './resilience.js';
import type { PlainBackendOptions } from './geo-api.js';

/** Voice presence of one mobile. */
export type Presence = components['schemas']['Presence'];

/** The voice service. Every method throws what {@link exchange} throws. */
export interface VoipApi {
  /** @returns one entry per known mobile, in any order */
  getPresence(mobileIds: readonly number[], signal?: AbortSignal): Promise<readonly Presence[]>;
  /** @param timeoutMs longest wait */
  getHealth(timeoutMs: number): Promise<void>;
}

/** Client of voip-api, typed by `openapi/voip-api.yaml`. */
export function createVoipApi({ baseUrl, transport, apiKey, timeoutMs, logger }: PlainBackendOptions): VoipApi {
  const client = createClient<paths>({
    baseUrl,
    fetch: transport.fetch,
    querySerializer: { array: { style: 'form', explode: false } },
  });
  const backend = 'voip-api';
  const call = { backend, timeoutMs, resilience: createResilience({ backend, logger }) } as const;
  const headers = apiKey === undefined ? {} : { 'x-api-key': apiKey };
  return {
    async getPresence(mobileIds, abort) {
      if (mobileIds.length === 0) return [];
      const { items } = await exchange({
        ...call,
        mode: 'read',
        signal: abort,
        reply: replies.Presences,
        send: (signal) =>
          client.GET('/v1/presence', { headers, signal, params: { query: { mobileIds: [...mobileIds] } } }),
      });
      return items;
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

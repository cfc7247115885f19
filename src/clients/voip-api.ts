import createClient from 'openapi-fetch';
import type { components, paths } from '../../generated/voip-api.js';
import * as contract from '../../generated/validators/voip-api.js';
import { Backend, plainCalls, type PlainBackendOptions } from './backend.js';
import type { Caller } from './caller.js';
import { PLAIN_REQUESTS } from './plain-exchange.js';
import { listed, validEntries } from './read-reply.js';
import { mapRefusal, unavailable } from './call-errors.js';

export type Presence = components['schemas']['Presence'];

export type VoipApi = ReturnType<typeof createVoipApi>;

const presenceList = listed('items', contract.Presences, contract.Presence);

/**
 * Creates a client of voip-api, typed by `openapi/voip-api.yaml`. Every method throws the errors of its
 * {@link Backend}, except refusals, because the gateway itself makes the requests.
 */
export function createVoipApi({ baseUrl, apiKey, ...options }: PlainBackendOptions) {
  const backend = new Backend('voip-api', options);
  const client = createClient<paths>({ ...PLAIN_REQUESTS, baseUrl });
  const headers = apiKey === undefined ? {} : { 'x-api-key': apiKey };

  return {
    /** Returns one valid entry per known mobile, in any order. @param caller user or job that needs them */
    async getPresence(mobileIds: readonly number[], caller: Caller): Promise<readonly Presence[]> {
      if (mobileIds.length === 0) return [];
      const { items } = await mapRefusal(
        backend.read(caller, {
          call: 'getPresence',
          reply: presenceList,
          send: (via) =>
            client.GET('/v1/presence', { ...via, headers, params: { query: { mobileIds: [...mobileIds] } } }),
        }),
        unavailable,
      );
      return validEntries(items);
    },
    ...plainCalls(backend, (via) => client.GET('/health', { ...via })),
  };
}

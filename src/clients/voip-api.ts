import createClient from 'openapi-fetch';
import type { components, paths } from '../../generated/voip-api.js';
import * as contract from '../../generated/validators/voip-api.js';
import { Backend, PROBE_CONNECTIONS, type BackendStanding, type PlainBackendOptions } from './backend.js';
import type { Caller } from './caller.js';
import { PLAIN_REQUESTS, PlainRequest, targetOf } from './plain-exchange.js';
import { listed, soundOnly, unread } from './read-reply.js';
import { reworded, unavailable } from './refusals.js';

/** Voice presence of one mobile. */
export type Presence = components['schemas']['Presence'];

/**
 * Client of the voice service. Every method throws the errors of its {@link Backend}, except refusals: the requests are
 * never the caller's own.
 */
export interface VoipApi {
  /**
   * Returns one valid entry per known mobile, in any order.
   *
   * @param caller user or job that needs them
   */
  getPresence(mobileIds: readonly number[], caller: Caller): Promise<readonly Presence[]>;
  /** @param timeoutMs maximum wait */
  getHealth(timeoutMs: number): Promise<void>;
  /** Current use. */
  readonly standing: BackendStanding;
  /** Closes idle connections and waits for those in use. */
  close(): Promise<void>;
}

/** Called without openapi-fetch: each page of mobiles needs it. */
const PRESENCE_PATH = '/v1/presence' satisfies keyof paths;

const presenceList = listed('items', contract.Presences, contract.Presence);

/** Creates a client of voip-api, typed by `openapi/voip-api.yaml`. */
export function createVoipApi({ baseUrl, apiKey, ...options }: PlainBackendOptions): VoipApi {
  const backend = new Backend({ name: 'voip-api', ...options });
  const client = createClient<paths>({ ...PLAIN_REQUESTS, baseUrl });
  const probe = backend.openAside('probes', PROBE_CONNECTIONS);
  const headers = apiKey === undefined ? {} : { 'x-api-key': apiKey };
  const { origin, path: prefix } = targetOf(`${baseUrl.replace(/\/$/, '')}${PRESENCE_PATH}`);

  function presenceOf(mobileIds: readonly number[]): PlainRequest {
    const path = `${prefix}?mobileIds=${mobileIds.join(',')}`;
    return new PlainRequest(`${origin}${path}`, { headers, target: { origin, path } });
  }

  return {
    async getPresence(mobileIds, caller) {
      if (mobileIds.length === 0) return [];
      const { items } = await reworded(
        backend.read(caller, { call: 'getPresence', reply: presenceList, request: presenceOf(mobileIds) }),
        unavailable,
      );
      return soundOnly(items);
    },
    getHealth: (limitMs) =>
      probe(limitMs, { call: 'getHealth', reply: unread, send: (via) => client.GET('/health', { ...via }) }),
    get standing() {
      return backend.standing;
    },
    close: () => backend.close(),
  };
}

import * as contract from '../../../generated/validators/backend-api.js';
import { PROBE_CONNECTIONS } from '../backend.js';
import type { BackendWaits } from '../backend-waits.js';
import { listed, unread } from '../read-reply.js';
import type { BackendApiParts } from './backend-api-parts.js';
import type { PublicKey } from './schemas.js';

/** Calls for nobody in particular. They are open whatever other calls do. */
export interface PublicCalls {
  /**
   * Keys that verify tokens, newest first, without those that are none; the same array as long as they are the same.
   * Asked once, whoever waits.
   */
  getPublicKeys(): Promise<readonly PublicKey[]>;
  /** @param timeoutMs longest wait */
  getHealth(timeoutMs: number): Promise<void>;
  /** Shows a service key and does nothing. @param timeoutMs longest wait @throws {BackendRefusal} it is not accepted */
  showKey(key: string, timeoutMs: number): Promise<void>;
}

/** Longest wait for the public keys (a slow key source must not hold up every request). */
const KEY_FETCH_TIMEOUT_MS = 2_000;

/** Keys are fetched for every authenticated request. */
const KEY_CONNECTIONS = { connections: 32, maxWaiting: 4_096, maxReplyBytes: 1024 * 1024 };

const readKeySet = listed('keys', contract.PublicKeys, contract.PublicKey);

/** @param limits.timeoutMs longest time of any call */
export function publicCalls(
  { backend, baseUrl, client }: BackendApiParts,
  {
    timeoutMs,
    keyFetchTimeoutMs = Math.min(timeoutMs, KEY_FETCH_TIMEOUT_MS),
  }: BackendWaits & { readonly timeoutMs: number },
): PublicCalls {
  const getKeySet = backend.poll({
    call: 'getPublicKeys',
    purpose: 'keys',
    limits: KEY_CONNECTIONS,
    url: `${baseUrl}/v1/public-keys`,
    timeoutMs: keyFetchTimeoutMs,
    read: (text, name) => backend.soundOnly(readKeySet(text, name).keys),
  });
  const probe = backend.openAside('probes', PROBE_CONNECTIONS);
  return {
    getPublicKeys: () => getKeySet(),
    getHealth: (limitMs) =>
      probe(limitMs, { call: 'getHealth', reply: unread, send: (via) => client.GET('/health', { ...via }) }),
    showKey: (key, limitMs) =>
      probe(limitMs, {
        call: 'listTags',
        reply: unread,
        send: (via) => client.GET('/v1/tags', { ...via, headers: { 'x-api-key': key } }),
      }),
  };
}

import * as contract from '../../../generated/validators/backend-api.js';
import { listed, soundOnly, unread } from '../read-reply.js';
import type { BackendApiParts, PublicKey } from './backend-api-parts.js';

/** Calls without a user or job. They work independently of other calls. */
export type PublicCalls = ReturnType<typeof publicCalls>;

/** Maximum wait for the public keys (a slow key source must not hold up every request). */
const KEY_FETCH_TIMEOUT_MS = 2_000;

/** Keys are fetched for every authenticated request. */
const KEY_CONNECTIONS = { connections: 32, maxWaiting: 4_096, maxReplyBytes: 1024 * 1024 };

const readKeySet = listed('keys', contract.PublicKeys, contract.PublicKey);

/** @param timeoutMs maximum time of any call */
export function publicCalls(
  { backend, baseUrl, client }: BackendApiParts,
  timeoutMs: number,
  keyFetchTimeoutMs = Math.min(timeoutMs, KEY_FETCH_TIMEOUT_MS),
) {
  const getKeySet = backend.poll({
    call: 'getPublicKeys',
    purpose: 'keys',
    limits: KEY_CONNECTIONS,
    url: `${baseUrl}/v1/public-keys`,
    timeoutMs: keyFetchTimeoutMs,
    read: (text, name, tell) => soundOnly(readKeySet(text, name, tell).keys),
  });
  const probe = backend.openProbe();
  return {
    /**
     * Returns the keys that verify tokens, newest first, without invalid ones; the same array until they change.
     * Concurrent calls share one request.
     */
    getPublicKeys: (): Promise<readonly PublicKey[]> => getKeySet(),
    /** @param limitMs maximum wait */
    getHealth: (limitMs: number): Promise<void> =>
      probe(limitMs, { call: 'getHealth', reply: unread, send: (via) => client.GET('/health', { ...via }) }),
    /**
     * Sends a service key with a harmless call.
     *
     * @param limitMs maximum wait
     * @throws {BackendRefusal} it is not accepted
     */
    showKey: (key: string, limitMs: number): Promise<void> =>
      probe(limitMs, {
        call: 'listTags',
        reply: unread,
        send: (via) => client.GET('/v1/tags', { ...via, headers: { 'x-api-key': key } }),
      }),
  };
}

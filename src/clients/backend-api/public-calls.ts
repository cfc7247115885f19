import * as contract from '../../../generated/validators/backend-api.js';
import { listed, validEntries } from '../read-reply.js';
import type { BackendApiParts, PublicKey } from './backend-api-parts.js';

/** Calls without a user or job; they are independent of other calls. */
export type PublicCalls = ReturnType<typeof publicCalls>;

/** Maximum wait for the public keys, which every authenticated request needs. */
const KEY_FETCH_TIMEOUT_MS = 2_000;

const readKeySet = listed('keys', contract.PublicKeys, contract.PublicKey);

/** Creates the calls, each with its maximum time; `timeoutMs` is that of any call. */
export function publicCalls(
  { backend, baseUrl, client }: BackendApiParts,
  timeoutMs: number,
  keyFetchTimeoutMs = Math.min(timeoutMs, KEY_FETCH_TIMEOUT_MS),
) {
  const url = `${baseUrl}/v1/public-keys`;
  const getKeySet = backend.pollKeys('getPublicKeys', url, keyFetchTimeoutMs, (...reply) =>
    validEntries(readKeySet(...reply).keys),
  );
  const probe = backend.openProbe();
  return {
    /**
     * Returns the keys that verify tokens, newest first, without invalid ones; the same array until they change.
     * Concurrent calls share one request.
     */
    getPublicKeys: (): Promise<readonly PublicKey[]> => getKeySet(),
    getHealth: (limitMs: number): Promise<void> =>
      probe(limitMs, 'getHealth', (via) => client.GET('/health', { ...via })),
    /** Sends a service key with a harmless call. @throws {CallError} `key refused`, if it is not accepted */
    probeServiceKey: (key: string): Promise<void> =>
      probe(timeoutMs, 'listTags', (via) => client.GET('/v1/tags', { ...via, headers: { 'x-api-key': key } })),
  };
}

import { createPublicKey, type KeyObject } from 'node:crypto';
import type { PublicKey } from '../clients/backend-api.js';
import { ServiceUnavailableError } from '../errors.js';
import { observed } from '../observation.js';
import type { KeyFetchObserver } from './authentication-observer.js';
import { FetchedKeys } from './fetched-keys.js';

/** A key that may verify tokens. */
export interface VerificationKey {
  /** Undefined if the source gives no name. */
  readonly kid: string | undefined;
  /** RSA, 2048 bits or more. */
  readonly key: KeyObject;
}

/** Source of verification keys. */
export interface KeySource {
  /**
   * Fetches every usable key, newest first.
   *
   * @throws {ServiceUnavailableError} the source does not answer, refuses, or has no usable key
   */
  fetchKeys(): Promise<readonly VerificationKey[]>;
  /** Returns keys that may have signed a token with this `kid`: equal, or absent on either side. */
  candidates(kid: string | undefined): Promise<readonly VerificationKey[]>;
}

/** Settings of the key source. */
export interface KeySourceOptions {
  readonly maxAgeMs: number;
  readonly now: () => number;
  readonly observer?: KeyFetchObserver | undefined;
}

/** Smallest modulus accepted for RS256 (RFC 7518 section 3.3). */
const MIN_MODULUS_BITS = 2048;

/**
 * Creates a key source on backend-api.
 *
 * @param fetch gets the keys in PEM form; returns the same array while they are unchanged
 * @param options.maxAgeMs time for which keys may be reused, in milliseconds; 0 fetches every time, as the
 *   specification says. An unknown `kid` causes a fetch, at most one in 10 s.
 * @param options.now milliseconds since 1970
 * @param options.observer watches fetches, if given
 */
export function createKeySource(
  fetch: () => Promise<readonly PublicKey[]>,
  { maxAgeMs, now, observer }: KeySourceOptions,
): KeySource {
  let last: Imported = { set: [], keys: [], byPem: new Map() };

  function usable(set: readonly PublicKey[]): readonly VerificationKey[] {
    if (set !== last.set) last = importSet(set, last);
    if (last.keys.length === 0) {
      throw new ServiceUnavailableError('backend-api', { cause: new Error('backend-api has no usable public key') });
    }
    return last.keys;
  }

  const fetchAndImport = (): Promise<readonly VerificationKey[]> => fetch().then(usable);
  const fetchKeys =
    observer === undefined
      ? fetchAndImport
      : (): Promise<readonly VerificationKey[]> =>
          observed(observer.started(undefined), fetchAndImport, (settled) => ('error' in settled ? 'failed' : 'ok'));

  // Requests share no keys by default.
  if (maxAgeMs === 0) return { fetchKeys, candidates: (kid) => fetchKeys().then((keys) => matching(keys, kid)) };
  const fetched = new FetchedKeys({ fetch: fetchKeys, maxAgeMs, now });
  return {
    fetchKeys: () => fetched.fetch(),
    candidates: async (kid) => matching(await fetched.get((keys) => matching(keys, kid).length > 0), kid),
  };
}

function matching(keys: readonly VerificationKey[], kid: string | undefined): readonly VerificationKey[] {
  return keys.filter((key) => kid === undefined || key.kid === undefined || key.kid === kid);
}

/** An imported key set, with the result for each PEM text. */
interface Imported {
  readonly set: readonly PublicKey[];
  readonly keys: readonly VerificationKey[];
  readonly byPem: ReadonlyMap<string, KeyObject | undefined>;
}

/** Imports a key set and reuses known keys, because an import costs many times as much as a verification. */
function importSet(set: readonly PublicKey[], { byPem: known }: Imported): Imported {
  const byPem = new Map(set.map(({ pem }) => [pem, known.has(pem) ? known.get(pem) : importKey(pem)]));
  const keys = set.flatMap(({ kid, pem }) => {
    const key = byPem.get(pem);
    return key === undefined ? [] : [{ kid, key }];
  });
  return { set, keys, byPem };
}

function importKey(pem: string): KeyObject | undefined {
  try {
    const key = createPublicKey(pem);
    const strong = (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_MODULUS_BITS;
    return key.asymmetricKeyType === 'rsa' && strong ? key : undefined;
  } catch {
    return undefined;
  }
}

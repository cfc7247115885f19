import { createPublicKey, type KeyObject } from 'node:crypto';
import type { PublicKey } from '../clients/backend-api.js';
import { ServiceUnavailableError } from '../errors.js';
import { observed, successOf, type Observer } from '../observation.js';

/** Settings of the cache of keys. */
interface FetchedKeysOptions<Keys> {
  readonly fetch: () => Promise<Keys>;
  /** Time for which keys may be reused, from the start of their fetch, in milliseconds. */
  readonly maxAgeMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Shortest time between fetches for unknown keys, in milliseconds. In this time, invented key names cause one fetch
 * only. It is also the longest time until a new key is found.
 */
export const COOL_DOWN_MS = 10_000;

/** Time for which all callers share a failure while no keys are cached, in milliseconds. */
export const FAILURE_MS = 1_000;

/** Cache of keys for a limited time; concurrent callers share one fetch. */
class FetchedKeys<Keys> {
  readonly #options: FetchedKeysOptions<Keys>;
  #kept: { readonly keys: Keys; readonly at: number } | undefined;
  #failed: { readonly error: unknown; readonly at: number } | undefined;
  /** Time of the last fetch for an unknown key. */
  #refetchedAt: number | undefined;
  #pending: Promise<Keys> | undefined;

  constructor(options: FetchedKeysOptions<Keys>) {
    this.#options = options;
  }

  /**
   * Returns the cached keys, or fetches them if they are too old or unsuitable. During the cool-down, it may return
   * unsuitable keys.
   *
   * @param suits returns true if the required key is among them
   * @throws {unknown} the error of this fetch or of the last one, because the key may exist
   */
  async get(suits: (keys: Keys) => boolean): Promise<Keys> {
    const kept = this.#isWithin(this.#kept?.at, this.#options.maxAgeMs) ? this.#kept?.keys : undefined;
    if (kept !== undefined && suits(kept)) return kept;
    if (this.#pending !== undefined) return this.#pending;
    if (kept === undefined) {
      if (this.#isWithin(this.#failed?.at, FAILURE_MS)) throw this.#failed?.error;
    } else {
      if (this.#isWithin(this.#refetchedAt, COOL_DOWN_MS)) {
        if (this.#failed !== undefined) throw this.#failed.error;
        return kept;
      }
      this.#refetchedAt = this.#options.now();
    }
    this.#pending = this.fetch().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  /** Fetches and caches the keys now. */
  async fetch(): Promise<Keys> {
    const at = this.#options.now();
    try {
      const keys = await this.#options.fetch();
      this.#kept = { keys, at };
      this.#failed = undefined;
      return keys;
    } catch (error) {
      this.#failed = { error, at: this.#options.now() };
      throw error;
    }
  }

  /** Returns false after a clock was set back, so that entries expire too early rather than too late. */
  #isWithin(since: number | undefined, ms: number): boolean {
    const age = since === undefined ? -1 : this.#options.now() - since;
    return age >= 0 && age < ms;
  }
}

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
  /** Returns keys that may have signed a token with this `kid`, which a key or the token may also lack. */
  candidates(kid: string | undefined): Promise<readonly VerificationKey[]>;
}

declare module '../observation.js' {
  interface ObservedWork {
    keyFetch: Observed<undefined, Success>;
  }
}

/** Settings of the key source. */
export interface KeySourceOptions {
  readonly maxAgeMs: number;
  readonly now: () => number;
  readonly observer?: Observer | undefined;
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
  const fetchKeys = (): Promise<readonly VerificationKey[]> =>
    observed(observer, 'keyFetch', undefined, fetchAndImport, successOf);

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

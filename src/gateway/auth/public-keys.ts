import { createPublicKey, type KeyObject } from 'node:crypto';
import type { PublicKey } from '../../clients/backend-api.js';
import { ServiceUnavailableError } from '../../base/errors.js';
import { observed, successOf, type Observer } from '../../base/observation.js';

/** A key that may verify tokens. */
export interface VerificationKey {
  /** Undefined if the source gives no name. */
  readonly kid: string | undefined;
  /** RSA, 2048 bits or more. */
  readonly key: KeyObject;
}

/** Source of verification keys. */
export type KeySource = Pick<PublicKeys, 'candidates' | 'fetchKeys'>;

declare module '../../base/observation.js' {
  interface ObservedWork {
    keyFetch: Observed<undefined, Success>;
  }
}

/** Settings of the key source. */
interface KeySourceOptions {
  /**
   * Time for which keys may be reused, from the start of their fetch, in milliseconds; 0 fetches every time, as the
   * specification says. An unknown `kid` causes a fetch, at most one in 10 s.
   */
  readonly maxAgeMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly observer?: Observer | undefined;
}

/** Shortest time between fetches for unknown keys, and longest time until a new key is found, in milliseconds. */
export const COOL_DOWN_MS = 10_000;

/** Time for which all callers share a failure while no keys are cached, in milliseconds. */
export const FAILURE_MS = 1_000;

type Keys = readonly VerificationKey[];

/** Public keys of backend-api, imported, and reused for a limited time if that is allowed. */
export class PublicKeys {
  readonly #fetch: () => Promise<readonly PublicKey[]>;
  readonly #options: KeySourceOptions;
  #imported: Imported = { set: [], keys: [], byPem: new Map() };
  #cached: { readonly keys: Keys; readonly at: number } | undefined;
  #failed: { readonly error: unknown; readonly at: number } | undefined;
  /** Time of the last fetch for an unknown key. */
  #refetchedAt: number | undefined;
  #pending: Promise<Keys> | undefined;

  /** @param fetch gets the keys in PEM form; returns the same array while they are unchanged */
  constructor(fetch: () => Promise<readonly PublicKey[]>, options: KeySourceOptions) {
    this.#fetch = fetch;
    this.#options = options;
  }

  /**
   * Returns keys that may have signed a token with this `kid`, which a key or the token may lack. If keys are reused,
   * concurrent callers share one fetch.
   *
   * @throws {unknown} the error of {@link fetchKeys}, or of the last one, because the key may exist
   */
  async candidates(kid: string | undefined): Promise<Keys> {
    const { maxAgeMs } = this.#options;
    // Requests share no keys by default.
    if (maxAgeMs === 0) return matching(await this.fetchKeys(), kid);
    const cached = this.#isWithin(this.#cached?.at, maxAgeMs) ? this.#cached?.keys : undefined;
    const known = matching(cached ?? [], kid);
    return known.length > 0 ? known : matching(await (this.#pending ?? this.#refetch(cached)), kid);
  }

  async #refetch(cached: Keys | undefined): Promise<Keys> {
    const [since, pauseMs] = cached ? [this.#refetchedAt, COOL_DOWN_MS] : [this.#failed?.at, FAILURE_MS];
    if (this.#isWithin(since, pauseMs)) {
      if (this.#failed) throw this.#failed.error;
      return cached ?? [];
    }
    if (cached) this.#refetchedAt = this.#options.now();
    this.#pending = this.fetchKeys().finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  /** Fetches every usable key, newest first. @throws {ServiceUnavailableError} no answer, refused, or no usable key */
  async fetchKeys(): Promise<Keys> {
    const { now, observer } = this.#options;
    const at = now();
    try {
      const keys = await observed(observer, 'keyFetch', undefined, () => this.#fetchUsable(), successOf);
      this.#cached = { keys, at };
      this.#failed = undefined;
      return keys;
    } catch (error) {
      this.#failed = { error, at: now() };
      throw error;
    }
  }

  async #fetchUsable(): Promise<Keys> {
    const set = await this.#fetch();
    if (set !== this.#imported.set) this.#imported = importSet(set, this.#imported);
    if (this.#imported.keys.length > 0) return this.#imported.keys;
    throw new ServiceUnavailableError('backend-api', 'backend-api has no usable public key');
  }

  /** Returns false after a clock was set back, so that entries expire too early rather than too late. */
  #isWithin(since: number | undefined, ms: number): boolean {
    const age = since === undefined ? -1 : this.#options.now() - since;
    return age >= 0 && age < ms;
  }
}

/** Smallest modulus accepted for RS256 (RFC 7518 section 3.3). */
const MIN_MODULUS_BITS = 2048;

function matching(keys: Keys, kid: string | undefined): Keys {
  return keys.filter((key) => kid === undefined || key.kid === undefined || key.kid === kid);
}

/** An imported key set, with the result for each PEM text. */
interface Imported {
  readonly set: readonly PublicKey[];
  readonly keys: readonly VerificationKey[];
  readonly byPem: ReadonlyMap<string, KeyObject | undefined>;
}

/** Imports a key set, and reuses known keys: an import costs many times as much as a verification. */
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

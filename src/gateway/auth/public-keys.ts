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
   * specification says. An unknown `kid` causes a fetch, at most five in a minute. Kept keys are renewed in the last
   * tenth of this time, during which they still serve.
   */
  readonly maxAgeMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly observer?: Observer | undefined;
}

/** Largest number of fetches for unknown keys in a minute. */
export const FETCHES_PER_MINUTE = 5;

const MINUTE_MS = 60_000;

/** Time for which all callers share a failure while no keys are cached, in milliseconds. */
export const FAILURE_MS = 1_000;

/** Part of their time after which kept keys are renewed. */
const RENEWED_AT = 0.9;

type Keys = readonly VerificationKey[];

/** Public keys of backend-api, imported, and reused for a limited time if that is allowed. */
export class PublicKeys {
  readonly #fetch: () => Promise<readonly PublicKey[]>;
  readonly #options: KeySourceOptions;
  #imported: Imported = { set: [], keys: [], byPem: new Map() };
  #cached: { readonly keys: Keys; readonly at: number } | undefined;
  #failed: { readonly error: unknown; readonly at: number } | undefined;
  /** Times of the fetches for unknown keys within the last minute. */
  #fetchedAt: readonly number[] = [];
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
   * @throws {ServiceUnavailableError} with the seconds until a fetch, because the key could not be asked for
   */
  async candidates(kid: string | undefined): Promise<Keys> {
    const { maxAgeMs } = this.#options;
    // Requests share no keys by default.
    if (maxAgeMs === 0) return matching(await this.fetchKeys(), kid);
    const cached = this.#isWithin(this.#cached?.at, maxAgeMs) ? this.#cached : undefined;
    const known = matching(cached?.keys ?? [], kid);
    if (known.length === 0) return matching(await (this.#pending ?? this.#refetch(cached !== undefined)), kid);
    // Kept keys serve meanwhile, and a failure is told by the fetch.
    if (!this.#isWithin(cached?.at, maxAgeMs * RENEWED_AT)) this.#share(FAILURE_MS)?.catch(() => undefined);
    return known;
  }

  /** Fetches keys if there are none, or none of a name. */
  async #refetch(hasOthers: boolean): Promise<Keys> {
    if (hasOthers) this.#countFetch();
    const pending = this.#share(hasOthers ? 0 : FAILURE_MS);
    if (pending === undefined) throw this.#failed?.error;
    return pending;
  }

  /** Starts a fetch, or joins the one under way; undefined within a time after a failure. */
  #share(pauseMs: number): Promise<Keys> | undefined {
    if (this.#pending === undefined && this.#isWithin(this.#failed?.at, pauseMs)) return undefined;
    this.#pending ??= this.fetchKeys().finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  /** Counts a fetch for an unknown key. @throws {ServiceUnavailableError} when none is left */
  #countFetch(): void {
    this.#fetchedAt = this.#fetchedAt.filter((at) => this.#isWithin(at, MINUTE_MS));
    const now = this.#options.now();
    const [first = now] = this.#fetchedAt;
    if (this.#fetchedAt.length >= FETCHES_PER_MINUTE) {
      const cause = new Error('a key of an unknown name cannot be asked for yet: too many such names came');
      const retryAfterSeconds = Math.ceil((first + MINUTE_MS - now) / 1_000);
      throw new ServiceUnavailableError('backend-api', { cause, retryAfterSeconds });
    }
    this.#fetchedAt = [...this.#fetchedAt, now];
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

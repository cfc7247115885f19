/** Settings of the cache of keys. */
export interface FetchedKeysOptions<Keys> {
  readonly fetch: () => Promise<Keys>;
  /** Time for which keys may be reused, from the start of their fetch, in milliseconds. */
  readonly maxAgeMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Shortest time between fetches for unknown keys, in milliseconds. Made-up key names cause one fetch in this time, and
 * a new key is found after it at the latest.
 */
export const COOL_DOWN_MS = 10_000;

/** Time for which all callers share a failure while no keys are cached, in milliseconds. */
export const FAILURE_MS = 1_000;

/** Cache of keys for a limited time; concurrent callers share one fetch. */
export class FetchedKeys<Keys> {
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
   * Returns the cached keys, or fetches them if too old or unsuitable. During the cool-down, keys may be unsuitable.
   *
   * @param suits returns true if the required key is among them
   * @throws {unknown} the error of this fetch or of the last one, as the existence of the key is then unknown
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

  /** Returns false after a clock was set back, so that entries expire early and not late. */
  #isWithin(since: number | undefined, ms: number): boolean {
    const age = since === undefined ? -1 : this.#options.now() - since;
    return age >= 0 && age < ms;
  }
}

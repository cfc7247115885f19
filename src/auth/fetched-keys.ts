/** How fetched keys are kept. */
export interface FetchedKeysOptions<Keys> {
  readonly fetch: () => Promise<Keys>;
  /** How long they may be reused, in milliseconds, from when they were asked for. */
  readonly maxAgeMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * How long a fetch for a key that was not among those kept stands for all that are not: whoever makes up names of keys
 * causes one fetch in this time, and a key that is new is found at the latest after it.
 */
export const COOL_DOWN_MS = 10_000;

/** How long a failure stands for all who ask while nothing is kept. */
export const FAILURE_MS = 1_000;

/** Keys that are reused for a while, and fetched once for all who wait for them. */
export class FetchedKeys<Keys> {
  readonly #options: FetchedKeysOptions<Keys>;
  #kept: { readonly keys: Keys; readonly at: number } | undefined;
  #failed: { readonly error: unknown; readonly at: number } | undefined;
  /** When keys were last fetched because those kept were not enough. */
  #refetchedAt: number | undefined;
  #pending: Promise<Keys> | undefined;

  constructor(options: FetchedKeysOptions<Keys>) {
    this.#options = options;
  }

  /**
   * The keys that are kept, or, when they are too old or not the right ones, those that are fetched now. During the
   * cool-down they may not be the right ones either.
   *
   * @param suits whether the right one is among them
   * @throws {unknown} what the fetch throws, or threw last: nobody can tell then whether there is a right one
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

  /** Fetches them now, and keeps them. */
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

  /** A clock that was put back ends everything early instead of late. */
  #isWithin(since: number | undefined, ms: number): boolean {
    const age = since === undefined ? -1 : this.#options.now() - since;
    return age >= 0 && age < ms;
  }
}

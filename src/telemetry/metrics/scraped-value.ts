/** How long a value is good for everybody who scrapes, in milliseconds. */
const SHARED_MS = 1_000;

/** Longest wait of a scrape for a value. */
const MAX_WAIT_MS = 500;

/**
 * A value that is looked up elsewhere when somebody scrapes. However many scrape, it is asked for once a second at
 * most, and once at a time: a store that hangs is not asked again, and nobody waits for it for long.
 */
export class ScrapedValue<T> {
  readonly #read: () => Promise<T>;
  readonly #maxWaitMs: number;
  #underWay: Promise<void> | undefined;
  #last: { readonly value: T | undefined; readonly at: number } | undefined;

  /** @param maxWaitMs longest wait for it, in milliseconds */
  constructor(read: () => Promise<T>, maxWaitMs = MAX_WAIT_MS) {
    this.#read = read;
    this.#maxWaitMs = maxWaitMs;
  }

  /** @returns undefined when it cannot be had, or not in time */
  async get(): Promise<T | undefined> {
    if (this.#last !== undefined && performance.now() < this.#last.at + SHARED_MS) return this.#last.value;
    const asked = (this.#underWay ??= this.#ask().finally(() => (this.#underWay = undefined)));
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<'too late'>((resolve) => {
      timer = setTimeout(resolve, this.#maxWaitMs, 'too late');
    });
    const outcome = await Promise.race([asked, tooLate]);
    clearTimeout(timer);
    return outcome === 'too late' ? undefined : this.#last?.value;
  }

  async #ask(): Promise<void> {
    const at = performance.now();
    const value = await this.#read().catch(() => undefined);
    this.#last = { value, at };
  }
}

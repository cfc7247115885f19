/**
 * Finds an answer once for everybody who asks while it is looked for, or within a while after that began. So what
 * anybody may ask for costs the backends the same however many ask. Failures are shared as well.
 */
export class CoalescedAnswer<T> {
  readonly #forMs: number;
  #answer: Promise<T> | undefined;
  #isPending = false;
  #startedAt = -Infinity;

  /** @param forMs how long an answer is shared, from the moment it was asked for */
  constructor(forMs: number) {
    this.#forMs = forMs;
  }

  /** @throws {unknown} what `find` throws */
  get(find: () => Promise<T>): Promise<T> {
    const now = performance.now();
    if (this.#answer === undefined || (!this.#isPending && now >= this.#startedAt + this.#forMs)) {
      this.#startedAt = now;
      this.#isPending = true;
      this.#answer = find().finally(() => {
        this.#isPending = false;
      });
    }
    return this.#answer;
  }
}

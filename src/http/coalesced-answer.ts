/**
 * Shares one answer among all callers during its look-up and for a time from its start, so that load on the backends is
 * independent of the number of public requests. Failures are shared as well.
 */
export class CoalescedAnswer<T> {
  readonly #forMs: number;
  #answer: Promise<T> | undefined;
  #isPending = false;
  #startedAt = -Infinity;

  /** @param forMs time for which an answer is shared, from the start of its look-up, in milliseconds */
  constructor(forMs: number) {
    this.#forMs = forMs;
  }

  /** @throws {unknown} errors of `find` */
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

/** Time for which the operations of each client are counted, in milliseconds. */
const COUNTED_MS = 1_000;

/** Counts of the operations of each client in the last second. */
export class RecentClients {
  /** Bounded by the arrivals of that time. */
  #counts = new Map<string, number>();
  #counted = 0;
  #since = performance.now();

  /** Counts an operation. @param now of `performance.now()` */
  count(now: number, client: string): void {
    if (now - this.#since > COUNTED_MS) {
      this.#counts = new Map();
      this.#counted = 0;
      this.#since = now;
    }
    this.#counts.set(client, (this.#counts.get(client) ?? 0) + 1);
    this.#counted += 1;
  }

  /** Returns true for a client with at least as many operations as the mean. */
  isHeavy(client: string): boolean {
    return (this.#counts.get(client) ?? 0) * this.#counts.size >= this.#counted;
  }
}

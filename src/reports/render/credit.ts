/** Counts what may be sent to the other side, so that the slower side sets the pace. */
export class Credit {
  #left: number;
  #waiting: { resolve: () => void; reject: (reason: unknown) => void } | undefined;
  #failure: { readonly reason: unknown } | undefined;

  constructor(initial: number) {
    this.#left = initial;
  }

  add(count: number): void {
    this.#left += count;
    if (this.#left <= 0) return;
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }

  /** Waits until something may be sent and takes that place. One caller at a time. */
  async spend(): Promise<void> {
    if (this.#failure === undefined && this.#left <= 0) {
      await new Promise<void>((resolve, reject) => {
        this.#waiting = { resolve, reject };
      });
    }
    if (this.#failure !== undefined) throw this.#failure.reason;
    this.#left -= 1;
  }

  /** Nothing will be sent any more: whoever waits, now or later, gets `reason` thrown. */
  fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#waiting?.reject(reason);
    this.#waiting = undefined;
  }
}

/** Does something again and again until it is stopped; never twice at the same time. It keeps no process alive. */
export class Renewal {
  readonly #timer: NodeJS.Timeout;
  #current: Promise<void> | undefined;

  /** @param renew never rejects */
  constructor(renew: () => Promise<void>, everyMs: number) {
    this.#timer = setInterval(() => {
      this.#current ??= renew().finally(() => (this.#current = undefined));
    }, everyMs).unref();
  }

  /** Resolves when the one under way is over, so that what comes next is not undone by it. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#current;
  }
}

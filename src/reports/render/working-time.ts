/** Time that is worked while now and then something is waited for. It begins with work. */
export class WorkingTime {
  #workedMs = 0;
  #since = performance.now();

  /** Waits for something, which is no work. */
  async waiting<T>(promise: Promise<T>): Promise<T> {
    this.#workedMs += performance.now() - this.#since;
    try {
      return await promise;
    } finally {
      this.#since = performance.now();
    }
  }

  /** So far, in milliseconds; to be asked while it works. */
  get milliseconds(): number {
    return this.#workedMs + performance.now() - this.#since;
  }
}

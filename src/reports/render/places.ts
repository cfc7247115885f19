/** Occupied place of an organisation. */
export interface Place {
  /** Releases the place to the next caller; call once. */
  free(): void;
}

/** Concurrency limit per organisation; further callers of that organisation wait in order. */
export class Places {
  readonly #max: number;
  readonly #taken = new Map<string, { count: number; readonly waiting: (() => void)[] }>();

  /** @param max places per organisation */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Takes a place as soon as one is free.
   *
   * @throws the reason of `signal` if it is aborted first
   */
  async take(organisation: string, signal: AbortSignal): Promise<Place> {
    signal.throwIfAborted();
    const entry = this.#taken.get(organisation) ?? { count: 0, waiting: [] };
    this.#taken.set(organisation, entry);
    if (entry.count < this.#max) entry.count += 1;
    else await this.#wait(entry.waiting, signal);
    return {
      free: () => {
        const next = entry.waiting.shift();
        // The next caller takes over the place, so the count stays.
        if (next !== undefined) next();
        else entry.count -= 1;
        if (entry.count === 0) this.#taken.delete(organisation);
      },
    };
  }

  #wait(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(enter), 1);
        reject(signal.reason as Error); // whatever it is, it is handed on
      };
      waiting.push(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}

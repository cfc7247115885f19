/** A place of an organisation that is taken. */
export interface Place {
  /** Lets the next one in; to be called once. */
  free(): void;
}

/** Lets a few of each organisation in at the same time; the others of that organisation wait in their order. */
export class Places {
  readonly #max: number;
  readonly #taken = new Map<string, { count: number; readonly waiting: (() => void)[] }>();

  /** @param max of each organisation */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Takes a place, as soon as there is one.
   *
   * @throws the reason of `signal` when it is aborted before
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
        // It takes over the place, so the count stays.
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

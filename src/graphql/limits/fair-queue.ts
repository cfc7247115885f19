interface Entry<T> {
  readonly client: string;
  readonly value: T;
  isOut: boolean;
}

/**
 * Queue ordered by arrival and by client. Clients take turns, so a client with many entries delays others no more than
 * one with few. Entries of one client keep their order.
 */
export class FairQueue<T> {
  /** All entries by arrival; removed ones stay until they are the first. */
  readonly #arrivals: Entry<T>[] = [];
  /** Queues of the waiting clients; the first client is next. */
  readonly #clients = new Map<string, Entry<T>[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The value that has waited longest; undefined if empty. */
  get oldest(): T | undefined {
    return this.#oldest()?.value;
  }

  /** Returns the largest number of entries that a new entry of this client would wait for. */
  aheadOf(client: string): number {
    const own = this.#clients.get(client)?.length ?? 0;
    const others = own === 0 ? this.#clients.size : this.#clients.size - 1;
    return Math.min(this.#size, own + (own + 1) * others);
  }

  add(client: string, value: T): void {
    const entry = { client, value, isOut: false };
    this.#arrivals.push(entry);
    this.#size += 1;
    const own = this.#clients.get(client);
    if (own === undefined) this.#clients.set(client, [entry]);
    else own.push(entry);
  }

  /** Removes and returns the value that has waited longest. */
  takeOldest(): T | undefined {
    const entry = this.#oldest();
    if (entry === undefined) return undefined;
    // The oldest of all is also the oldest of its client.
    const own = this.#takeFirst(entry.client);
    if (own.length === 0) this.#clients.delete(entry.client);
    return entry.value;
  }

  /** Removes and returns the next value; its client then goes behind all others. */
  takeNext(): T | undefined {
    for (const [client, [entry]] of this.#clients) {
      const left = this.#takeFirst(client);
      this.#clients.delete(client);
      if (left.length > 0) this.#clients.set(client, left);
      return entry?.value;
    }
    return undefined;
  }

  #oldest(): Entry<T> | undefined {
    while (this.#arrivals[0]?.isOut === true) this.#arrivals.shift();
    return this.#arrivals[0];
  }

  /** Removes the first entry of a client. @returns the client's remaining entries */
  #takeFirst(client: string): Entry<T>[] {
    const own = this.#clients.get(client) ?? [];
    const entry = own.shift();
    if (entry !== undefined) {
      entry.isOut = true;
      this.#size -= 1;
    }
    return own;
  }
}

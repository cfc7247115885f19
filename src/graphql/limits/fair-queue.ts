interface Entry<T> {
  readonly client: string;
  readonly value: T;
  isOut: boolean;
}

/**
 * What waits, in the order in which it came, and by client: clients take turns, so that one with much to wait for makes
 * another wait as little as one with little. What one client has waiting keeps its order.
 */
export class FairQueue<T> {
  /** Those that are out stay until they come first. */
  readonly #arrivals: Entry<T>[] = [];
  /** The client whose turn is next comes first; none is empty. */
  readonly #clients = new Map<string, Entry<T>[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** What has waited longest; undefined when nothing waits. */
  get oldest(): T | undefined {
    return this.#oldest()?.value;
  }

  /** How many would be taken before the next one of this client, at most. */
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

  /** Takes out what has waited longest. */
  takeOldest(): T | undefined {
    const entry = this.#oldest();
    if (entry === undefined) return undefined;
    // What came first of all came first of its client, too.
    const own = this.#takeFirst(entry.client);
    if (own.length === 0) this.#clients.delete(entry.client);
    return entry.value;
  }

  /** Takes out what is next, after which it is the turn of all other clients. */
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

  /** Takes the first of a client out. @returns what the client has left */
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

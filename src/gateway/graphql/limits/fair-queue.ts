interface Place<T> {
  readonly value: T;
  before: Place<T> | undefined;
  after: Place<T> | undefined;
}

/** Doubly linked list. Adds and removes at constant cost, and keeps nothing of what was removed. */
class List<T> {
  #first: Place<T> | undefined;
  #last: Place<T> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): T | undefined {
    return this.#first?.value;
  }

  /** Adds a value behind all others. @returns its place, by which it can be removed */
  add(value: T): Place<T> {
    const place: Place<T> = { value, before: this.#last, after: undefined };
    if (this.#last === undefined) this.#first = place;
    else this.#last.after = place;
    this.#last = place;
    this.#size += 1;
    return place;
  }

  remove(place: Place<T>): void {
    const { before, after } = place;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    // V8 keeps what a removed place in its old space refers to until that space is collected.
    place.before = place.after = undefined;
    this.#size -= 1;
  }

  /** Removes and returns the first value. */
  takeFirst(): T | undefined {
    const place = this.#first;
    if (place !== undefined) this.remove(place);
    return place?.value;
  }
}

interface Client<T> {
  readonly name: string;
  /** The client's places among all arrivals, the oldest first. */
  readonly waiting: List<Place<Entry<T>>>;
}

interface Entry<T> {
  readonly client: Client<T>;
  readonly value: T;
}

/**
 * Queue ordered by arrival and by client. Clients take turns, so a client with many entries delays others no more than
 * one with few. Every operation has a constant cost, and nothing is kept of an entry that was taken.
 */
export class FairQueue<T> {
  readonly #arrivals = new List<Entry<T>>();
  /** The waiting clients; the first is next. */
  readonly #turns = new List<Client<T>>();
  /** Places in `#turns` by the name of the client. */
  readonly #clients = new Map<string, Place<Client<T>>>();

  get size(): number {
    return this.#arrivals.size;
  }

  /** Returns the largest number of entries that a new entry of this client would wait for. */
  aheadOf(client: string): number {
    const own = this.#clients.get(client)?.value.waiting.size ?? 0;
    const others = own === 0 ? this.#turns.size : this.#turns.size - 1;
    return Math.min(this.size, own + (own + 1) * others);
  }

  add(name: string, value: T): void {
    let client = this.#clients.get(name)?.value;
    if (client === undefined) {
      client = { name, waiting: new List() };
      this.#clients.set(name, this.#turns.add(client));
    }
    client.waiting.add(this.#arrivals.add({ client, value }));
  }

  /** Removes and returns the value that has waited longest, if it is due. */
  takeOldest(isDue: (value: T) => boolean = () => true): T | undefined {
    const { first } = this.#arrivals;
    if (first === undefined || !isDue(first.value)) return undefined;
    // The oldest of all is also the oldest of its client.
    this.#takeFirst(first.client);
    if (first.client.waiting.size === 0) this.#leave(first.client);
    return first.value;
  }

  /** Removes and returns the next value; its client then goes behind all others. */
  takeNext(): T | undefined {
    const client = this.#turns.first;
    if (client === undefined) return undefined;
    const value = this.#takeFirst(client);
    this.#leave(client);
    if (client.waiting.size > 0) this.#clients.set(client.name, this.#turns.add(client));
    return value;
  }

  #takeFirst({ waiting }: Client<T>): T | undefined {
    const arrival = waiting.takeFirst();
    if (arrival !== undefined) this.#arrivals.remove(arrival);
    return arrival?.value.value;
  }

  #leave({ name }: Client<T>): void {
    const turn = this.#clients.get(name);
    if (turn !== undefined) this.#turns.remove(turn);
    this.#clients.delete(name);
  }
}

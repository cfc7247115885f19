/** Names of a party, each within the one before, such as the networks of a client. */
type Path = readonly string[];

interface Entry<T> {
  readonly path: Path;
  readonly value: T;
}

/** Entries of a party, and of the parties within it; the first of these is next. */
interface PartyQueue<T> {
  size: number;
  readonly inner: Map<string, PartyQueue<T>>;
  readonly waiting: Set<Entry<T>>;
}

function emptyQueue<T>(): PartyQueue<T> {
  return { size: 0, inner: new Map(), waiting: new Set() };
}

/** Returns the largest number of turns of a party until a new entry of one within it has had its turn. */
function turnsUntil<T>(turns: PartyQueue<T> | undefined, [name, ...within]: Path): number {
  if (turns === undefined) return 1;
  if (name === undefined) return turns.size + 1;
  const own = turns.inner.get(name);
  const others = turns.inner.size - (own === undefined ? 0 : 1);
  return Math.min(turnsUntil(own, within) * (others + 1), turns.size + 1);
}

function firstOf<Of>(parties: ReadonlyMap<string, Of>, mayTake: (name: string) => boolean): [string, Of] | undefined {
  for (const party of parties) if (mayTake(party[0])) return party;
  return undefined;
}

/**
 * Queue ordered by arrival and by party. Parties take turns, and so do the parties within each, so one with many
 * entries delays others no more than one with few. Sets and maps keep the order of insertion, and nothing of an entry
 * that was taken. To take one of 5,000 lasts a microsecond, because the first of a set stands behind the places of
 * those that were taken.
 */
export class FairQueue<T> {
  readonly #arrivals = new Set<Entry<T>>();
  readonly #turns = emptyQueue<T>();

  get size(): number {
    return this.#arrivals.size;
  }

  /** Returns the largest number of entries that a new entry of this party would wait for. */
  aheadOf(path: Path): number {
    return turnsUntil(this.#turns, path) - 1;
  }

  add(path: Path, value: T): void {
    const entry = { path, value };
    this.#arrivals.add(entry);
    let turns = this.#turns;
    turns.size += 1;
    for (const name of path) {
      const inner = turns.inner.get(name) ?? emptyQueue<T>();
      turns.inner.set(name, inner);
      turns = inner;
      turns.size += 1;
    }
    turns.waiting.add(entry);
  }

  /** Removes and returns the value that has waited longest, if it is due. */
  takeOldest(isDue: (value: T) => boolean = () => true): T | undefined {
    const [oldest] = this.#arrivals;
    return oldest !== undefined && isDue(oldest.value) ? this.#take(oldest) : undefined;
  }

  /**
   * Removes and returns the next value; its party then goes behind all others, and so do those around it.
   *
   * @param mayTake by the outermost name of a party; the values of the others stay
   */
  takeNext(mayTake: (name: string) => boolean = () => true): T | undefined {
    let turns = this.#turns;
    for (let first = firstOf(turns.inner, mayTake); first !== undefined; [first] = turns.inner) {
      const [name, inner] = first;
      turns.inner.delete(name);
      turns.inner.set(name, inner);
      turns = inner;
    }
    const [next] = turns.waiting;
    return next && this.#take(next);
  }

  #take(entry: Entry<T>): T {
    this.#arrivals.delete(entry);
    let turns = this.#turns;
    turns.size -= 1;
    for (const name of entry.path) {
      const inner = turns.inner.get(name);
      if (inner === undefined) break;
      inner.size -= 1;
      if (inner.size === 0) turns.inner.delete(name);
      turns = inner;
    }
    turns.waiting.delete(entry);
    return entry.value;
  }
}

export interface ConnectionSharesOptions {
  readonly connections: number;
  readonly maxWaiting: number;
  /** True if every party leaves a share for the others. */
  readonly fair: boolean;
}

export interface ConnectionUse {
  readonly max: number;
  readonly inUse: number;
  readonly waiting: number;
}

/** Names of a party, each within the one before: an organisation, or the networks of a client. */
export type PartyPath = readonly string[];

interface Party {
  /** Undefined for the one that all others are within. */
  readonly around: Party | undefined;
  readonly name: string;
  /** Connections of this party and of all within it, and their calls that wait. */
  held: number;
  waits: number;
  /** Parties that hold a connection or wait for one; the last one served comes last. */
  readonly inner: Map<string, Party>;
  /** In FIFO order. */
  readonly waiting: Set<WaitingCall>;
}

interface WaitingCall {
  readonly party: Party;
  readonly resolve: (giveBack: () => void) => void;
}

function partyIn(around: Party | undefined, name: string): Party {
  return around?.inner.get(name) ?? { around, name, held: 0, waits: 0, inner: new Map(), waiting: new Set() };
}

/** Returns a party, and those around it, the innermost first. */
function* outwards(party: Party): Generator<Party> {
  for (let each: Party | undefined = party; each !== undefined; each = each.around) yield each;
}

/**
 * Shares a limited number of connections. With `fair`, a party gets another one while it holds fewer than are free (the
 * dynamic threshold of shared switch buffers): a single party gets half of them, the next one half of the rest. Parties
 * within a party share what that may still have in the same way. So any number of hanging calls of one party leaves
 * connections for the next party. Places in the queue are shared in the same way, and waiting parties take turns.
 */
export class ConnectionShares {
  readonly #options: ConnectionSharesOptions;
  readonly #all = partyIn(undefined, '');

  constructor(options: ConnectionSharesOptions) {
    this.#options = options;
  }

  get use(): ConnectionUse {
    return { max: this.#options.connections, inUse: this.#all.held, waiting: this.#all.waits };
  }

  /** Takes a connection if the party may have one at once. @returns a function that gives it back, to be called once */
  take(path: PartyPath): (() => void) | undefined {
    const own = this.#partyOf(path);
    if (this.#leftFor(own, 'held') <= 0) return undefined;
    this.#count(own, 'held', 1);
    return () => this.#release(own);
  }

  /**
   * Takes a connection, or waits for one. @returns a function that gives it back, to be called once
   *
   * @param onWait receives a function that ends the wait
   * @throws {Error} too many calls wait; the reason for which the wait was ended
   */
  async acquire(path: PartyPath, onWait: (leave: (reason: Error) => void) => void): Promise<() => void> {
    const taken = this.take(path);
    if (taken !== undefined) return taken;
    const party = this.#partyOf(path);
    if (this.#leftFor(party, 'waits') <= 0) throw new Error(`${this.#all.waits} calls wait for a connection already`);
    return new Promise((resolve, reject) => {
      const call: WaitingCall = { party, resolve };
      party.waiting.add(call);
      this.#count(party, 'waits', 1);
      onWait((reason) => {
        if (this.#leave(call)) reject(reason);
      });
    });
  }

  #partyOf(path: PartyPath): Party {
    return path.reduce(partyIn, this.#all);
  }

  /** Returns how many more connections, or places of calls that wait, the party may have if no other takes one. */
  #leftFor(party: Party, what: 'held' | 'waits'): number {
    const { connections, maxWaiting, fair } = this.#options;
    if (party.around === undefined) return (what === 'held' ? connections : maxWaiting) - party[what];
    const left = this.#leftFor(party.around, what);
    return fair ? Math.ceil((left - party[what]) / 2) : left;
  }

  /** Counts for a party and all around it, each of which then comes behind those beside it. */
  #count(party: Party, what: 'held' | 'waits', by: 1 | -1): void {
    for (const each of outwards(party)) {
      each[what] += by;
      const beside = each.around?.inner;
      if (what === 'held' || each.held + each.waits === 0) beside?.delete(each.name);
      if (each.held + each.waits > 0) beside?.set(each.name, each);
    }
  }

  #release(party: Party): void {
    this.#count(party, 'held', -1);
    for (let next = this.#nextWithin(this.#all); next !== undefined; next = this.#nextWithin(this.#all)) {
      this.#leave(next);
      this.#count(next.party, 'held', 1);
      next.resolve(() => this.#release(next.party));
    }
  }

  /** Returns the waiting call that is next of those that may have a connection. */
  #nextWithin(party: Party): WaitingCall | undefined {
    if (party.waits === 0 || this.#leftFor(party, 'held') <= 0) return undefined;
    for (const inner of party.inner.values()) {
      const next = this.#nextWithin(inner);
      if (next !== undefined) return next;
    }
    const [own] = party.waiting;
    return own;
  }

  /** Ends the wait of a call. @returns false if it has ended */
  #leave(call: WaitingCall): boolean {
    const isWaiting = call.party.waiting.delete(call);
    if (isWaiting) this.#count(call.party, 'waits', -1);
    return isWaiting;
  }
}

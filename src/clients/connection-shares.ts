import type { EndSignal } from './transport.js';

/** Maximum numbers of connections and of waiting calls. */
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

/** Call that waits for a connection, with the ends of its wait. */
interface WaitingCall {
  readonly party: Party;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
  readonly signal: EndSignal;
  readonly onAbort: () => void;
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
   * Waits until the party may use a connection. @returns a function that gives it back, to be called once
   *
   * @throws {Error} too many calls wait; the reason of `signal` if that is aborted first
   */
  async acquire(path: PartyPath, signal: EndSignal): Promise<() => void> {
    signal.throwIfAborted();
    const taken = this.take(path);
    if (taken !== undefined) return taken;
    const own = this.#partyOf(path);
    await this.#wait(own, signal);
    return () => this.#release(own);
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

  async #wait(party: Party, signal: EndSignal): Promise<void> {
    if (this.#leftFor(party, 'waits') <= 0) throw new Error(`${this.#all.waits} calls wait for a connection already`);
    await new Promise<void>((resolve, reject) => {
      const call: WaitingCall = { party, resolve, reject, signal, onAbort: () => this.#cutOff(call) };
      party.waiting.add(call);
      this.#count(party, 'waits', 1);
      signal.addEventListener('abort', call.onAbort);
    });
  }

  #release(party: Party): void {
    this.#count(party, 'held', -1);
    for (let next = this.#nextWithin(this.#all); next !== undefined; next = this.#nextWithin(this.#all)) {
      this.#leave(next);
      this.#count(next.party, 'held', 1);
      next.resolve();
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

  #cutOff(call: WaitingCall): void {
    const { reject, signal } = call;
    this.#leave(call);
    reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
  }

  /** Ends the wait of a call. */
  #leave(call: WaitingCall): void {
    call.party.waiting.delete(call);
    this.#count(call.party, 'waits', -1);
    call.signal.removeEventListener('abort', call.onAbort);
  }
}

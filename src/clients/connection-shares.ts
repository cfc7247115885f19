import type { EndSignal } from './transport.js';

/** Maximum numbers of connections and of waiting calls. */
export interface ConnectionSharesOptions {
  readonly connections: number;
  readonly maxWaiting: number;
  /** True if every party leaves a share for the others. */
  readonly fair: boolean;
}

/** A call was refused, because too many calls wait for a connection. */
export class QueueFullError extends Error {
  constructor(waiting: number) {
    super(`${waiting} calls wait for a connection already`);
  }
}

export interface ConnectionUse {
  readonly max: number;
  readonly inUse: number;
  readonly waiting: number;
}

interface Party {
  readonly name: string;
  held: number;
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

/**
 * Shares a limited number of connections. With `fair`, a party gets another one while it holds fewer than are free (the
 * dynamic threshold of shared switch buffers): a single party gets half of them, the next one half of the rest. So any
 * number of hanging calls of one party leaves connections for the next party. Places in the queue are shared in the
 * same way, and waiting parties take turns.
 */
export class ConnectionShares {
  readonly #options: ConnectionSharesOptions;
  /** Parties that hold a connection or wait for one; the last one served comes last. */
  readonly #parties = new Map<string, Party>();
  #free: number;
  #waiting = 0;

  constructor(options: ConnectionSharesOptions) {
    this.#options = options;
    this.#free = options.connections;
  }

  get use(): ConnectionUse {
    const { connections: max } = this.#options;
    return { max, inUse: max - this.#free, waiting: this.#waiting };
  }

  /** Takes a connection if the party may have one at once. @returns a function that gives it back, to be called once */
  take(party: string): (() => void) | undefined {
    const own = this.#partyOf(party);
    if (!this.#mayHave(own.held, this.#free)) return undefined;
    this.#take(own);
    return () => this.#release(own);
  }

  /**
   * Waits until the party may use a connection. @returns a function that gives it back, to be called once
   *
   * @throws {QueueFullError} too many calls wait; the reason of `signal` if that is aborted first
   */
  async acquire(party: string, signal: EndSignal): Promise<() => void> {
    signal.throwIfAborted();
    const taken = this.take(party);
    if (taken !== undefined) return taken;
    const own = this.#partyOf(party);
    await this.#wait(own, signal);
    return () => this.#release(own);
  }

  #partyOf(name: string): Party {
    return this.#parties.get(name) ?? { name, held: 0, waiting: new Set() };
  }

  #mayHave(held: number, left: number): boolean {
    return left > 0 && (!this.#options.fair || held < left);
  }

  async #wait(party: Party, signal: EndSignal): Promise<void> {
    if (!this.#mayHave(party.waiting.size, this.#options.maxWaiting - this.#waiting)) {
      throw new QueueFullError(this.#waiting);
    }
    this.#parties.set(party.name, party);
    await new Promise<void>((resolve, reject) => {
      const call: WaitingCall = { party, resolve, reject, signal, onAbort: () => this.#cutOff(call) };
      party.waiting.add(call);
      this.#waiting += 1;
      signal.addEventListener('abort', call.onAbort);
    });
  }

  #take(party: Party): void {
    party.held += 1;
    this.#free -= 1;
    this.#parties.delete(party.name);
    this.#parties.set(party.name, party);
  }

  #release(party: Party): void {
    party.held -= 1;
    this.#free += 1;
    this.#parties.delete(party.name);
    if (party.held > 0 || party.waiting.size > 0) this.#parties.set(party.name, party);
    // A served party moves to the end, and so comes up again in this loop.
    for (const { held, waiting } of this.#parties.values()) {
      if (this.#free === 0 || this.#waiting === 0) return;
      const [next] = waiting;
      if (next !== undefined && this.#mayHave(held, this.#free)) this.#serve(next);
    }
  }

  /** Gives a connection to a waiting call. */
  #serve(call: WaitingCall): void {
    this.#leave(call);
    this.#take(call.party);
    call.resolve();
  }

  #cutOff(call: WaitingCall): void {
    const { party, reject, signal } = call;
    this.#leave(call);
    if (party.held === 0 && party.waiting.size === 0) this.#parties.delete(party.name);
    reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
  }

  /** Ends the wait of a call. */
  #leave(call: WaitingCall): void {
    call.party.waiting.delete(call);
    this.#waiting -= 1;
    call.signal.removeEventListener('abort', call.onAbort);
  }
}

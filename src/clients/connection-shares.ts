import type { EndSignal } from './time-limit.js';

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
  held: number;
  /** Callbacks that pass a connection on, in FIFO order. */
  readonly waiting: Set<() => void>;
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
    this.#take(party, own);
    return () => this.#release(party, own);
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
    await this.#wait(party, own, signal);
    return () => this.#release(party, own);
  }

  #partyOf(name: string): Party {
    return this.#parties.get(name) ?? { held: 0, waiting: new Set() };
  }

  #mayHave(held: number, left: number): boolean {
    return left > 0 && (!this.#options.fair || held < left);
  }

  #take(name: string, party: Party): void {
    party.held += 1;
    this.#free -= 1;
    this.#parties.delete(name);
    this.#parties.set(name, party);
  }

  #release(name: string, party: Party): void {
    party.held -= 1;
    this.#free += 1;
    this.#parties.delete(name);
    if (party.held > 0 || party.waiting.size > 0) this.#parties.set(name, party);
    // A served party moves to the end, and so comes up again in this loop.
    for (const { held, waiting } of this.#parties.values()) {
      if (this.#free === 0 || this.#waiting === 0) return;
      const [next] = waiting;
      if (next !== undefined && this.#mayHave(held, this.#free)) next();
    }
  }

  async #wait(name: string, party: Party, signal: EndSignal): Promise<void> {
    if (!this.#mayHave(party.waiting.size, this.#options.maxWaiting - this.#waiting)) {
      throw new QueueFullError(this.#waiting);
    }
    this.#parties.set(name, party);
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        party.waiting.delete(go);
        this.#waiting -= 1;
        signal.removeEventListener('abort', cutOff);
      };
      const go = (): void => {
        leave();
        this.#take(name, party);
        resolve();
      };
      const cutOff = (): void => {
        leave();
        if (party.held === 0 && party.waiting.size === 0) this.#parties.delete(name);
        reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
      };
      party.waiting.add(go);
      this.#waiting += 1;
      signal.addEventListener('abort', cutOff);
    });
  }
}

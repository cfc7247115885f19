import type { Networks } from '../../../base/wire/client-address.js';

/** Time for which the operations of each client are counted, in milliseconds. */
const COUNTED_MS = 1_000;

/** Operations of a network, and of those within it. */
interface Counted {
  operations: number;
  readonly inner: Map<string, Counted>;
}

const none = (): Counted => ({ operations: 0, inner: new Map() });

/** Counts of the operations of each client, and of the networks around it, in the last second. */
export class RecentClients {
  /** Bounded by the arrivals of that time. */
  #all = none();
  #since = performance.now();

  /** Counts an operation. @param now of `performance.now()` */
  count(now: number, networks: Networks): void {
    if (now - this.#since > COUNTED_MS) {
      this.#all = none();
      this.#since = now;
    }
    let around = this.#all;
    around.operations += 1;
    for (const name of networks) {
      const network = around.inner.get(name) ?? none();
      around.inner.set(name, network);
      network.operations += 1;
      around = network;
    }
  }

  /** Returns true for a client with its share at least, if the networks within each one shared equally. */
  isHeavy(networks: Networks): boolean {
    let [own, shares] = [this.#all, 1];
    for (const name of networks) {
      const network = own.inner.get(name);
      if (network === undefined) return false;
      shares *= own.inner.size;
      own = network;
    }
    return own.operations * shares >= this.#all.operations;
  }
}

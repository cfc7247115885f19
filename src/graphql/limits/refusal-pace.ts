import { clientOf } from '../../wire/client-address.js';
import { FairQueue } from './fair-queue.js';

/** Number of immediate refusals between two ticks. */
const PER_TICK = 100;

/** Longest delay of a refusal, in milliseconds, equal to `Retry-After` of refusals. */
const MAX_HELD_MS = 1_000;

interface Held {
  /** `performance.now()` at the refusal. */
  readonly since: number;
  readonly send: () => void;
}

/**
 * Spreads refusals over time. Each refusal takes processor time from accepted operations, and clients that retry at
 * once would leave little time for these. Refusals beyond a number per tick are delayed by a second at most, which
 * blocks retries on their connections. Clients take turns. The connections of that second bound the queue.
 */
export class RefusalPace {
  /** Bounded by the connections of a second. */
  readonly #held = new FairQueue<Held>();
  #left = PER_TICK;
  #isClosed = false;

  /**
   * @param address returns the address of the refused client
   * @returns a promise until the refusal may be sent; undefined if at once
   */
  turn(address: () => string): Promise<void> | undefined {
    if (this.#isClosed) return undefined;
    if (this.#left > 0) {
      this.#left -= 1;
      return undefined;
    }
    return new Promise((send) => this.#held.add(clientOf(address()), { since: performance.now(), send }));
  }

  /** Call about every 50 ms. @param now `performance.now()` */
  tick(now: number): void {
    for (;;) {
      const { oldest } = this.#held;
      if (oldest === undefined || now - oldest.since < MAX_HELD_MS) break;
      this.#held.takeOldest()?.send();
    }
    for (this.#left = PER_TICK; this.#left > 0; this.#left -= 1) {
      const next = this.#held.takeNext();
      if (next === undefined) return;
      next.send();
    }
  }

  /** Sends all delayed refusals, and delays no more. */
  close(): void {
    this.#isClosed = true;
    while (this.#held.oldest !== undefined) this.#held.takeOldest()?.send();
  }
}

import { networksOf } from '../../../base/wire/client-address.js';
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
 * blocks retries on their connections. Clients take turns.
 */
export class RefusalThrottle {
  /** Bounded by the connections of a second. */
  readonly #held = new FairQueue<Held>();
  #left = PER_TICK;

  /**
   * @param address returns the address of the refused client
   * @returns a promise until the refusal may be sent; undefined if at once
   */
  turn(address: () => string): Promise<void> | undefined {
    if (this.#left > 0) {
      this.#left -= 1;
      return undefined;
    }
    return new Promise((send) => this.#held.add(networksOf(address()), { since: performance.now(), send }));
  }

  /** Call about every 50 ms. @param now `performance.now()` */
  tick(now: number): void {
    this.#sendThoseUntil(now - MAX_HELD_MS);
    for (this.#left = PER_TICK; this.#left > 0 && this.#held.size > 0; this.#left -= 1) this.#held.takeNext()?.send();
  }

  /** Sends all delayed refusals, and delays no more. */
  close(): void {
    this.#left = Infinity;
    this.#sendThoseUntil(Infinity);
  }

  #sendThoseUntil(time: number): void {
    const isDue = ({ since }: Held): boolean => since <= time;
    for (let next = this.#held.takeOldest(isDue); next; next = this.#held.takeOldest(isDue)) next.send();
  }
}

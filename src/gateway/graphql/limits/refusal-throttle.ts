import { performance } from 'node:perf_hooks';
import { networksOf } from '../../../base/wire/client-address.js';
import { FairQueue } from './fair-queue.js';

/** Number of refusals for each millisecond. A busy process is late, and would say too few between two of its ticks. */
const PER_MS = 3;

/** Number of refusals before the first tick. */
const AT_FIRST = 150;

/** Longest delay of a refusal, in milliseconds, equal to `Retry-After` of refusals. */
const MAX_HELD_MS = 1_000;

interface Held {
  /** `performance.now()` at the refusal. */
  readonly since: number;
  readonly send: () => void;
}

/**
 * Spreads refusals over time. Each refusal takes processor time from accepted operations, and clients that retry at
 * once would leave little time for these. Refusals beyond a rate are delayed by a second at most, which blocks retries
 * on their connections. Clients take turns.
 */
export class RefusalThrottle {
  /** Bounded by the connections of a second. */
  readonly #held = new FairQueue<Held>();
  #left = AT_FIRST;
  #tickedAt = performance.now();

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
    const left = Math.floor(PER_MS * Math.min(now - this.#tickedAt, MAX_HELD_MS));
    this.#tickedAt = now;
    for (this.#left = left; this.#left > 0 && this.#held.size > 0; this.#left -= 1) this.#held.takeNext()?.send();
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

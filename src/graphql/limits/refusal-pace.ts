import { clientOf } from '../../wire/client-address.js';
import { FairQueue } from './fair-queue.js';

/** How many refusals are sent at once in the time between two ticks. */
const PER_TICK = 100;

/** The longest time that a refusal is held back, in milliseconds: what `Retry-After` asks of those who are refused. */
const MAX_HELD_MS = 1_000;

interface Held {
  /** `performance.now()` when it was refused. */
  readonly since: number;
  readonly send: () => void;
}

/**
 * Spreads refusals over time. Each takes processor time from operations that were accepted, so that a crowd that asks
 * again as soon as it was refused would leave little for them. What goes beyond a number in each tick is held back, for
 * a second at most; nobody can ask again on that connection before. Clients take turns. No more is held than there are
 * connections, and were within that second: who has gone keeps the place for so long.
 */
export class RefusalPace {
  readonly #held = new FairQueue<Held>();
  #left = PER_TICK;
  #isClosed = false;

  /**
   * @param address tells of whom something is refused
   * @returns when that may be said; undefined: at once
   */
  turn(address: () => string): Promise<void> | undefined {
    if (this.#isClosed) return undefined;
    if (this.#left > 0) {
      this.#left -= 1;
      return undefined;
    }
    return new Promise((send) => this.#held.add(clientOf(address()), { since: performance.now(), send }));
  }

  /** To be called every 50 ms or so. @param now `performance.now()` */
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

  /** Holds nothing back any more. */
  close(): void {
    this.#isClosed = true;
    while (this.#held.oldest !== undefined) this.#held.takeOldest()?.send();
  }
}

import type { Logger } from './logging/logger.js';
import { OnceInAWhile } from './once-in-a-while.js';

const DAY_MS = 86_400_000;

/** Time within which a clock that is far ahead is not logged again: an alert looks back for longer. */
const TOLD_EVERY_MS = 600_000;

/** Time for which a store may rest, such as over a weekend, before a clock that is ahead of it is told. */
const SILENT_MS = 8 * DAY_MS;

/** Times that a store keeps beside its data; milliseconds. */
export interface SeenTime {
  /** Newest time since 1970 that the store has seen, by a clock that was not ahead. */
  readonly seenAt: number;
  /** Last time since 1970 by a clock that was more than a day ahead of it; 0 without one. */
  readonly aheadAt: number;
  /** Time for which programs ran on that clock. */
  readonly ranMs: number;
}

/**
 * Clock by which stored data get old. While the system's clock is more than a day ahead of the newest time that the
 * store has seen, it may be wrong, and nothing gets older until programs have run on that clock for a day.
 */
export class AgeClock {
  #seen: SeenTime;
  /** Monotonic, in milliseconds. */
  #notedAt = performance.now();
  readonly #told = new OnceInAWhile({ everyMs: TOLD_EVERY_MS });

  constructor(seen: SeenTime) {
    this.#seen = seen;
  }

  /** Returns the time by which data are old. @param now by the system's clock, milliseconds since 1970 */
  at(now: number): number {
    return now - this.#seen.seenAt > DAY_MS ? this.#seen.seenAt : now;
  }

  /**
   * Notes the time; to be called each minute. A clock that is far ahead is logged now and then.
   *
   * @param store its name in the log
   * @returns times to be kept
   */
  note(now: number, store: string, logger: Logger): SeenTime {
    const { seenAt, aheadAt, ranMs } = this.#seen;
    const elapsedMs = performance.now() - this.#notedAt;
    this.#notedAt += elapsedMs;
    const isSameClock = Math.abs(now - aheadAt) <= DAY_MS;
    const isBelieved = now - seenAt <= DAY_MS || (isSameClock && ranMs + elapsedMs >= DAY_MS);
    this.#seen = isBelieved
      ? { seenAt: Math.max(seenAt, now), aheadAt: 0, ranMs: 0 }
      : { seenAt, aheadAt: now, ranMs: isSameClock ? ranMs + elapsedMs : 0 };
    if (!isBelieved && now - seenAt > SILENT_MS && this.#told.isDue()) {
      logger.event('store.clock_ahead', { store, seenAt: new Date(seenAt), days: Math.floor((now - seenAt) / DAY_MS) });
    }
    return this.#seen;
  }
}

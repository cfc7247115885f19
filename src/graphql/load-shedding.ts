import type { Logger } from '../logger.js';

/** How often the event loop is looked at, in milliseconds. */
const TICK_MS = 50;

/** How often it is logged that requests are refused, in milliseconds. */
const LOG_EVERY_MS = 1_000;

/** Refuses what comes while the process is later than it may be, so that what was accepted is answered in time. */
export class LoadShedding {
  readonly #maxDelayMs: number;
  readonly #logger: Logger;
  readonly #timer: NodeJS.Timeout;
  #tickedAt = performance.now();
  #refused = 0;
  #loggedAt = -Infinity;

  /** @param maxDelayMs how late the event loop may be, in milliseconds */
  constructor(maxDelayMs: number, logger: Logger) {
    this.#maxDelayMs = maxDelayMs;
    this.#logger = logger;
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** Whether a request that comes now is to be refused; counts it if so. */
  refuses(): boolean {
    const isLate = performance.now() - this.#tickedAt > TICK_MS + this.#maxDelayMs;
    if (isLate) this.#refused += 1;
    return isLate;
  }

  /** Stops looking. */
  close(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = performance.now();
    const delayMs = Math.round(now - this.#tickedAt - TICK_MS);
    this.#tickedAt = now;
    if (this.#refused === 0 || now - this.#loggedAt < LOG_EVERY_MS) return;
    this.#logger.event('graphql.load_shed', { requests: this.#refused, delayMs });
    this.#refused = 0;
    this.#loggedAt = now;
  }
}

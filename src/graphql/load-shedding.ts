import type { Logger } from '../logger.js';

/** How often the event loop is looked at, in milliseconds. */
const TICK_MS = 50;

/** How often it is logged that requests are refused, in milliseconds. */
const LOG_EVERY_MS = 1_000;

/**
 * For how long operations are begun before the event loop turns, in milliseconds. In each turn it accepts one
 * connection, so this is what somebody new, a health probe for example, waits for behind a crowd.
 */
const SLICE_MS = 2;

/** An operation that waits for its turn. */
interface Waiting {
  /** `performance.now()` when it came. */
  readonly since: number;
  /** Tells it whether it may run. */
  readonly decide: (mayRun: boolean) => void;
}

/**
 * Has operations begin in the order in which they came, a slice of time in each turn of the event loop, and refuses
 * what comes or waits while the process is later than it may be, so that what was accepted is answered in time.
 */
export class LoadShedding {
  readonly #maxDelayMs: number;
  readonly #logger: Logger;
  readonly #timer: NodeJS.Timeout;
  /** No more of them than connections. */
  readonly #waiting: Waiting[] = [];
  /** Undefined: no operation has begun in this turn of the event loop. */
  #sliceEndsAt: number | undefined;
  #tickedAt = performance.now();
  #refused = 0;
  #longestDelayMs = 0;
  #loggedAt = -Infinity;

  /** @param maxDelayMs how late the event loop may be, and how long an operation may wait, in milliseconds */
  constructor(maxDelayMs: number, logger: Logger) {
    this.#maxDelayMs = maxDelayMs;
    this.#logger = logger;
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** Whether a request that comes now is to be refused; counts it if so. */
  refuses(): boolean {
    return this.#refusesAt(performance.now());
  }

  /**
   * Asks for the turn of an operation that is about to begin.
   *
   * @returns whether it may begin; a promise when others are before it. False is counted as refused
   */
  turn(): boolean | Promise<boolean> {
    const now = performance.now();
    if (this.#refusesAt(now)) return false;
    if (this.#sliceEndsAt === undefined) {
      this.#sliceEndsAt = now + SLICE_MS;
      setImmediate(this.#onTurned);
    }
    if (this.#waiting.length === 0 && now < this.#sliceEndsAt) return true;
    return new Promise((decide) => this.#waiting.push({ since: now, decide }));
  }

  /** Stops looking. Whoever waits gets a turn nevertheless. */
  close(): void {
    clearInterval(this.#timer);
  }

  #refusesAt(now: number): boolean {
    const waitedMs = now - (this.#waiting[0]?.since ?? now);
    return this.#refusesAfter(Math.max(waitedMs, now - this.#tickedAt - TICK_MS));
  }

  #refusesAfter(delayMs: number): boolean {
    if (delayMs <= this.#maxDelayMs) return false;
    this.#refused += 1;
    this.#longestDelayMs = Math.max(this.#longestDelayMs, delayMs);
    return true;
  }

  readonly #onTurned = (): void => {
    this.#sliceEndsAt = undefined;
    if (this.#waiting.length === 0) return;
    this.#sliceEndsAt = performance.now() + SLICE_MS;
    this.#beginNext();
  };

  readonly #beginNext = (): void => {
    const now = performance.now();
    const isOver = this.#sliceEndsAt === undefined || now >= this.#sliceEndsAt;
    const next = isOver ? undefined : this.#waiting.shift();
    if (next === undefined) {
      setImmediate(this.#onTurned);
      return;
    }
    next.decide(!this.#refusesAfter(now - next.since));
    // Comes behind the operation itself, so that its time counts.
    queueMicrotask(this.#beginNext);
  };

  #tick(): void {
    const now = performance.now();
    this.#tickedAt = now;
    if (this.#refused === 0 || now - this.#loggedAt < LOG_EVERY_MS) return;
    this.#logger.event('graphql.load_shed', { requests: this.#refused, delayMs: Math.round(this.#longestDelayMs) });
    this.#refused = 0;
    this.#longestDelayMs = 0;
    this.#loggedAt = now;
  }
}

import { nextTick } from 'node:process';
import { clientOf } from '../../wire/client-address.js';
import type { Logger } from '../../logging/logger.js';
import { FairQueue } from './fair-queue.js';
import { Interlude } from './interlude.js';
import { RefusalPace } from './refusal-pace.js';

/** How often the event loop is looked at, in milliseconds. */
const TICK_MS = 50;

/** How often it is logged that requests are refused, in milliseconds. */
const LOG_EVERY_MS = 1_000;

/**
 * For how long operations are begun before the event loop turns, in milliseconds. With longer ones, a health probe for
 * example would hardly be heard behind a crowd. With shorter ones, each operation would find the caches of the
 * processor full of what the event loop does in between.
 */
const SLICE_MS = 4;

/**
 * Part of the longest wait that an operation may have to expect when it comes; expectations can be wrong by as much. To
 * refuse one at once costs less than to have it wait in vain, and its client learns of it sooner.
 */
const EXPECTED_PART = 0.5;

/**
 * For how long operations may have had to wait before any is refused because of the others, in milliseconds. What comes
 * all at once, as from those who turn to a gateway that is new, is over by then, and what an operation takes cannot be
 * told while their connections are accepted. Who comes with a crowd that goes on is refused so much later.
 */
const BURST_MS = 500;

/** Weight of the last operation in what one of them takes. */
const LAST_WEIGHT = 1 / 8;

/** Tells where a request comes from, as `ClientContext.address` does. */
type Address = () => string;

/** An operation that waits for its turn. */
interface Waiting {
  /** `performance.now()` when it came. */
  readonly since: number;
  /** How many of those that had to wait had begun by then. */
  readonly begunBefore: number;
  /** Tells it whether it may run. */
  readonly decide: (mayRun: boolean) => void;
}

/**
 * Has operations begin for a slice of time before the event loop turns, and refuses what comes while the process is
 * later than it may be, or, unless it is a burst, would have to wait for so long, so that what was accepted is answered
 * in time. Clients take turns, and operations of one begin in the order in which they came: whoever sends too many has
 * their own refused.
 */
export class LoadShedding {
  readonly #maxDelayMs: number;
  readonly #burstMs: number;
  readonly #logger: Logger;
  readonly #timer: NodeJS.Timeout;
  /** No more than came while the first of them may wait. */
  readonly #waiting = new FairQueue<Waiting>();
  readonly #pace = new RefusalPace();
  readonly #interlude: Interlude;
  /** How many have had to wait and have begun. */
  #begun = 0;
  /** Undefined: no operation has begun since the event loop turned. */
  #sliceEndsAt: number | undefined;
  /** How long each of those that begin before it makes an operation wait, of late, in milliseconds. */
  #waitForEachMs = 0;
  /** When nothing waited last. */
  #idleAt = performance.now();
  #tickedAt = performance.now();
  #refused = 0;
  #maxSeenDelayMs = 0;
  #loggedAt = -Infinity;

  /**
   * @param maxDelayMs how late the event loop may be, and how long an operation may wait, in milliseconds
   * @param jobsProgressedAt `performance.now()` when a job got on last; while jobs do, a part of the time is theirs
   * @param burstMs for how long operations may have had to wait before any is refused for it, in milliseconds
   */
  constructor(
    maxDelayMs: number,
    logger: Logger,
    jobsProgressedAt: () => number = () => -Infinity,
    burstMs: number = BURST_MS,
  ) {
    this.#maxDelayMs = maxDelayMs;
    this.#logger = logger;
    this.#burstMs = burstMs;
    this.#interlude = new Interlude(jobsProgressedAt);
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /**
   * Whether a request that comes now is to be refused; counts it if so.
   *
   * @returns a promise when so many are refused that this one has to wait for its turn
   */
  refuses(address: Address): boolean | Promise<true> {
    return this.#refusesAt(performance.now(), address) && this.#paced<true>(true, address);
  }

  /**
   * Asks for the turn of an operation that is about to begin.
   *
   * @returns whether it may begin; a promise when it has to wait for that. False is counted as refused
   */
  turn(address: Address): boolean | Promise<boolean> {
    const now = performance.now();
    if (this.#refusesAt(now, address)) return this.#paced(false, address);
    if (this.#sliceEndsAt === undefined) {
      this.#sliceEndsAt = now + SLICE_MS;
      setImmediate(this.#onTurned);
    }
    if (this.#waiting.size === 0 && now < this.#sliceEndsAt && !this.#interlude.isOn) return true;
    if (this.#waiting.size === 0) this.#idleAt = now;
    const client = clientOf(address());
    return new Promise((decide) => this.#waiting.add(client, { since: now, begunBefore: this.#begun, decide }));
  }

  /** To be told of each connection when it is accepted: the next ones are let in before operations go on. */
  connected(): void {
    this.#interlude.accepted();
  }

  /** Stops looking; to be called when nothing comes any more. Whoever waits gets a turn nevertheless. */
  close(): void {
    clearInterval(this.#timer);
    this.#pace.close();
  }

  #refusesAt(now: number, address: Address): boolean {
    const lateMs = now - this.#tickedAt - TICK_MS;
    if (this.#waiting.size === 0 || this.#isBurst(now)) return this.#refusesAfter(lateMs);
    this.#refuseOverdue(now);
    const expectedMs = this.#waiting.aheadOf(clientOf(address())) * this.#waitForEachMs;
    return this.#refusesAfter(lateMs) || this.#refusesAfter(expectedMs, EXPECTED_PART * this.#maxDelayMs);
  }

  #paced<T>(decision: T, address: Address): T | Promise<T> {
    const held = this.#pace.turn(address);
    return held === undefined ? decision : held.then(() => decision);
  }

  #refusesAfter(delayMs: number, maxMs = this.#maxDelayMs): boolean {
    if (delayMs <= maxMs) return false;
    this.#refused += 1;
    this.#maxSeenDelayMs = Math.max(this.#maxSeenDelayMs, delayMs);
    return true;
  }

  /** Whether operations wait only since a moment ago, so that these may be all there are. */
  #isBurst(now: number): boolean {
    return now - this.#idleAt < this.#burstMs;
  }

  /** Makes room for what comes: what has waited too long will not be run. */
  #refuseOverdue(now: number): void {
    if (this.#isBurst(now)) return;
    for (;;) {
      const { oldest } = this.#waiting;
      if (oldest === undefined || !this.#refusesAfter(now - oldest.since)) return;
      this.#waiting.takeOldest()?.decide(false);
    }
  }

  readonly #onTurned = (): void => {
    if (this.#interlude.wantsTurn(this.#waiting.size > 0)) {
      setImmediate(this.#onTurned);
      return;
    }
    this.#sliceEndsAt = undefined;
    if (this.#waiting.size === 0) return;
    this.#sliceEndsAt = performance.now() + SLICE_MS;
    this.#beginNext();
  };

  readonly #beginNext = (): void => {
    const now = performance.now();
    this.#refuseOverdue(now);
    const isOver = now >= (this.#sliceEndsAt ?? now);
    const next = isOver ? undefined : this.#waiting.takeNext();
    if (next === undefined) {
      setImmediate(this.#onTurned);
      return;
    }
    this.#begun += 1;
    const waitForEachMs = (now - next.since) / (this.#begun - next.begunBefore);
    this.#waitForEachMs += (waitForEachMs - this.#waitForEachMs) * LAST_WEIGHT;
    next.decide(true);
    // Comes behind all that the operation does before it waits for something outside, so that this counts.
    queueMicrotask(this.#afterwards);
  };

  readonly #afterwards = (): void => nextTick(this.#beginNext);

  #tick(): void {
    const now = performance.now();
    this.#tickedAt = now;
    this.#pace.tick(now);
    if (this.#refused === 0 || now - this.#loggedAt < LOG_EVERY_MS) return;
    this.#logger.event('graphql.load_shed', { requests: this.#refused, delayMs: Math.round(this.#maxSeenDelayMs) });
    this.#refused = 0;
    this.#maxSeenDelayMs = 0;
    this.#loggedAt = now;
  }
}

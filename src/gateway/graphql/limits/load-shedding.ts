import { performance } from 'node:perf_hooks';
import { nextTick } from 'node:process';
import { networksOf, type Networks } from '../../../base/wire/client-address.js';
import type { Logger } from '../../../base/logging/logger.js';
import { OnceInAWhile } from '../../../base/once-in-a-while.js';
import type { ClientContext } from '../context.js';
import { OperationsInProgress } from './operations-in-progress.js';
import { RecentClients } from './recent-clients.js';
import { FairQueue } from './fair-queue.js';
import { RefusalThrottle } from './refusal-throttle.js';

/** Longest yield while connections arrive, in milliseconds: half of the time, as it equals the slice of operations. */
const CONNECTIONS_MS = 4;

/** Longest yield while jobs progress, in milliseconds: a third of the time. */
const JOBS_MS = 2;

/** Time without progress after which a job counts as waiting for I/O and gets no yields, in milliseconds. */
const NO_PROGRESS_MS = 300;

/**
 * Time between operations in which the event loop turns without them. Node.js accepts one connection per turn. With
 * operations in each turn, new clients and health probes would wait in the backlog of the operating system until they
 * have given up. Jobs need several turns for each item, and would be slowed down as well.
 */
class YieldTime {
  readonly #jobsProgressedAt: () => number;
  #haveCome = false;
  #since: number | undefined;

  constructor(jobsProgressedAt: () => number) {
    this.#jobsProgressedAt = jobsProgressedAt;
  }

  accepted(): void {
    this.#haveCome = true;
  }

  /** True during a yield, or if one follows the current turn. Closed connections are noticed in it. */
  get isOn(): boolean {
    return this.#haveCome || this.#since !== undefined;
  }

  /** Call at the end of each turn. @returns true if the event loop should turn once more before operations begin */
  wantsTurn(doOperationsWait: boolean): boolean {
    const now = performance.now();
    // If no operation waits, jobs have enough turns.
    const doJobsProgress = doOperationsWait && now - this.#jobsProgressedAt() < NO_PROGRESS_MS;
    const maxMs = this.#haveCome ? CONNECTIONS_MS : doJobsProgress ? JOBS_MS : 0;
    this.#haveCome = false;
    if (maxMs > 0) {
      this.#since ??= now;
      if (now - this.#since < maxMs) return true;
    }
    this.#since = undefined;
    return false;
  }
}

/** Interval of event loop delay checks, in milliseconds. */
const TICK_MS = 50;

const LOG_EVERY_MS = 1_000;

/**
 * Time for which operations begin before the event loop turns, in milliseconds. Longer slices delay other work. Shorter
 * slices make operations slower, because the work between them evicts processor caches.
 */
const SLICE_MS = 4;

/** Share of the longest wait above which an operation is refused at once: estimates can be wrong by a factor of two. */
const EXPECTED_PART = 0.5;

/** Time for which operations may queue before any is refused, in milliseconds; a single burst is over by then. */
const BURST_MS = 500;

/** Weight of the last operation in the average wait per operation. */
const LAST_WEIGHT = 1 / 8;

/** Multiple of the largest delay up to which only clients with more operations than others are refused. */
const ALL_ARE_REFUSED = 2;

type Address = ClientContext['address'];

/** An operation that waits for its turn since a `performance.now()`, when so many waiting ones had begun. */
interface Waiting {
  /** The outermost network of its client. */
  readonly client: string;
  readonly since: number;
  readonly begunBefore: number;
  readonly decide: (mayRun: boolean) => void;
}

/**
 * Starts operations in time slices between turns of the event loop. Refuses arrivals while the event loop delay exceeds
 * the limit, first those of clients that send more than others, and those whose wait would be too long, except in a
 * burst. Clients take turns, and a client that sends too many operations has only its own refused.
 */
export class LoadShedding {
  readonly #maxDelayMs: number;
  readonly #burstMs: number;
  readonly #logger: Logger;
  readonly #timer: NodeJS.Timeout;
  /** Bounded by the arrivals within the longest wait. */
  readonly #waiting = new FairQueue<Waiting>();
  readonly #throttle = new RefusalThrottle();
  readonly #yieldTime: YieldTime;
  /** Number of operations that waited and have begun. */
  #begun = 0;
  readonly #progress = new OperationsInProgress();
  /** Undefined if no operation has begun since the event loop turned. */
  #sliceEndsAt: number | undefined;
  /** Recent average wait per operation ahead, in milliseconds. */
  #waitForEachMs = 0;
  /** When the queue was last empty. */
  #idleAt = performance.now();
  #tickedAt = performance.now();
  readonly #clients = new RecentClients();
  #refused = 0;
  #maxSeenDelayMs = 0;
  readonly #logged = new OnceInAWhile({ everyMs: LOG_EVERY_MS });

  /**
   * @param maxDelayMs limit of the event loop delay and of an operation's wait, in milliseconds
   * @param jobsProgressedAt returns `performance.now()` of the last progress of a job; active jobs get a share of time
   */
  constructor(maxDelayMs: number, logger: Logger, jobsProgressedAt = () => -Infinity, burstMs = BURST_MS) {
    this.#maxDelayMs = maxDelayMs;
    this.#logger = logger;
    this.#burstMs = burstMs;
    this.#yieldTime = new YieldTime(jobsProgressedAt);
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** Returns true if a request that arrives now is refused; a promise if the refusal is delayed. */
  refuses(address: Address): boolean | Promise<true> {
    return this.#refusesAt(performance.now(), address) && this.#paced<true>(true, address);
  }

  /** Returns true if an operation may begin, false if it is refused; a promise if it has to wait. */
  turn(address: Address): boolean | Promise<boolean> {
    const now = performance.now();
    const networks = networksOf(address());
    const [client] = networks;
    this.#clients.count(now, networks);
    if (this.#refusesAt(now, address)) return this.#paced(false, address);
    const sliceEndsAt = this.#slice(now);
    const mayBegin = now < sliceEndsAt && !this.#yieldTime.isOn && this.#progress.mayBegin(client);
    if (this.#waiting.size === 0 && mayBegin) return true;
    if (this.#waiting.size === 0) this.#idleAt = now;
    const begunBefore = this.#begun;
    return new Promise((decide) => this.#waiting.add(networks, { client, since: now, begunBefore, decide }));
  }

  /** Call when an operation begins after its turn. @returns a function to call when it has its reply */
  began(address: Address): () => void {
    const end = this.#progress.add(networksOf(address())[0]);
    return () => {
      end();
      if (this.#waiting.size > 0) this.#slice(performance.now());
    };
  }

  /** Call when a connection is accepted, so that further connections come before more operations. */
  connected(): void {
    this.#yieldTime.accepted();
  }

  /** Stops the checks; call after the last request. Waiting operations still get a turn. */
  close(): void {
    clearInterval(this.#timer);
    this.#throttle.close();
  }

  /** Returns when the slice of the turn ends, `performance.now()`; it begins with the first call of a turn. */
  #slice(now: number): number {
    if (this.#sliceEndsAt === undefined) {
      this.#sliceEndsAt = now + SLICE_MS;
      setImmediate(this.#onTurned);
    }
    return this.#sliceEndsAt;
  }

  #refusesAt(now: number, address: Address): boolean {
    const lateMs = now - this.#tickedAt - TICK_MS;
    if (
      lateMs > this.#maxDelayMs &&
      (lateMs > ALL_ARE_REFUSED * this.#maxDelayMs || this.#isHeavy(networksOf(address())))
    ) {
      return this.#refusesAfter(lateMs);
    }
    if (this.#waiting.size === 0 || this.#isBurst(now)) return false;
    this.#refuseOverdue(now);
    const expectedMs = this.#waiting.aheadOf(networksOf(address())) * this.#waitForEachMs;
    return this.#refusesAfter(expectedMs, EXPECTED_PART * this.#maxDelayMs);
  }

  /** Returns true for a client with more in progress than the mean, or with the mean and more arrivals than others. */
  #isHeavy(networks: Networks): boolean {
    const difference = this.#progress.differenceToMean(networks[0]);
    return difference > 0 || (difference === 0 && this.#clients.isHeavy(networks));
  }

  #paced<T>(decision: T, address: Address): T | Promise<T> {
    const held = this.#throttle.turn(address);
    return held === undefined ? decision : held.then(() => decision);
  }

  #refusesAfter(delayMs: number, maxMs = this.#maxDelayMs): boolean {
    if (delayMs <= maxMs) return false;
    this.#refused += 1;
    this.#maxSeenDelayMs = Math.max(this.#maxSeenDelayMs, delayMs);
    return true;
  }

  #isBurst(now: number): boolean {
    return now - this.#idleAt < this.#burstMs;
  }

  #refuseOverdue(now: number): void {
    if (this.#isBurst(now)) return;
    const isOverdue = ({ since }: Waiting): boolean => this.#refusesAfter(now - since);
    for (let next = this.#waiting.takeOldest(isOverdue); next; next = this.#waiting.takeOldest(isOverdue)) {
      next.decide(false);
    }
  }

  readonly #onTurned = (): void => {
    if (this.#yieldTime.wantsTurn(this.#waiting.size > 0)) {
      setImmediate(this.#onTurned);
      return;
    }
    this.#sliceEndsAt = undefined;
    if (this.#waiting.size === 0) return;
    if (this.#progress.isFull) {
      this.#refuseOverdue(performance.now());
      return;
    }
    this.#sliceEndsAt = performance.now() + SLICE_MS;
    this.#beginNext();
  };

  readonly #beginNext = (): void => {
    const now = performance.now();
    this.#refuseOverdue(now);
    const isOver = now >= (this.#sliceEndsAt ?? now);
    const next =
      isOver || this.#progress.isFull ? undefined : this.#waiting.takeNext((client) => this.#progress.mayBegin(client));
    if (next === undefined) {
      // Those that still wait begin when an operation ends.
      if (isOver || this.#waiting.size === 0) setImmediate(this.#onTurned);
      else this.#sliceEndsAt = undefined;
      return;
    }
    this.#begun += 1;
    const waitForEachMs = (now - next.since) / (this.#begun - next.begunBefore);
    // A client that was barred has waited for itself.
    if (this.#progress.differenceToMean(next.client) <= 0)
      this.#waitForEachMs += (waitForEachMs - this.#waitForEachMs) * LAST_WEIGHT;
    next.decide(true);
    // Runs after the work that the operation does before its first I/O, so that this work counts.
    queueMicrotask(this.#afterwards);
  };

  readonly #afterwards = (): void => nextTick(this.#beginNext);

  #tick(): void {
    const now = performance.now();
    this.#progress.check(now - this.#tickedAt - TICK_MS, this.#waiting.size > 0);
    this.#tickedAt = now;
    this.#throttle.tick(now);
    if (this.#waiting.size > 0) this.#slice(now);
    if (this.#refused === 0 || !this.#logged.isDue()) return;
    this.#logger.event('graphql.load_shed', { requests: this.#refused, delayMs: Math.round(this.#maxSeenDelayMs) });
    this.#refused = 0;
    this.#maxSeenDelayMs = 0;
  }
}

import { performance } from 'node:perf_hooks';

/** Delay of a check above which operations in progress make the turns of the event loop long, in milliseconds. */
const LONG_TURN_MS = 4;

/** Share of the time that the event loop works above which it is busy; waits for slow backends are no work. */
const BUSY = 0.95;

/** Factors by which a check changes the limit of operations in progress: of long turns, of short ones, without work. */
const [FEWER, MORE, MANY_MORE] = [0.8, 1.1, 1.5];

/** Number of operations that may be in progress however long turns are, and of those of a client after a rest. */
const LEAST_IN_PROGRESS = 16;

/** Time without long turns after which one client may have more than that, in milliseconds. */
const CALM_MS = 500;

/** Part of those that may be in progress beyond which only clients with few of them begin another one. */
const SHARED_PART = 0.75;

/**
 * Counts operations that have begun and are not answered, and limits their number: while turns of the event loop are
 * long, and when many of one client come at once, until a check has shown whether they make them long. A client with
 * less than an equal part of the places need not wait for those of others.
 */
export class OperationsInProgress {
  #all = 0;
  /** By the outermost network of their clients. */
  readonly #ofClients = new Map<string, number>();
  #max = Infinity;
  #maxOfEach = LEAST_IN_PROGRESS;
  /** Time of `performance.now()` at the last check after long turns. */
  #longAt = -Infinity;
  #utilization = performance.eventLoopUtilization();

  /** Counts an operation that begins. @returns a function to call when it has its reply */
  add(client: string): () => void {
    const count = (by: number): void => {
      this.#all += by;
      const own = (this.#ofClients.get(client) ?? 0) + by;
      if (own > 0) this.#ofClients.set(client, own);
      else this.#ofClients.delete(client);
    };
    count(1);
    return () => count(-1);
  }

  /** True if no client may begin another operation, as that would only delay those in progress. */
  get isFull(): boolean {
    return this.#all >= this.#max && this.#ofClients.size >= this.#max;
  }

  /** Returns true for a client that finds a free place, or has less than an equal part of all places. */
  mayBegin(client: string): boolean {
    const own = this.#ofClients.get(client) ?? 0;
    const free = (this.differenceToMean(client) > 0 ? SHARED_PART : 1) * this.#max;
    if (this.#all < free) return own < this.#maxOfEach;
    return (own + 1) * (this.#ofClients.size + (own === 0 ? 1 : 0)) <= this.#max;
  }

  /** Returns a number above 0 for a client with more operations than the mean, and below 0 for one with fewer. */
  differenceToMean(client: string): number {
    return (this.#ofClients.get(client) ?? 0) * this.#ofClients.size - this.#all;
  }

  /** Allows fewer in progress while turns are long: each of many costs more, as its objects outlive collections. */
  check(lateMs: number, doOthersWait: boolean): void {
    const utilization = performance.eventLoopUtilization();
    const isBusy = performance.eventLoopUtilization(utilization, this.#utilization).utilization > BUSY;
    this.#utilization = utilization;
    const now = performance.now();
    if (isBusy && lateMs > LONG_TURN_MS) {
      this.#max = Math.max(LEAST_IN_PROGRESS, FEWER * Math.min(this.#max, this.#all));
      this.#maxOfEach = LEAST_IN_PROGRESS;
      this.#longAt = now;
      return;
    }
    const factor = isBusy ? MORE : MANY_MORE;
    this.#max = doOthersWait ? factor * this.#max : Infinity;
    if (now - this.#longAt <= CALM_MS) return;
    this.#maxOfEach = doOthersWait ? factor * this.#maxOfEach : Math.max(LEAST_IN_PROGRESS, MANY_MORE * this.#all);
  }
}

import { CallError, endedBy, meaningOf } from '../../clients/call-error.js';
import { pause } from '../../base/waits.js';

export interface PatienceOptions {
  /** Time for which an outage is waited out, in milliseconds, from the first failure of an item. */
  readonly patienceMs: number;
  /** Ends every wait with its reason: the job stops. */
  readonly interrupted: AbortSignal;
  /** Ends every wait with the last failure, because no time remains for another try. */
  readonly deadline: AbortSignal;
  /** Ends every wait: with the last failure or, if no call was sent for the item, with its reason. Never if absent. */
  readonly cancelled?: AbortSignal;
  /** Called when an outage begins, during which the job makes no progress. */
  readonly onOutage?: (reason: unknown) => void;
}

/** Pauses before the second try and the following ones, in milliseconds: six tries take 10 s. */
const PAUSES_MS = [300, 700, 1_500, 2_900, 4_600] as const;
const MAX_PAUSE_MS = 5_000;

/** Maximum number of tries of an item that fails by itself, while the backend serves others. */
const MAX_OWN_TRIES = 6;

/**
 * Waits out transient failures during one run of a job, whose calls may be repeated.
 *
 * An outage lasts from the first failure of an item until any item is answered. When it has lasted for `patienceMs`,
 * every further item gets one try, until one is answered. A try is a call that was sent. A call that an open circuit or
 * a full connection pool refused is no failure of its item: it is repeated until it is sent or the time is over.
 *
 * An item that is answered 500, or by something in front of the backend, while the backend answers others gets a few
 * tries. If the job is the only client of the backend, this shows only when the next item is answered. Later items get
 * a few tries then, until one of them fails and nobody was served meanwhile: an outage may have begun with it.
 */
export class Patience {
  readonly #options: Required<PatienceOptions>;
  /** Time when the outage began; undefined while items are answered. */
  #since: number | undefined;
  #isExhausted = false;
  /** True if the item before may have failed for a reason of its own. */
  #isLastInDoubt = false;
  /** True if items of this job were seen to fail for a reason of their own. */
  #failAlone = false;

  constructor(options: PatienceOptions) {
    this.#options = { cancelled: new AbortController().signal, onOutage: () => undefined, ...options };
  }

  /**
   * Runs the call of one item, and repeats it after transient failures.
   *
   * @param call takes true if an earlier try may have been carried out
   * @throws the error of the last try, or the reason of the interruption
   */
  async run<T>(call: (repeated: boolean) => Promise<T>): Promise<T> {
    const { interrupted, deadline, cancelled } = this.#options;
    const begunAt = performance.now();
    let ownTries = 0;
    let mayBeDone = false;
    let isBegun = false;
    for (let tries = 1; ; tries += 1) {
      const isLastTry = this.#isExhausted;
      try {
        const value = await call(mayBeDone);
        this.#answered();
        return value;
      } catch (error) {
        interrupted.throwIfAborted();
        const { counts, isTransient, isInDoubt = false, mayBeAlone = false } = meaningOf(error);
        if (!isTransient) {
          if (counts === 'served') this.#answered();
          throw error;
        }
        mayBeDone ||= isInDoubt;
        const isHeldBack = endedBy(error, 'held back');
        if (!isHeldBack) isBegun = true;
        // The item failed by itself if the backend served others meanwhile.
        const isAlone = mayBeAlone && (this.#failAlone || wasServedSince(error, begunAt));
        if (isAlone) ownTries += 1;
        const left = this.#left(error);
        if (ownTries >= MAX_OWN_TRIES || (left <= 0 && !isHeldBack)) {
          this.#isLastInDoubt = mayBeAlone;
          if (!wasServedSince(error, begunAt)) this.#failAlone = false;
          throw error;
        }
        // When the time is over circuits refuse nothing; a further refusal means that no connection is free.
        const waitMs = left > 0 ? Math.min(pauseAfter(tries, error), left) : isLastTry ? MAX_PAUSE_MS : 0;
        await pause(waitMs, [interrupted, deadline, cancelled]);
        interrupted.throwIfAborted();
        if (!isBegun) cancelled.throwIfAborted();
        if (deadline.aborted || cancelled.aborted) throw error;
      }
    }
  }

  /** True if outages are no longer waited out. Every call is then the only one for its item, and has to be sent. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  #answered(): void {
    this.#failAlone ||= this.#isLastInDoubt;
    this.#isLastInDoubt = false;
    this.#since = undefined;
    this.#isExhausted = false;
  }

  /** Returns the time for which the outage is still waited out, in milliseconds. */
  #left(error: unknown): number {
    const { patienceMs, onOutage } = this.#options;
    if (this.#since === undefined) {
      this.#since = performance.now();
      onOutage(error);
    }
    const left = this.#since + patienceMs - performance.now();
    if (left <= 0) this.#isExhausted = true;
    return this.#isExhausted ? 0 : left;
  }
}

/** Returns true if the backend answered another call since a time of `performance.now()`. */
function wasServedSince(error: unknown, time: number): boolean {
  return error instanceof CallError && error.servedAt !== undefined && error.servedAt > time;
}

function pauseAfter(tries: number, error: unknown): number {
  const own = PAUSES_MS[tries - 1] ?? MAX_PAUSE_MS;
  // Jitter: items that failed together return at different times.
  const spread = own * (0.9 + Math.random() * 0.2);
  const asked = error instanceof CallError ? error.details.retryAfterMs : undefined;
  return Math.max(asked ?? 0, spread);
}

import { BackendOutage, BackendRefusal, CallRefusedError, isTransient } from '../../clients/call-errors.js';
import { onAbort } from '../../waits.js';

export interface PatienceOptions {
  /** Time for which an outage is waited out, in milliseconds, from the first failure of an item. */
  readonly patienceMs: number;
  /** Ends every wait with its reason: the job stops, or lets go. */
  readonly interrupted: AbortSignal;
  /** Ends every wait with the last failure: no time remains for another try. */
  readonly deadline: AbortSignal;
  /** Ends every wait with the last failure or, if no call was sent for the item, with its reason; never if absent. */
  readonly cancelled?: AbortSignal;
  /** Called when an outage begins: the job stands still. */
  readonly onOutage?: (reason: unknown) => void;
  /** Monotonic clock in milliseconds; the system's by default. */
  readonly clock?: () => number;
  /** Waits until the time is over or a signal aborts; the system's timers by default. */
  readonly pause?: (milliseconds: number, signals: readonly AbortSignal[]) => Promise<void>;
}

/** Waits before the second try and the following ones, in milliseconds: six tries take 10 s. */
const PAUSES_MS = [300, 700, 1_500, 2_900, 4_600] as const;
const MAX_PAUSE_MS = 5_000;

/** Maximum number of tries of an item that fails by itself, while the backend serves others. */
const MAX_OWN_TRIES = 6;

/**
 * Waits out transient failures: one instance for each run of a job, whatever its items are. Calls are safe to repeat
 * because creates carry an `Idempotency-Key`, updates set values and deletes are done when the object is gone.
 *
 * The clock of an outage runs from an item's first failure until any item is answered. Once it has run out, every
 * further item gets one try, until one is answered. A try is a call that was sent. A call that we refused ourselves is
 * no failure of its item; it is repeated until it is sent or the job's time is over.
 *
 * An item that is answered 500 while the backend serves others gets a few tries of its own instead. In a job that is
 * the backend's only client, no other call is served; there the first such item shows it, when the next one is
 * answered.
 */
export class Patience {
  readonly #options: Required<PatienceOptions>;
  /** Time when the outage began; undefined while items are answered. */
  #since: number | undefined;
  #isSpent = false;
  /** True if the item before failed in a way that may have been its own. */
  #isLastInDoubt = false;
  /** True if items of this job were seen to fail by themselves. */
  #failAlone = false;

  constructor(options: PatienceOptions) {
    this.#options = {
      cancelled: new AbortController().signal,
      onOutage: () => undefined,
      clock: () => performance.now(),
      pause: systemPause,
      ...options,
    };
  }

  /**
   * Runs the call of one item, and repeats it after transient failures.
   *
   * @param call takes whether an earlier try may have been carried out
   * @throws the last try's error, or the reason of the interruption
   */
  async run<T>(call: (repeated: boolean) => Promise<T>): Promise<T> {
    const { interrupted, deadline, cancelled, pause } = this.#options;
    const begunAt = Date.now();
    let ownTries = 0;
    let mayBeDone = false;
    let isBegun = false;
    for (let tries = 1; ; tries += 1) {
      const isLastTry = this.#isSpent;
      try {
        const value = await call(mayBeDone);
        this.#answered();
        return value;
      } catch (error) {
        interrupted.throwIfAborted();
        if (!isTransient(error)) {
          if (error instanceof BackendRefusal) this.#answered();
          throw error;
        }
        if (error instanceof BackendOutage) mayBeDone = true;
        if (!(error instanceof CallRefusedError)) isBegun = true;
        if (this.#isItsOwn(error, begunAt)) ownTries += 1;
        const left = this.#left(error);
        if (ownTries >= MAX_OWN_TRIES || (left <= 0 && !(error instanceof CallRefusedError))) {
          this.#isLastInDoubt = isOwnFailure(error);
          throw error;
        }
        // From now on circuits refuse nothing; a further refusal means that no connection is free.
        const waitMs = left > 0 ? Math.min(pauseAfter(tries, error), left) : isLastTry ? MAX_PAUSE_MS : 0;
        await pause(waitMs, [interrupted, deadline, cancelled]);
        interrupted.throwIfAborted();
        if (!isBegun) cancelled.throwIfAborted();
        if (deadline.aborted || cancelled.aborted) throw error;
      }
    }
  }

  /** Returns a separate patience for less important calls. @param patienceMs maximum wait, in milliseconds */
  shorter(patienceMs: number): Patience {
    const shorterMs = Math.min(patienceMs, this.#options.patienceMs);
    return new Patience({ ...this.#options, patienceMs: shorterMs, onOutage: () => undefined });
  }

  /** True if outages are no longer waited out: every call is the only one of its item, and has to be sent. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  #answered(): void {
    this.#failAlone ||= this.#isLastInDoubt;
    this.#isLastInDoubt = false;
    this.#since = undefined;
    this.#isSpent = false;
  }

  /** Returns true if this item failed by itself: the backend served others meanwhile. */
  #isItsOwn(error: unknown, begunAt: number): boolean {
    return isOwnFailure(error) && (this.#failAlone || (error.servedAt !== undefined && error.servedAt > begunAt));
  }

  /** Returns the milliseconds for which an outage is still waited out. */
  #left(error: unknown): number {
    const { clock, patienceMs, onOutage } = this.#options;
    if (this.#since === undefined) {
      this.#since = clock();
      onOutage(error);
    }
    const left = this.#since + patienceMs - clock();
    if (left <= 0) this.#isSpent = true;
    return this.#isSpent ? 0 : left;
  }
}

/** Status that may be an item's own failure; other 5xx say that a server, or one behind it, is not there. */
const OWN_FAILURE = 500;

function isOwnFailure(error: unknown): error is BackendOutage {
  return error instanceof BackendOutage && error.httpStatus === OWN_FAILURE;
}

/** Returns the backend's requested pause, but not less than our own. */
function pauseAfter(tries: number, error: unknown): number {
  const own = PAUSES_MS[tries - 1] ?? MAX_PAUSE_MS;
  // Jitter: items that failed together return at different times.
  const spread = own * (0.9 + Math.random() * 0.2);
  const asked = error instanceof BackendOutage || error instanceof BackendRefusal ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(asked, spread);
}

function systemPause(milliseconds: number, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      for (const unfollow of following) unfollow();
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    let following: (() => void)[] = [];
    following = signals.map((signal) => onAbort(signal, end));
    if (signals.some(({ aborted }) => aborted)) end();
  });
}

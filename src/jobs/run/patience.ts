import { BackendOutage, BackendRefusal, CallRefusedError, isTransient } from '../../clients/call-errors.js';

/** What a job's patience depends on. */
export interface PatienceOptions {
  /** How long an outage is waited out, in milliseconds, from the first failure of an item. */
  readonly patienceMs: number;
  /** Ends every wait with its reason: the job stops, or lets go. */
  readonly interrupted: AbortSignal;
  /** Ends every wait with the last failure: no time is left for another try. */
  readonly deadline: AbortSignal;
  /** Ends every wait like that, or, of an item that nothing was sent for, with its reason; absent: nothing does. */
  readonly cancelled?: AbortSignal;
  /** Says so to whoever wants to know: the job stands still. */
  readonly onOutage?: (reason: unknown) => void;
  /** Milliseconds that only grow; the system's by default. */
  readonly clock?: () => number;
  /** Waits, or less when a signal aborts; the system's timers by default. */
  readonly pause?: (milliseconds: number, signals: readonly AbortSignal[]) => Promise<void>;
}

/** Waits before the second try and the following ones, in milliseconds: six tries take 10 s. */
const PAUSES_MS = [300, 700, 1_500, 2_900, 4_600] as const;
const MAX_PAUSE_MS = 5_000;

/** Tries of an item that fails by itself, while the backend serves others. */
const MAX_OWN_TRIES = 6;

/**
 * Waits out what passes: one for each run of a job, whatever its items are. A call may be repeated safely because
 * creates carry an `Idempotency-Key`, updates set values and deletes are done when nothing is left.
 *
 * The clock of an outage runs from an item's first failure until any item is answered. Once it has run out, every
 * further item gets one try, until one is answered. A try is a call that was sent: one that we refused ourselves is no
 * failure of its item, and comes again until it is sent or the job's time is over.
 *
 * An item that is answered 500 while the backend serves others gets a few tries of its own instead. In a job that has
 * the backend to itself nobody else is served; there the first such item shows it, when the next one is answered.
 */
export class Patience {
  readonly #options: Required<Omit<PatienceOptions, 'onOutage' | 'cancelled'>>;
  readonly #cancelled: AbortSignal | undefined;
  readonly #onOutage: ((reason: unknown) => void) | undefined;
  /** When the outage began; undefined while items are answered. */
  #since: number | undefined;
  #isSpent = false;
  /** Whether the item before failed in a way that may have been its own. */
  #isLastInDoubt = false;
  /** Whether items of this job were seen to fail by themselves. */
  #failAlone = false;

  constructor({ onOutage, cancelled, ...options }: PatienceOptions) {
    this.#options = { clock: () => performance.now(), pause: systemPause, ...options };
    this.#cancelled = cancelled;
    this.#onOutage = onOutage;
  }

  /**
   * Runs the call of one item, and again while it fails in a way that passes.
   *
   * @param call told whether an earlier try may have been carried out
   * @throws what the last try threw, or the reason of the interruption
   */
  async run<T>(call: (repeated: boolean) => Promise<T>): Promise<T> {
    const { interrupted, deadline, pause } = this.#options;
    const cancelled = this.#cancelled;
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
        // From now on a circuit refuses nothing; whoever is refused all the same finds no connection.
        const waitMs = left > 0 ? Math.min(pauseAfter(tries, error), left) : isLastTry ? MAX_PAUSE_MS : 0;
        await pause(waitMs, cancelled ? [interrupted, deadline, cancelled] : [interrupted, deadline]);
        interrupted.throwIfAborted();
        if (!isBegun) cancelled?.throwIfAborted();
        if (deadline.aborted || cancelled?.aborted) throw error;
      }
    }
  }

  /** Patience of its own with something that matters less. @param patienceMs longest wait, in milliseconds */
  shorter(patienceMs: number): Patience {
    const options = { ...this.#options, patienceMs: Math.min(patienceMs, this.#options.patienceMs) };
    return new Patience(this.#cancelled ? { ...options, cancelled: this.#cancelled } : options);
  }

  /** Whether no outage is waited out any more: every call is the only one of its item, and has to be sent. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  #answered(): void {
    this.#failAlone ||= this.#isLastInDoubt;
    this.#isLastInDoubt = false;
    this.#since = undefined;
    this.#isSpent = false;
  }

  /** Whether the backend answered this item with a failure of its own while it served others. */
  #isItsOwn(error: unknown, begunAt: number): boolean {
    return isOwnFailure(error) && (this.#failAlone || (error.servedAt !== undefined && error.servedAt > begunAt));
  }

  /** Milliseconds for which an outage is still waited out. */
  #left(error: unknown): number {
    const { clock, patienceMs } = this.#options;
    if (this.#since === undefined) {
      this.#since = clock();
      this.#onOutage?.(error);
    }
    const left = this.#since + patienceMs - clock();
    if (left <= 0) this.#isSpent = true;
    return this.#isSpent ? 0 : left;
  }
}

/** What may be an item's own failure; the others of its class say that a server, or what is behind it, is not there. */
const OWN_FAILURE = 500;

function isOwnFailure(error: unknown): error is BackendOutage {
  return error instanceof BackendOutage && error.httpStatus === OWN_FAILURE;
}

/** What the backend asked for, but not less than our own pause. */
function pauseAfter(tries: number, error: unknown): number {
  const own = PAUSES_MS[tries - 1] ?? MAX_PAUSE_MS;
  // Items that failed together do not come back in step.
  const spread = own * (0.9 + Math.random() * 0.2);
  const asked = error instanceof BackendOutage || error instanceof BackendRefusal ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(asked, spread);
}

function systemPause(milliseconds: number, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    for (const signal of signals) signal.addEventListener('abort', end);
    if (signals.some(({ aborted }) => aborted)) end();
  });
}

import { CallError, meaningOf, type BackendName } from '../../../clients/call-error.js';
import { onAbort, pause } from '../../../base/waits.js';

/*
 * Bounds of each part that a report can do without, in milliseconds: its addresses, its vehicles, and the trips that
 * are weighed beside those of the page. They are few, because a report that waits keeps other jobs waiting.
 */
/** Time limit of one call. */
const CALL_MS = 5_000;
/** Time for which an outage is waited out, from the first call that failed or was not answered in time. */
const PATIENCE_MS = 10_000;
/** Longest time for which failures hold one report. */
export const HELD_MS = CALL_MS + PATIENCE_MS;
/** Pause between two tries. */
const PAUSE_MS = 1_000;

type MakeCall<T> = (signal: AbortSignal) => Promise<T>;

/** Source of such a part, whose outage is known to all reports of a gateway. */
class OptionalSource {
  readonly #backend: BackendName;
  readonly #patienceMs: number;
  /** Time when the outage began; undefined while calls are answered. */
  #since: number | undefined;
  #fault: unknown;
  #isProbed = false;

  constructor(backend: BackendName, patienceMs: number) {
    this.#backend = backend;
    this.#patienceMs = patienceMs;
  }

  readonly ofReport = (): OptionalPart => new OptionalPart(this);

  /** Time for which the outage is still waited out, in milliseconds; Infinity without one. */
  get leftMs(): number {
    return this.#since === undefined ? Infinity : this.#since + this.#patienceMs - performance.now();
  }

  /** Makes a call within its time, and notes whether it was answered. @throws the error of the call */
  async call<T>(make: MakeCall<T>, signal: AbortSignal): Promise<T> {
    try {
      const value = await this.#inTime(make, signal);
      this.#since = undefined;
      return value;
    } catch (error) {
      const { counts, isTransient, mayBeAlone } = meaningOf(error);
      if (counts === 'served') this.#since = undefined;
      else this.#fault = error;
      if (isTransient && !(mayBeAlone && this.#patienceMs === 0)) this.#since ??= performance.now();
      throw error;
    }
  }

  /** Gives up, and asks meanwhile by this call whether the source is back, unless another one asks. */
  giveUp<T>(make: MakeCall<T>, signal: AbortSignal): never {
    if (!this.#isProbed && this.leftMs <= 0) {
      this.#isProbed = true;
      void this.call(make, signal)
        .catch(() => undefined)
        .finally(() => (this.#isProbed = false));
    }
    throw this.#fault;
  }

  /** The limit also holds for a call that waits for its turn at an open circuit, which cannot be aborted. */
  async #inTime<T>(make: MakeCall<T>, signal: AbortSignal): Promise<T> {
    const limitMs = this.leftMs > 0 ? Math.min(CALL_MS, this.leftMs) : CALL_MS;
    const own = new AbortController();
    const unfollow = onAbort(signal, () => own.abort(signal.reason));
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<T>((resolve, reject) => {
        timer = setTimeout(() => {
          const late = new DOMException(`no answer within ${Math.round(limitMs)} ms`, 'TimeoutError');
          reject(new CallError(this.#backend, 'failed', late));
          own.abort(late);
        }, limitMs);
        make(own.signal).then(resolve, reject);
      });
    } finally {
      clearTimeout(timer);
      unfollow();
    }
  }
}

export class OptionalPart {
  readonly #source: OptionalSource;
  /** Time for which failures held the report so far, and its end. */
  #heldMs = 0;
  #heldUntil = -Infinity;

  constructor(source: OptionalSource) {
    this.#source = source;
  }

  /**
   * Makes a call, again during the patience with an outage, and not at all after it.
   *
   * @param signal of the job @throws the error of the last call, which may be that of another report
   */
  async ask<T>(make: MakeCall<T>, signal: AbortSignal): Promise<T> {
    for (;;) {
      if (this.#heldMs >= HELD_MS || this.#source.leftMs <= 0) this.#source.giveUp(make, signal);
      const startedAt = performance.now();
      try {
        return await this.#source.call(make, signal);
      } catch (error) {
        // A refusal is an answer, which may concern this call alone.
        if (meaningOf(error).counts === 'served') throw error;
        this.#heldSince(startedAt);
        const { leftMs } = this.#source;
        if (!meaningOf(error).isTransient || leftMs <= 0 || leftMs === Infinity) throw error;
        await pause(Math.min(PAUSE_MS, leftMs), [signal]);
        this.#heldSince(startedAt);
      }
    }
  }

  /** Adds the time since then; that of calls beside each other counts once. */
  #heldSince(startedAt: number): void {
    const now = performance.now();
    this.#heldMs += now - Math.max(startedAt, this.#heldUntil);
    this.#heldUntil = now;
  }
}

/** Creates the sources for all reports of a gateway. Addresses alone are waited for: they are on every page. */
export function optionalSources() {
  const source = (backend: BackendName, patienceMs: number) => new OptionalSource(backend, patienceMs).ofReport;
  return {
    addresses: source('geo-api', PATIENCE_MS),
    vehicles: source('backend-api', 0),
    weighedTrips: source('backend-api', 0),
  };
}

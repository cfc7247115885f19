import { CallError, meaningOf, type BackendName } from '../../../clients/call-error.js';
import { LATE, onAbort, pause, withinTime } from '../../../base/waits.js';

/*
 * Bounds of each part that a report can do without, in milliseconds: its addresses, its vehicles, and the trips that
 * are weighed beside those of the page. They are few, because a report that waits keeps other jobs waiting.
 */
const CALL_MS = 5_000;
/** Time for which an outage is waited out, from the first call that failed or was not answered in time. */
const PATIENCE_MS = 10_000;
/** Longest time for which failures hold one report. */
export const HELD_MS = CALL_MS + PATIENCE_MS;
const PAUSE_MS = 1_000;

type MakeCall<T> = (signal: AbortSignal) => Promise<T>;

/** Part of one report. */
export interface OptionalPart {
  /**
   * Makes a call, again during the patience with an outage, and not at all after it.
   *
   * @param signal of the job @throws the error of the last call, which may be that of another report
   */
  ask<T>(make: MakeCall<T>, signal: AbortSignal): Promise<T>;
}

/** Source of such a part, whose outage is known to all reports of a gateway. @returns the part for one report */
function optionalSource(backend: BackendName, patienceMs: number): () => OptionalPart {
  /** Time when the outage began; undefined while calls are answered. */
  let since: number | undefined;
  let fault: unknown;
  let isProbed = false;
  /** Returns the time for which the outage is still waited out, in milliseconds; Infinity without one. */
  const left = (): number => (since === undefined ? Infinity : since + patienceMs - performance.now());

  /** Makes a call within its time, and notes whether it was answered. @throws the error of the call */
  async function call<T>(make: MakeCall<T>, signal: AbortSignal): Promise<T> {
    try {
      const value = await inTime(make, signal);
      since = undefined;
      return value;
    } catch (error) {
      const { counts, isTransient, mayBeAlone } = meaningOf(error);
      if (counts === 'served') since = undefined;
      else fault = error;
      if (isTransient && !(mayBeAlone && patienceMs === 0)) since ??= performance.now();
      throw error;
    }
  }

  /** Gives up, and asks meanwhile by this call whether the source is back, unless another one asks. */
  function giveUp<T>(make: MakeCall<T>, signal: AbortSignal): never {
    if (!isProbed && left() <= 0) {
      isProbed = true;
      void call(make, signal)
        .catch(() => undefined)
        .finally(() => (isProbed = false));
    }
    throw fault;
  }

  /** The limit also holds for a call that waits for its turn at an open circuit, which cannot be aborted. */
  async function inTime<T>(make: MakeCall<T>, signal: AbortSignal): Promise<T> {
    const leftMs = left();
    const limitMs = leftMs > 0 ? Math.min(CALL_MS, leftMs) : CALL_MS;
    const own = new AbortController();
    const unfollow = onAbort(signal, () => own.abort(signal.reason));
    const value = await withinTime(make(own.signal), limitMs).finally(unfollow);
    if (value !== LATE) return value;
    const late = new DOMException(`no answer within ${Math.round(limitMs)} ms`, 'TimeoutError');
    own.abort(late);
    throw new CallError(backend, 'failed', late);
  }

  return () => {
    /** Time for which failures held the report so far, and its end. */
    let heldMs = 0;
    let heldUntil = -Infinity;
    /** Adds the time since then; that of calls beside each other counts once. */
    const holdSince = (startedAt: number): void => {
      const now = performance.now();
      heldMs += now - Math.max(startedAt, heldUntil);
      heldUntil = now;
    };
    return {
      async ask(make, signal) {
        for (;;) {
          if (heldMs >= HELD_MS || left() <= 0) giveUp(make, signal);
          const startedAt = performance.now();
          try {
            return await call(make, signal);
          } catch (error) {
            // A refusal is an answer, which may concern this call alone.
            if (meaningOf(error).counts === 'served') throw error;
            holdSince(startedAt);
            const leftMs = left();
            if (!meaningOf(error).isTransient || leftMs <= 0 || leftMs === Infinity) throw error;
            await pause(Math.min(PAUSE_MS, leftMs), [signal]);
            holdSince(startedAt);
          }
        }
      },
    };
  };
}

/** Creates the sources for all reports of a gateway. Addresses alone are waited for: they are on every page. */
export function optionalSources() {
  return {
    addresses: optionalSource('geo-api', PATIENCE_MS),
    vehicles: optionalSource('backend-api', 0),
    weighedTrips: optionalSource('backend-api', 0),
  };
}

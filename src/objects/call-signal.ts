/** The signal of one call, which ends with the call. */
export interface CallSignal {
  /** Aborts with the signal of the caller, when the call fails, and when it ends. */
  readonly signal: AbortSignal;
  /** Ends whatever the call still has under way. Only the first reason counts. */
  abort(reason: unknown): void;
  /** To be called when the call ends, however it does: nothing of it is left with the caller's signal. */
  end(): void;
}

/**
 * Follows a signal that may live much longer than the call. `AbortSignal.any` would do the same, but Node.js 20
 * keeps each of its signals for as long as those it follows.
 *
 * @param outer undefined: only the call itself can abort
 */
export function callSignal(outer: AbortSignal | undefined): CallSignal {
  const own = new AbortController();
  const follow = (): void => own.abort(outer?.reason);
  if (outer?.aborted) follow();
  else outer?.addEventListener('abort', follow, { once: true });
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    end() {
      outer?.removeEventListener('abort', follow);
      own.abort(new Error('The call has ended.'));
    },
  };
}

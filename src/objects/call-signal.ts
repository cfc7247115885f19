/** Abort signal with the lifetime of one call. */
export interface CallSignal {
  /** Aborts with the caller's signal, when the call fails, and when it ends. */
  readonly signal: AbortSignal;
  /** Aborts the remaining work of the call. Only the first reason counts. */
  abort(reason: unknown): void;
  /** Removes the listener from the caller's signal. Call it at every end of the call. */
  end(): void;
}

/**
 * Follows a signal that may live much longer than the call. `AbortSignal.any` would do the same, but in Node.js 20 its
 * signals stay in memory for as long as their sources.
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

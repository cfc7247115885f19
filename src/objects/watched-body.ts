import { onAbort } from '../base/waits.js';

/** Body during its upload to a store. */
export type WatchedBody = ReturnType<typeof watchBody>;

/**
 * Passes a body on until the call is aborted, even while the body is silent; counts its bytes, and distinguishes its
 * failures from those of the store. A failure of the body aborts the call, because the rest of the work in the store is
 * useless.
 *
 * @param outer aborts the call and may live much longer; without it, only the call itself can abort
 */
export function watchBody(body: AsyncIterable<Uint8Array>, outer: AbortSignal | undefined) {
  const own = new AbortController();
  const { signal } = own;
  const unfollow = onAbort(outer, () => own.abort(outer?.reason));
  let size = 0;
  let failure: { readonly error: unknown } | undefined;

  async function nextOf(iterator: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    try {
      signal.throwIfAborted();
      const next = await nextUnlessAborted(iterator, signal);
      signal.throwIfAborted();
      return next;
    } catch (error) {
      failure = { error };
      own.abort(error);
      throw error;
    }
  }

  async function* watch(): AsyncGenerator<Uint8Array> {
    const iterator = body[Symbol.asyncIterator]();
    let hasEnded = false;
    try {
      for (;;) {
        const next = await nextOf(iterator);
        hasEnded = next.done === true;
        if (next.done === true) return;
        size += next.value.byteLength;
        // A failing store may throw here; that is not a failure of the body.
        yield next.value;
      }
    } finally {
      // Lets the body clean up. Not awaited, because a body that hangs would never answer.
      if (!hasEnded) iterator.return?.().catch(() => undefined);
    }
  }

  return {
    chunks: watch(),
    /** Aborts with the caller's signal, when the call fails, and when it ends. */
    signal,
    /** Aborts the remaining work of the call. Only the first reason counts. */
    abort: (reason: unknown): void => own.abort(reason),
    /** Removes the listener from the caller's signal. Call it at every end of the call. */
    end(): void {
      unfollow();
      own.abort(new Error('The call has ended.'));
    },
    /** Returns the bytes read so far. */
    size: () => size,
    /** Returns the error of the body, or the reason of the abort; undefined if neither occurred. */
    failure: () => failure,
  };
}

/**
 * Returns the next result, or throws the signal's reason once it aborts. Each step has a new promise: one for the whole
 * stream would keep every chunk raced against it in memory.
 */
function nextUnlessAborted<T>(iterator: AsyncIterator<T>, signal: AbortSignal): Promise<IteratorResult<T>> {
  return new Promise((resolve, reject) => {
    // The reason may be of any type, and is passed on unchanged.
    const unfollow = onAbort(signal, () => reject(signal.reason as Error));
    iterator.next().then(resolve, reject).finally(unfollow);
  });
}

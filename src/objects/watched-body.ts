import { onAbort } from '../waits.js';

/** Abort signal with the lifetime of one call. */
export interface CallSignal {
  /** Aborts with the caller's signal, when the call fails, and when it ends. */
  readonly signal: AbortSignal;
  /** Aborts the remaining work of the call. Only the first reason counts. */
  abort(reason: unknown): void;
  /** Removes the listener from the caller's signal. Call it at every end of the call. */
  end(): void;
}

/** Follows a signal that may live much longer than the call. @param outer undefined: only the call itself can abort */
export function callSignal(outer: AbortSignal | undefined): CallSignal {
  const own = new AbortController();
  const unfollow = onAbort(outer, () => own.abort(outer?.reason));
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    end() {
      unfollow();
      own.abort(new Error('The call has ended.'));
    },
  };
}

/** Body during its upload to a store. */
export interface WatchedBody {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Bytes read so far. */
  size(): number;
  /** Error of the body, or the reason of the abort; undefined if neither occurred. */
  failure(): { readonly error: unknown } | undefined;
}

/**
 * Counts the bytes read from a body until the call is aborted, and distinguishes failures of the body from those of the
 * store. A failure of the body aborts the call, because the rest of the work in the store is useless.
 */
export function watchBody(body: AsyncIterable<Uint8Array>, call: CallSignal): WatchedBody {
  const source = untilAborted(body, call.signal);
  let size = 0;
  let failure: { readonly error: unknown } | undefined;

  async function nextChunk(): Promise<IteratorResult<Uint8Array>> {
    try {
      return await source.next();
    } catch (error) {
      failure = { error };
      call.abort(error);
      throw error;
    }
  }

  async function* watch(): AsyncGenerator<Uint8Array> {
    try {
      for (let next = await nextChunk(); next.done !== true; next = await nextChunk()) {
        size += next.value.byteLength;
        // A failing store may throw here; that is not a failure of the body.
        yield next.value;
      }
    } finally {
      // Lets the body clean up. Not awaited, because a body that hangs would never answer.
      void source.return(undefined).catch(() => undefined);
    }
  }

  return { chunks: watch(), size: () => size, failure: () => failure };
}

/**
 * Passes a stream through until a signal aborts, even while the stream is silent.
 *
 * @throws the signal's reason when it aborts; the stream is asked to end, but not awaited
 */
async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  signal.throwIfAborted();
  const iterator = source[Symbol.asyncIterator]();
  let ended = false;
  try {
    for (;;) {
      const next = await nextUnlessAborted(iterator, signal);
      signal.throwIfAborted();
      if (next === undefined) continue;
      if (next.done === true) {
        ended = true;
        return;
      }
      yield next.value;
    }
  } finally {
    // Not awaited, because a stream that hangs would never answer; its failure to end has no effect.
    if (!ended) iterator.return?.().catch(() => undefined);
  }
}

/**
 * Returns the next result, or undefined once the signal aborts. Each step has a new promise: one for the whole stream
 * would keep every chunk raced against it in memory.
 */
function nextUnlessAborted<T>(iterator: AsyncIterator<T>, signal: AbortSignal): Promise<IteratorResult<T> | undefined> {
  return new Promise((resolve, reject) => {
    const unfollow = onAbort(signal, () => resolve(undefined));
    iterator.next().then(resolve, reject).finally(unfollow);
  });
}

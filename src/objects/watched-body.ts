import type { CallSignal } from './call-signal.js';
/** A body on its way into a store. */
export interface WatchedBody {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Bytes read so far. */
  size(): number;
  /** What the body threw, or the reason of the abort; undefined while all is well. */
  failure(): { readonly error: unknown } | undefined;
}

/**
 * Counts what is read of a body until the call is aborted, and tells its own failure from one of the store. When the
 * body fails, the call is aborted: what is under way in the store is of no use any more.
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
        // A store that fails may throw here; that is no failure of the body.
        yield next.value;
      }
    } finally {
      // Lets the body clean up. Not waited for: a body that hangs would never answer.
      void source.return(undefined).catch(() => undefined);
    }
  }

  return { chunks: watch(), size: () => size, failure: () => failure };
}

/**
 * Passes a stream through until a signal aborts, even while the stream is silent.
 *
 * @throws the signal's reason when it aborts; the stream is told to end, but not waited for
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
    // A stream that hangs would never answer, and its failure to end concerns nobody any more.
    if (!ended) iterator.return?.().catch(() => undefined);
  }
}

/**
 * The next result, or undefined once the signal aborts. A promise for each step: one that lived as long as the
 * stream would hold on to every chunk that was raced against it.
 */
function nextUnlessAborted<T>(iterator: AsyncIterator<T>, signal: AbortSignal): Promise<IteratorResult<T> | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
    iterator
      .next()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });
}

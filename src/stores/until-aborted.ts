/**
 * Passes a stream through until a signal aborts, even while the stream is silent.
 *
 * @throws the signal's reason when it aborts; the stream is told to end, but not waited for
 */
export async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  if (signal === undefined) {
    yield* source;
    return;
  }
  signal.throwIfAborted();
  const iterator = source[Symbol.asyncIterator]();
  const abort = abortOf(signal);
  let ended = false;
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), abort.happened]);
      signal.throwIfAborted();
      if (next === undefined) continue;
      if (next.done === true) {
        ended = true;
        return;
      }
      yield next.value;
    }
  } finally {
    abort.forget();
    // A stream that hangs would never answer, and its failure to end concerns nobody any more.
    if (!ended) iterator.return?.().catch(() => undefined);
  }
}

function abortOf(signal: AbortSignal): { readonly happened: Promise<undefined>; readonly forget: () => void } {
  const listening = new AbortController();
  const happened = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { signal: listening.signal });
  });
  return { happened, forget: () => listening.abort() };
}

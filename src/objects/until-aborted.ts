/**
 * Passes a stream through until a signal aborts, even while the stream is silent.
 *
 * @throws the signal's reason when it aborts; the stream is told to end, but not waited for
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
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

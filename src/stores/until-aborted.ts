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
  const { promise: aborted, stop } = abortOf(signal);
  let ended = false;
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted]);
      if (next.done === true) {
        ended = true;
        return;
      }
      yield next.value;
    }
  } finally {
    stop();
    // A stream that hangs would never answer, and its failure to end concerns nobody any more.
    if (!ended) iterator.return?.().catch(() => undefined);
  }
}

function abortOf(signal: AbortSignal): { readonly promise: Promise<never>; readonly stop: () => void } {
  let stop = (): void => undefined;
  const promise = new Promise<never>((_, reject) => {
    const abort = (): void => {
      reject(signal.reason instanceof Error ? signal.reason : new Error('Aborted.', { cause: signal.reason }));
    };
    signal.addEventListener('abort', abort, { once: true });
    stop = () => signal.removeEventListener('abort', abort);
  });
  // Somebody may abort between two races, when nobody listens.
  promise.catch(() => undefined);
  return { promise, stop };
}

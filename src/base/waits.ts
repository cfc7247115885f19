import { setImmediate } from 'node:timers/promises';

/**
 * Yields to the event loop, so that input that has arrived meanwhile is read before the caller continues. A single
 * `setImmediate` that is requested while input is read runs right after that, in the same turn of the event loop.
 */
export async function yieldToEventLoop(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/** Result in place of that of work that takes too long; the work goes on. */
export const LATE = Symbol('late');

/** Waits for work, for a time in milliseconds. @throws errors of the work before that */
export async function withinTime<T>(work: Promise<T>, maxMs: number): Promise<T | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(resolve, maxMs, LATE);
  });
  // A later failure has no other handler.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Calls a listener when a signal is aborted, or at once if it is already. The caller has to remove the listener at the
 * end of its work: a signal with a listener stays in memory, and one of `AbortSignal.any` with all its sources.
 *
 * @returns a function that removes the listener
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal?.aborted) listener();
  else signal?.addEventListener('abort', listener);
  return () => signal?.removeEventListener('abort', listener);
}

/** Loads a value at the first call and shares it with all later calls; after a failure the next call retries. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

/**
 * Shares one answer among all callers during its look-up and for a time from its start, so that load is independent of
 * the number of callers. Failures are shared as well.
 *
 * @param forMs time for which an answer is shared, from the start of its look-up, in milliseconds
 */
export function sharedAnswer<T>(forMs: number): (find: () => Promise<T>) => Promise<T> {
  let answer: Promise<T> | undefined;
  let isPending = false;
  let startedAt = -Infinity;
  return (find) => {
    const now = performance.now();
    if (answer === undefined || (!isPending && now >= startedAt + forMs)) {
      startedAt = now;
      isPending = true;
      answer = find().finally(() => (isPending = false));
    }
    return answer;
  };
}

/**
 * Repeats work until it is closed, without keeping the process alive. Closing asks work in progress to stop, and waits
 * for it.
 *
 * @param work must not reject
 * @param times.firstMs pause before the first time, in milliseconds; `everyMs` by default
 * @param times.everyMs pause from the end of the work to its next start, in milliseconds
 * @param times.maxMs maximum wait of `close`, in milliseconds
 */
export function repeat(
  work: (stopping: AbortSignal) => Promise<void>,
  {
    everyMs,
    firstMs = everyMs,
    maxMs,
  }: { readonly everyMs: number; readonly firstMs?: number; readonly maxMs?: number },
): { close(): Promise<void> } {
  const stopping = new AbortController();
  let current = Promise.resolve();
  let timer = setTimeout(run, firstMs).unref();
  function run(): void {
    current = work(stopping.signal).finally(() => {
      if (!stopping.signal.aborted) timer = setTimeout(run, everyMs).unref();
    });
  }
  return {
    async close() {
      clearTimeout(timer);
      stopping.abort();
      await (maxMs === undefined ? current : withinTime(current, maxMs));
    },
  };
}

/** Waits until the time is over or a signal aborts. */
export async function pause(milliseconds: number, signals: readonly AbortSignal[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let following: (() => void)[] = [];
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
    following = signals.map((signal) => onAbort(signal, resolve));
  });
  clearTimeout(timer);
  for (const unfollow of following) unfollow();
}

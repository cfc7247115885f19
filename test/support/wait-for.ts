/** Looked at often at first, when most conditions come true, and less often the longer it takes. */
const SHORTEST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 100;

/**
 * Waits until a condition holds, looking again and again.
 *
 * @param look returns undefined, false or null as long as it does not hold
 * @param timeoutMs far more than a busy machine needs, and less than a test may take; it only ends an endless wait
 * @throws {Error} after `timeoutMs`
 */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  timeoutMs = 230_000,
): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > timeoutMs) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}.`);
    const pauseMs = Math.min(Math.max(SHORTEST_PAUSE_MS, waitedMs / 10), MAX_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Whether a promise is kept. Its failure is the answer, not an error. */
export function succeeds(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}

/** A promise that the test keeps, with a value, when it likes. */
export function deferred<T = void>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let settle: ((value: T) => void) | undefined;
  const promise = new Promise<T>((resolve) => (settle = resolve));
  return { promise, resolve: (value) => settle?.(value) };
}

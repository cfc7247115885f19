import { setMaxListeners } from 'node:events';
import { onAbort } from '../base/waits.js';

export class TimeLimitError extends Error {
  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
  }
}

/** The result is no longer wanted; the cause is the given reason. */
export class CutOffError extends Error {}

/** Part of AbortSignal that calls use. */
export interface EndSignal {
  readonly aborted: boolean;
  readonly reason: Error | undefined;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Signal of one call. An AbortSignal would cost a tenth of the time of the call. */
class Limit implements EndSignal {
  #reason: Error | undefined;
  readonly #listeners: (() => void)[] = [];

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  get reason(): Error | undefined {
    return this.#reason;
  }

  throwIfAborted(): void {
    if (this.#reason !== undefined) throw this.#reason;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener);
    if (at >= 0) this.#listeners.splice(at, 1);
  }

  abort(reason: Error): void {
    this.#reason ??= reason;
    for (const listener of [...this.#listeners]) listener();
  }
}

/**
 * Runs a call with a time limit. The signal of the call is aborted at the limit, which also holds for a call that
 * ignores the signal, such as one that opens a connection. No listener stays on `outer`, which may live as long as the
 * process.
 *
 * @param timeoutMs maximum time
 * @param outer ends the call earlier
 * @throws {TimeLimitError} the time is over
 * @throws {CutOffError} `outer` was aborted; otherwise errors of `run`
 */
export async function within<T>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  run: (signal: EndSignal) => Promise<T>,
): Promise<T> {
  if (outer?.aborted) throw cutOffBy(outer);
  const limit = new Limit();
  let end: (reason: Error) => void = () => undefined;
  const timer = setTimeout(() => end(new TimeLimitError(timeoutMs)), timeoutMs);
  // The number of concurrent calls is unlimited; each removes its listener.
  if (outer !== undefined) setMaxListeners(0, outer);
  const unfollow = onAbort(outer, () => end(cutOffBy(outer)));
  try {
    return await new Promise<T>((resolve, reject) => {
      end = (reason) => {
        reject(reason);
        limit.abort(reason);
      };
      run(limit).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    unfollow();
  }
}

function cutOffBy(signal: AbortSignal | undefined): CutOffError {
  return new CutOffError('the result is no longer wanted', { cause: signal?.reason });
}

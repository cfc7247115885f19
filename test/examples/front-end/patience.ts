import type { ErrorCode } from 'vehicle-location-gateway-front-end';
import { isRefused, wordsFor } from './request-error.js';

/** The way a person waits. */
export interface Waiting {
  /** Shows a line to the person who waits. */
  readonly tell: (words: string) => void;
  /** Ends the waiting, for instance when the page is left. */
  readonly signal: AbortSignal;
  /** Passes this many milliseconds; rejects when the waiting ends. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const DEFAULT_PAUSE_SECONDS = 5;

/** Runs something again for as long as it is refused with these codes, and never sooner than the gateway says. */
export async function whenAllowed<T>(codes: readonly ErrorCode[], waiting: Waiting, run: () => Promise<T>): Promise<T> {
  const { tell, signal, pause = pass } = waiting;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!isRefused(error, ...codes)) throw error;
      tell(wordsFor(error));
      await pause((error.retryAfterSeconds ?? DEFAULT_PAUSE_SECONDS) * 1000, signal);
    }
  }
}

/** Passes some time. @throws the reason of the signal, once it is aborted */
export async function pass(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error); // `AbortSignal` promises no type; it is a DOMException unless we say otherwise
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', end, { once: true });
  });
}

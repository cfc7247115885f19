/** Result of a request for points: all taken, or refused because too few are left. */
export type Taking =
  | {
      readonly outcome: 'taken';
      /** Returns points, unless their window is over. Never fails: points not returned expire. */
      giveBack(points: number): Promise<void>;
    }
  | {
      readonly outcome: 'refused';
      /** Milliseconds until points are available again. */
      readonly retryAfterMs: number;
    };

/** Counts attempts by key, in a window that begins with the first attempt. */
export interface AttemptCounter {
  take(key: string, points: number): Promise<Taking>;
}

/** Creates a counter of `points` within `seconds`; the prefix separates its keys from those of other counters. */
export type CounterFactory = (keyPrefix: string, points: number, seconds: number) => AttemptCounter;

/**
 * Keeps texts for a short time, shared by all processes on the same engine if it supports that. It never fails: a text
 * may be lost.
 */
export interface ShortLivedTexts {
  get(name: string): Promise<string | undefined>;
  /** Puts a text for `forMs` milliseconds. @returns false if there is one already, and `isNew` asks for none */
  put(name: string, text: string, options: { readonly forMs: number; readonly isNew?: boolean }): Promise<boolean>;
  delete(name: string): Promise<void>;
}

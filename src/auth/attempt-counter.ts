/** What became of wanting to take points: they are taken, or none are because too many are gone. */
export type Taking =
  | {
      readonly outcome: 'taken';
      /** Gives points back, unless their window is over. Never fails: what is not given back runs out by itself. */
      giveBack(points: number): Promise<void>;
    }
  | {
      readonly outcome: 'refused';
      /** Milliseconds until there are points again. */
      readonly retryAfterMs: number;
    };

/** Counts what is done under each key, within a window that begins with the first of it. */
export interface AttemptCounter {
  /** Takes points from those a key has. */
  take(key: string, points: number): Promise<Taking>;
}

/** Makes a counter of `points` within `seconds`; the prefix keeps its keys apart from those of others. */
export type CounterFactory = (keyPrefix: string, points: number, seconds: number) => AttemptCounter;

import type { ReplayMemory } from '../../job-record/replay-memory.js';
import type { DamagedEntries } from './damaged-entries.js';
import type { LmdbDatabase } from './database.js';
import { LAST, Table, type TimedKey } from './table.js';

/** A memory on disk, so that a restart forgets nothing. */
export class LmdbReplayMemory implements ReplayMemory {
  readonly #database: LmdbDatabase;
  readonly #damaged: DamagedEntries;
  readonly #clock: () => number;
  /** Nothing is read of an entry but that it is there: a damaged one refuses as well. */
  readonly #ids: Table<unknown, string>;
  readonly #byExpiry: Table<unknown, TimedKey>;

  /** @param clock milliseconds since 1970 */
  constructor(database: LmdbDatabase, damaged: DamagedEntries, clock: () => number) {
    this.#database = database;
    this.#damaged = damaged;
    this.#clock = clock;
    this.#ids = new Table(database, 'callback-ids', (stored) => stored);
    this.#byExpiry = new Table(database, 'callback-ids-by-expiry', (stored) => stored);
  }

  remember(id: string, forMs: number): Promise<boolean> {
    return this.#database.transact(() => {
      if (this.#ids.has(id)) return false;
      this.#ids.put(id, true);
      this.#byExpiry.put([this.#clock() + forMs, id], true);
      return true;
    });
  }

  /** Forgets what is over; within a transaction. @returns how many; `limit` when there may be more */
  removeExpired(now: number, limit: number): number {
    const expired = this.#damaged.keys(this.#byExpiry, { end: [now, LAST], limit }, now);
    for (const key of expired) {
      this.#byExpiry.remove(key);
      this.#ids.remove(key[1]);
    }
    return expired.length;
  }
}

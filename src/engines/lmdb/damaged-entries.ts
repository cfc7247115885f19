import type { Key, RangeOptions } from 'lmdb';
import type { Logger } from '../../logging/logger.js';
import type { LmdbDatabase } from './database.js';
import { DamagedEntryError, isTimed, Table, type TimedKey } from './table.js';

/** What is left of a damaged entry, for whoever wants to know what happened to it. */
interface DamagedEntry {
  readonly table: string;
  readonly key: string;
  readonly bytes: Uint8Array | undefined;
  readonly reason: string;
}

/** Entries that cannot be read back, out of the way of all others. Methods are to be called within a transaction. */
export class DamagedEntries {
  readonly #entries: Table<DamagedEntry, TimedKey>;
  readonly #logger: Logger;

  constructor(database: LmdbDatabase, logger: Logger) {
    // Nothing reads them but people.
    this.#entries = new Table(database, 'damaged', (stored) => stored as DamagedEntry);
    this.#logger = logger;
  }

  /** Moves an entry out of its table, and says so in the log. */
  setAside<V, K extends Key>(table: Table<V, K>, key: K, reason: string, now: number): void {
    const entry = { table: table.name, key: JSON.stringify(key), bytes: table.bytes(key), reason };
    this.#entries.put([now, `${entry.table} ${entry.key}`], entry);
    table.remove(key);
    this.#logger.event('store.entry_damaged', { table: entry.table, key: entry.key, reason });
  }

  /** Reads an entry, or sets it aside. @returns undefined when there is none that can be read */
  read<V, K extends Key>(table: Table<V, K>, key: K, now: number): V | undefined {
    try {
      return table.get(key);
    } catch (error) {
      if (!(error instanceof DamagedEntryError)) throw error;
      this.setAside(table, key, error.message, now);
      return undefined;
    }
  }

  /** Keys that begin with a time. Others, which nobody would ever find, are set aside. */
  keys<V>(table: Table<V, TimedKey>, range: RangeOptions, now: number): readonly TimedKey[] {
    return table.keys(range).filter((key) => {
      if (isTimed(key)) return true;
      this.setAside(table, key, 'The key is not a time and an id.', now);
      return false;
    });
  }

  /** Removes entries that were set aside before a time. @returns how many; `limit` when there may be more */
  removeBefore(time: number, limit: number): number {
    const keys = this.#entries.keys({ end: [time], limit });
    for (const key of keys) this.#entries.remove(key);
    return keys.length;
  }
}

import type { Database, Key, RangeOptions } from 'lmdb';
import { describeError } from '../../errors.js';
import { NewerFormatError } from '../../job-record/format.js';
import { isEngineError, type LmdbDatabase } from './database.js';

/** An entry cannot be read back; the message says why. Whoever meets one sets it aside and goes on. */
export class DamagedEntryError extends Error {
  override readonly name = 'DamagedEntryError';
}

/** A point in time, milliseconds since 1970, and an id: entries lie in the order in which their time comes. */
export type TimedKey = [time: number, id: string];

/** Sorts behind every id. */
export const LAST = '\uffff';

/** Whether a key is what its type says; a damaged one may be anything. */
export function isTimed(key: unknown): key is TimedKey {
  return Array.isArray(key) && key.length === 2 && Number.isFinite(key[0]) && typeof key[1] === 'string';
}

/**
 * A named table whose values are checked when they are read: a file that was repaired, or written by something else,
 * may hold anything. Methods are synchronous: to be called within a transaction or, those that only look, a read.
 */
export class Table<V, K extends Key> {
  readonly name: string;
  readonly #entries: Database<unknown, K>;
  readonly #parse: (stored: unknown) => V;
  readonly #format: (value: V) => unknown;

  /**
   * @param parse makes a value of what is stored; throws when it cannot be one
   * @param format makes of a value what is stored, where that is something else
   */
  constructor(
    database: LmdbDatabase,
    name: string,
    parse: (stored: unknown) => V,
    format: (value: V) => unknown = (value) => value,
  ) {
    this.name = name;
    this.#entries = database.table(name);
    this.#parse = parse;
    this.#format = format;
  }

  /** @throws {DamagedEntryError} when what is stored is no value of this table */
  get(key: K): V | undefined {
    try {
      const stored = this.#entries.get(key);
      return stored === undefined ? undefined : this.#parse(stored);
    } catch (error) {
      if (isEngineError(error) || error instanceof NewerFormatError) throw error;
      throw new DamagedEntryError(describeError(error), { cause: error });
    }
  }

  /** The same for those who only look: what is damaged counts as absent, and is set aside by whoever writes. */
  peek(key: K): V | undefined {
    try {
      return this.get(key);
    } catch (error) {
      if (error instanceof DamagedEntryError) return undefined;
      throw error;
    }
  }

  has(key: K): boolean {
    return this.#entries.doesExist(key);
  }

  put(key: K, value: V): void {
    this.#entries.putSync(key, this.#format(value));
  }

  remove(key: K): void {
    this.#entries.removeSync(key);
  }

  /** Keys in their order, as they were when they were asked for. */
  keys(range: RangeOptions = {}): readonly K[] {
    return [...this.#entries.getKeys(range)];
  }

  /** Number of entries. */
  get size(): number {
    return this.#entries.getKeysCount();
  }

  /** What is stored, whatever it is; undefined when there is nothing. */
  bytes(key: K): Uint8Array | undefined {
    return this.#entries.getBinary(key);
  }
}

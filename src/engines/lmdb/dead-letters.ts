import type { DeadLetter } from '../../job-record/job-queue.js';
import { fieldsOf, parseIdentity, text, wholeNumber } from '../../job-record/stored-message.js';
import type { DamagedEntries } from './damaged-entries.js';
import type { LmdbDatabase } from './database.js';
import { Table, type TimedKey } from './table.js';

/** Dead letters, without what their messages carry. Methods are synchronous: to be called within a transaction. */
export class LmdbDeadLetters {
  /** By the time of death. */
  readonly #letters: Table<DeadLetter, TimedKey>;
  /** When the dead letter with an id died. */
  readonly #times: Table<number, string>;
  readonly #damaged: DamagedEntries;

  constructor(database: LmdbDatabase, damaged: DamagedEntries) {
    this.#letters = new Table(database, 'dead-letters', parseLetter);
    this.#times = new Table(database, 'dead-letter-times', parseTime);
    this.#damaged = damaged;
  }

  /** Adds one; it takes the place of an earlier one with that id. */
  add(id: string, letter: DeadLetter): void {
    this.remove(id, letter.diedAt);
    this.#letters.put([letter.diedAt, id], letter);
    this.#times.put(id, letter.diedAt);
  }

  get count(): number {
    return this.#letters.size;
  }

  has(id: string): boolean {
    return this.#times.has(id);
  }

  /** Removes the dead letter with this id. @returns false when there is none */
  remove(id: string, now: number): boolean {
    const diedAt = this.#damaged.read(this.#times, id, now);
    if (diedAt === undefined) return false;
    this.#letters.remove([diedAt, id]);
    this.#times.remove(id);
    return true;
  }

  /** Those that can be read, oldest first, and whether there are others. Only looks. */
  list(): { readonly letters: readonly DeadLetter[]; readonly someDamaged: boolean } {
    const keys = this.#letters.keys();
    const letters = keys.flatMap((key) => this.#letters.peek(key) ?? []);
    return { letters, someDamaged: letters.length < keys.length };
  }

  /** Takes those that cannot be read out of the way of the others. @returns when they died, and their ids */
  setAsideDamaged(now: number): readonly TimedKey[] {
    const keys = this.#damaged.keys(this.#letters, {}, now);
    return keys.filter((key) => this.#damaged.read(this.#letters, key, now) === undefined);
  }

  /** Removes those that died before a time, oldest first. @returns their ids; `limit` of them when there may be more */
  removeBefore(time: number, limit: number, now: number): readonly string[] {
    return this.#damaged.keys(this.#letters, { end: [time], limit }, now).map((key) => {
      const [diedAt, id] = key;
      this.#letters.remove(key);
      if (this.#damaged.read(this.#times, id, now) === diedAt) this.#times.remove(id);
      return id;
    });
  }
}

function parseLetter(stored: unknown): DeadLetter {
  const fields = fieldsOf(stored, 'dead letter');
  return {
    message: parseIdentity(fields.get('message')),
    reason: text(fields, 'reason'),
    attempts: wholeNumber(fields, 'attempts'),
    diedAt: wholeNumber(fields, 'diedAt'),
  };
}

function parseTime(stored: unknown): number {
  if (typeof stored !== 'number') throw new TypeError('The time is no number.');
  return stored;
}

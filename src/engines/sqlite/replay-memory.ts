import type { ReplayMemory } from '../../job-record/callback-signature.js';
import type { SqliteDatabase } from './database.js';

/** Memory on disk, so that it survives a restart. */
export class SqliteReplayMemory implements ReplayMemory {
  readonly #database: SqliteDatabase;
  readonly #clock: () => number;
  readonly #add;
  readonly #removeExpired;

  /** @param clock milliseconds since 1970 */
  constructor(database: SqliteDatabase, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
    this.#add = database.query('INSERT OR IGNORE INTO callback_ids (id, expires_at) VALUES (?, ?)');
    this.#removeExpired = database.query(
      'DELETE FROM callback_ids WHERE id IN (SELECT id FROM callback_ids WHERE expires_at <= ? LIMIT ?)',
    );
  }

  remember(id: string, forMs: number): Promise<boolean> {
    return this.#database.transact<boolean>(() => this.#add.run(id, this.#clock() + forMs) > 0);
  }

  /** Removes expired ids; within a transaction. @returns their number; `limit` if there may be more */
  removeExpired(now: number, limit: number): number {
    return this.#removeExpired.run(now, limit);
  }
}

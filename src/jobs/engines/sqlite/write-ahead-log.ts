import { closeSync, fdatasync, fstatSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type Database from 'libsql';
import { hasCode } from '../../../base/errors.js';
import { MAX_AHEAD_MS } from '../../record/job-store.js';
import { LOG_BYTES } from './database-file.js';
import BackgroundDatabase from 'libsql/promise';
import type { BackgroundConnection } from './file-watch.js';
import { Query } from './query.js';

/** Settings of the connection that restarts the log: without the limit, a log that a reader held never shrinks. */
const SETTINGS = `PRAGMA wal_autocheckpoint=0; PRAGMA journal_size_limit=${LOG_BYTES}`;

/** Number of commits after which the log is copied into the database. */
const COMMITS_BETWEEN_CHECKPOINTS = 200;

export type Flush = (file: number) => Promise<void>;

/**
 * Log of a SQLite file: its flushes to the disk, in a thread of libuv, and its copies into the database, in a thread of
 * SQLite.
 */
export class WriteAheadLog {
  /** True while commits wait for the log to be copied. */
  isCheckpointing = false;
  #flushing: Promise<void> | undefined;
  #noteTimer: NodeJS.Timeout | undefined;
  #commits = 0;
  /** True after a failed flush: the log may have lost data that the database still needs. */
  #mustCheckpoint = false;
  readonly #connection: Database.Database;
  readonly #background: BackgroundConnection;
  /**
   * File descriptor of the log. The database itself must never be opened in this way: closing it would end the locks of
   * SQLite.
   */
  readonly #log: number;
  readonly #flush: Flush;
  readonly #failed: (error: unknown) => Error;

  /**
   * @param busyMs maximum wait for another process, in milliseconds
   * @param failed reports a fault, and returns the error to throw
   */
  constructor(
    file: string,
    connection: Database.Database,
    busyMs: number,
    failed: (error: unknown) => Error,
    flush?: Flush,
  ) {
    this.#connection = connection;
    this.#failed = failed;
    this.#background = new BackgroundDatabase(file, { timeout: busyMs });
    this.#log = openSync(`${file}-wal`, 'r+');
    this.#flush = flush ?? promisify(fdatasync);
  }

  committed(): void {
    this.#commits += 1;
  }

  /** Makes the next commit copy the log, which cannot grow any more. */
  restartSoon(): void {
    this.#commits = COMMITS_BETWEEN_CHECKPOINTS;
  }

  flush(): Promise<void> {
    clearTimeout(this.#noteTimer);
    this.#noteTimer = undefined;
    const flushing = this.#flush(this.#log)
      .catch((error: unknown) => {
        this.#mustCheckpoint = true;
        throw this.#failed(error);
      })
      .finally(() => {
        if (this.#flushing === flushing) this.#flushing = undefined;
      });
    this.#flushing = flushing;
    return flushing;
  }

  /** Flushes within {@link MAX_AHEAD_MS}. A failure is reported, and the next write throws it. */
  flushSoon(): void {
    this.#noteTimer ??= setTimeout(() => {
      this.#noteTimer = undefined;
      if (this.#flushing === undefined) this.flush().catch(() => undefined);
    }, MAX_AHEAD_MS / 2).unref();
  }

  /** Resolves when a flush that has begun is over. Until then a power failure could undo what was read. */
  async settled(): Promise<void> {
    await this.#flushing?.catch(() => undefined);
  }

  /**
   * Copies the log into the database if it is due, and restarts the log unless another process still reads it. A
   * failure is thrown only if later commits could not be trusted.
   *
   * The write lock is held while pages are copied. In SQLite 3.7.0 to 3.51.2, a process that commits during a copy may
   * restart the log unseen, and pages of the new log are then lost (sqlite.org/wal.html, "The WAL-Reset Bug").
   */
  async checkpointIfDue(): Promise<void> {
    if (!this.#isDue()) return;
    this.isCheckpointing = true;
    this.#commits = 0;
    try {
      await this.#copy();
      const [pages, copied] = await this.#progress();
      if (this.#mustCheckpoint && pages !== copied) {
        throw new Error('the disk has failed, and another process still reads');
      }
      this.#mustCheckpoint = false;
      // The first write to a new log waits for the disk.
      if (pages === copied) await this.#background.exec('UPDATE probe SET written_at = written_at + 1');
    } catch (error) {
      this.restartSoon();
      // The copy is made when the other process has committed.
      if (!this.#mustCheckpoint && hasCode(error, 'SQLITE_BUSY')) return;
      const failure = this.#failed(error);
      // Without this, the log itself may still be writable.
      if (this.#mustCheckpoint) throw failure;
    } finally {
      this.isCheckpointing = false;
    }
  }

  async #copy(): Promise<void> {
    this.#connection.exec('BEGIN IMMEDIATE');
    try {
      await this.#background.exec(`${SETTINGS}; PRAGMA wal_checkpoint(PASSIVE)`);
    } finally {
      this.#connection.exec('ROLLBACK');
    }
  }

  /** Returns the number of pages in the log, and of those that are copied. It copies only what was added meanwhile. */
  async #progress(): Promise<readonly [pages: unknown, copied: unknown]> {
    await this.#background.exec('BEGIN IMMEDIATE');
    try {
      const [, pages, copied] = new Query(this.#connection, 'PRAGMA wal_checkpoint(PASSIVE)').first() ?? [];
      return [pages, copied];
    } finally {
      await this.#background.exec('ROLLBACK');
    }
  }

  /** Flushes what a power failure could undo, and closes the files. */
  async close(): Promise<void> {
    if (this.#noteTimer !== undefined) await this.flush().catch(() => undefined);
    this.#background.close();
    closeSync(this.#log);
  }

  #isDue(): boolean {
    if (this.#mustCheckpoint || this.#commits >= COMMITS_BETWEEN_CHECKPOINTS) return true;
    return this.#commits >= COMMITS_BETWEEN_CHECKPOINTS / 10 && fstatSync(this.#log).size > LOG_BYTES;
  }
}

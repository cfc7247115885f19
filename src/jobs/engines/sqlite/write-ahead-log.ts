import { closeSync, fdatasync, fstatSync, openSync } from 'node:fs';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import type Database from 'libsql';
import BackgroundDatabase from 'libsql/promise';
import { MAX_AHEAD_MS } from '../../record/job-store.js';
import { LOG_BYTES } from './database-file.js';

/** Settings of the connection that restarts the log: without the limit, a log that a reader held never shrinks. */
const SETTINGS = `PRAGMA wal_autocheckpoint=0; PRAGMA journal_size_limit=${LOG_BYTES}`;

/** Number of commits after which the log is copied into the database. */
const COMMITS_BETWEEN_COPIES = 200;

/** Maximum wait of a copy for another process, in milliseconds, so that waiting commits learn of it. */
const BUSY_MS = 500;

/** Flushes a file descriptor to the disk. */
export type Flush = (file: number) => Promise<void>;

/**
 * Log of a SQLite file: its flushes to the disk, in a thread of libuv, and its copies into the database, in a thread of
 * SQLite.
 */
export class WriteAheadLog {
  /** Resolves when the log has been copied; undefined while it is not copied. It never rejects. */
  copying: Promise<void> | undefined;
  #commits = 0;
  /** Flush that runs, or has failed. */
  #current: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The database itself must never be opened in this way: closing it would end the locks of SQLite. */
  readonly #descriptor: number;
  readonly #background: { exec(sql: string): Promise<unknown>; close(): void };
  readonly #flush: Flush;

  readonly #failed: (error: unknown) => Error;

  /**
   * @param failed told of a flush that failed, which is the last one; returns the error for all that wait from then on
   * @param flush `fdatasync` by default
   */
  constructor(file: string, failed: (error: unknown) => Error, flush: Flush = promisify(fdatasync)) {
    this.#failed = failed;
    this.#descriptor = openSync(`${file}-wal`, 'r+');
    this.#background = new BackgroundDatabase(file, { timeout: BUSY_MS });
    this.#flush = flush;
  }

  /** Flush of all that was written and may still be lost; undefined if nothing may. */
  get flushing(): Promise<void> | undefined {
    return this.#next ?? this.#current;
  }

  /** Flushes what is in the log now. All that ask before it starts share it. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#next ??= this.#flushNext();
    // Those that wait learn of a failure.
    this.#next.catch(() => undefined);
  }

  /** Flushes within {@link MAX_AHEAD_MS}. */
  flushSoon(): void {
    this.#timer ??= setTimeout(() => this.flush(), MAX_AHEAD_MS / 2).unref();
  }

  /** Notes a commit, or that the log cannot grow any more. */
  written(commits = COMMITS_BETWEEN_COPIES): void {
    this.#commits += commits;
  }

  /**
   * Copies the log into the database if it is due, and restarts it unless another process still reads it.
   *
   * The write lock is held while pages are copied. In SQLite 3.7.0 to 3.51.2, a process that commits during a copy may
   * restart the log unseen, and pages of the new log are then lost (sqlite.org/wal.html, "The WAL-Reset Bug").
   *
   * @param writer connection that takes the lock
   * @param failed told of a failure; until the next attempt, the log itself may still be writable
   */
  copyIfDue(writer: Database.Database, failed: (error: unknown) => void): void {
    if (this.copying !== undefined || !this.#isCopyDue()) return;
    this.#commits = 0;
    this.copying = this.#copy(writer)
      .catch((error: unknown) => {
        this.written();
        failed(error);
      })
      .finally(() => {
        this.copying = undefined;
      });
  }

  /** Flushes what was put off, and closes the files. */
  async close(): Promise<void> {
    if (this.#timer !== undefined) this.flush();
    await this.flushing?.catch(() => undefined);
    await this.copying;
    this.#background.close();
    closeSync(this.#descriptor);
  }

  async #flushNext(): Promise<void> {
    // Commits of this turn of the event loop share the flush. After a failed one no other is made: the system tells of
    // a loss only once.
    await Promise.all([this.#current, endOfTurn()]);
    const current = this.#next;
    [this.#current, this.#next] = [current, undefined];
    await this.#flush(this.#descriptor).catch((error: unknown) => Promise.reject(this.#failed(error)));
    if (this.#current === current) this.#current = undefined;
  }

  #isCopyDue(): boolean {
    if (this.#commits >= COMMITS_BETWEEN_COPIES) return true;
    return this.#commits >= COMMITS_BETWEEN_COPIES / 10 && fstatSync(this.#descriptor).size > LOG_BYTES;
  }

  async #copy(writer: Database.Database): Promise<void> {
    writer.exec('BEGIN IMMEDIATE');
    try {
      await this.#background.exec(`${SETTINGS}; PRAGMA wal_checkpoint(PASSIVE)`);
    } finally {
      writer.exec('ROLLBACK');
    }
    // The first write to a new log waits for the disk.
    await this.#background.exec('UPDATE probe SET written_at = written_at + 1');
  }
}

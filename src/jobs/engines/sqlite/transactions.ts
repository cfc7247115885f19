import { closeSync, fdatasync, fstatSync, openSync } from 'node:fs';
import { setImmediate as endOfTurn, setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type Database from 'libsql';
import BackgroundDatabase from 'libsql/promise';
import { hasCode } from '../../../base/errors.js';
import { LATE, withinTime } from '../../../base/waits.js';
import { MAX_AHEAD_MS } from '../../record/job-store.js';
import { isPassing, type FileFaults } from './file-faults.js';
import { LOG_BYTES } from './database-file.js';

/**
 * Synchronous work on the tables, with the time in milliseconds since 1970. It must not return a promise, because the
 * transaction ends before that would settle.
 */
export type Action<T> = (now: number) => T extends PromiseLike<unknown> ? never : T;

/** Action that waits for the end of the turn, a copy of the log, or another process. */
interface WaitingAction {
  /** Does its work. @returns settles it once that is committed */
  readonly run: () => () => void;
  readonly fail: (error: unknown) => void;
  /** Monotonic time until which it may begin, in milliseconds. */
  readonly until: number;
}

/** Maximum wait for another process that holds the write lock, and for a flush, in milliseconds. */
const COMMIT_MS = 5_000;
const LATE_TEXT = `nothing was written within ${COMMIT_MS} ms`;
const MAX_WAITING = 10_000;
/** Least time by which a clock is put forward, in milliseconds. */
const LEAP_MS = 1_000;
/** Pause for a transaction of another process, in milliseconds. */
const BUSY_MS = 2;
/** Time for which waiting actions run before the event loop has its turn, in milliseconds. */
const TURN_MS = 10;

/** Copies the log and restarts it. Without the limit, a log that a reader held would never shrink. */
const COPY = `PRAGMA wal_autocheckpoint=0; PRAGMA journal_size_limit=${LOG_BYTES}; PRAGMA wal_checkpoint(PASSIVE)`;
const COMMITS_BETWEEN_COPIES = 1_000;
/** Commits between looks at the size of the log. */
const LOOK_EVERY = 20;
/** Maximum wait of a copy for another process, in milliseconds, so that waiting commits learn of it. */
const COPY_BUSY_MS = 500;

export interface TransactionsOptions {
  /** Milliseconds since 1970; the system's clock by default. */
  readonly clock?: () => number;
  /** Flushes a file descriptor to the disk; `fdatasync` by default. */
  readonly flush?: (file: number) => Promise<void>;
}

/**
 * Transactions of a SQLite file: their commits, the flushes of its log to the disk in a thread of libuv, and the copies
 * of the log into the database in a thread of SQLite.
 */
export abstract class Transactions {
  protected readonly connection: Database.Database;
  protected readonly faults: FileFaults;
  protected readonly clock: () => number;
  /** Told, within a transaction, that the clock was put forward by some milliseconds while this process ran. */
  onLeap: ((leapMs: number, now: number) => void) | undefined;
  /** Time of the clock less the monotonic one, at the last commit. */
  #offset: number;
  /** At most `MAX_WAITING`. Those of one turn of the event loop share a commit, which writes each page once. */
  readonly #waiting: WaitingAction[] = [];
  #committing: Promise<void> | undefined;
  #isCommitting = false;
  /** True if the running actions are flushed with their commit. */
  #flushes = false;
  /** Flush that runs, or has failed. */
  #flushing: Promise<void> | undefined;
  #nextFlush: Promise<void> | undefined;
  #flushTimer: NodeJS.Timeout | undefined;
  readonly #flushFile: (file: number) => Promise<void>;
  /** The database itself must never be opened in this way: closing it would end the locks of SQLite. */
  readonly #log: number;
  /** Commits since the last copy, and the copy that runs. */
  #commits = 0;
  #copying: Promise<void> | undefined;
  readonly #copier: { exec(sql: string): Promise<unknown>; close(): void };

  constructor(
    file: string,
    connection: Database.Database,
    faults: FileFaults,
    { clock = Date.now, flush = promisify(fdatasync) }: TransactionsOptions,
  ) {
    this.connection = connection;
    this.faults = faults;
    this.clock = clock;
    this.#offset = clock() - performance.now();
    this.#flushFile = flush;
    this.#log = openSync(`${file}-wal`, 'r+');
    this.#copier = new BackgroundDatabase(file, { timeout: COPY_BUSY_MS });
  }

  /**
   * Runs an action, whose writes are rolled back if it throws.
   *
   * @returns its result, once it is on the disk
   * @throws {ServiceUnavailableError} when it cannot be written, or was possibly written too late
   */
  async transact<T>(action: Action<T>): Promise<T> {
    try {
      return await this.#commit(action, true);
    } finally {
      // An action that throws may tell of what it has read.
      await this.flushed();
    }
  }

  /** Works like {@link transact}, but a power failure within `MAX_AHEAD_MS` may undo the writes. */
  writeDeferred<T>(action: Action<T>): Promise<T> {
    return this.#commit(action, false);
  }

  /** Works like {@link writeDeferred}, at once unless others wait, for a job that writes after each item. */
  writeNow<T>(action: Action<T>): Promise<T> {
    return this.#commit(action, false, false);
  }

  /** Lets the deferred transaction of an action be flushed at once, so that readers wait for it. */
  flushWithCommit(): void {
    this.#flushes = true;
  }

  /** Gives unused pages back, within an action. The file gets shorter when the log is copied: after ten such steps. */
  giveBack(pages: number): void {
    this.connection.exec(`PRAGMA incremental_vacuum(${pages})`);
    this.#commits += COMMITS_BETWEEN_COPIES / 10;
  }

  /** Flushes what is in the log now. All that ask before it starts share it. */
  protected flush(): void {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
    this.#nextFlush ??= this.#flushNext();
    // Those that wait learn of a failure.
    this.#nextFlush.catch(() => undefined);
  }

  /** Waits until what was written, or read, is on the disk. */
  protected async flushed(): Promise<void> {
    const flushing = this.#nextFlush ?? this.#flushing;
    if (flushing && (await withinTime(flushing, COMMIT_MS)) === LATE) throw this.faults.failed(new Error(LATE_TEXT));
  }

  /** Commits what waits, flushes it, and closes the log. @returns false if the file cannot be used any more */
  protected async closeLog(): Promise<boolean> {
    await this.#committing;
    const isSound = this.faults.close();
    if (this.#flushTimer !== undefined) this.flush();
    await (this.#nextFlush ?? this.#flushing)?.catch(() => undefined);
    await this.#copying;
    this.#copier.close();
    closeSync(this.#log);
    return isSound;
  }

  /** Commits when those before have, within `COMMIT_MS`. @param flushes false if the flush may wait */
  #commit<T>(action: Action<T>, flushes: boolean, waitsForTurn = true): Promise<T> {
    if (this.#waiting.length >= MAX_WAITING) {
      return Promise.reject(this.faults.failed(new Error('too much waits to be written')));
    }
    return new Promise<T>((resolve, fail) => {
      const run = (): (() => void) => {
        const value = action(this.clock());
        this.#flushes ||= flushes;
        return () => resolve(value);
      };
      this.#waiting.push({ run, fail, until: performance.now() + COMMIT_MS });
      if (!this.#isCommitting) this.#committing = this.#commitWaiting(waitsForTurn);
    });
  }

  /** @param waitsForTurn true if actions of this turn of the event loop share the first commit */
  async #commitWaiting(waitsForTurn: boolean): Promise<void> {
    this.#isCommitting = true;
    let reason: Error | undefined;
    let waits = waitsForTurn;
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      if (waits) await endOfTurn();
      waits = true;
      if (this.#copying) await withinTime(this.#copying, Math.max(0, first.until - performance.now()));
      if (performance.now() >= first.until) {
        this.#waiting.shift()?.fail(this.faults.failed(reason ?? new Error(LATE_TEXT)));
        continue;
      }
      try {
        this.#commitTogether();
      } catch (error) {
        if (!hasCode(error, 'SQLITE_BUSY')) this.#failAll(this.#waiting.splice(0), error);
        reason = new Error('the write lock is held', { cause: error });
        await delay(BUSY_MS);
      }
    }
    this.#isCommitting = false;
  }

  /** @throws {Error} if nothing was begun */
  #commitTogether(): void {
    this.faults.requireInPlace();
    // These are not prepared statements, which would stay active if another process had blocked them.
    this.connection.exec('BEGIN IMMEDIATE');
    const begun: WaitingAction[] = [];
    try {
      const now = this.clock();
      const offset = now - performance.now();
      const leapMs = Math.round(offset - this.#offset);
      if (leapMs > LEAP_MS) this.onLeap?.(leapMs, now);
      const ends: (() => void)[] = [];
      const turnEndsAt = performance.now() + TURN_MS;
      const isAlone = this.#waiting.length === 1;
      for (let next = this.#waiting.shift(); next !== undefined;) {
        begun.push(next);
        ends.push(isAlone ? next.run() : this.#runBeside(next));
        next = performance.now() < turnEndsAt ? this.#waiting.shift() : undefined;
      }
      this.connection.exec('COMMIT');
      this.#offset = offset;
      this.#commits += 1;
      if (this.#flushes) this.flush();
      else this.#flushTimer ??= setTimeout(() => this.flush(), MAX_AHEAD_MS / 2).unref();
      for (const end of ends) end();
    } catch (error) {
      if (this.connection.inTransaction) this.connection.exec('ROLLBACK');
      this.#failAll(begun, error);
    } finally {
      this.#flushes = false;
      this.#copyIfDue();
    }
  }

  /** Runs an action beside others. @returns settles it @throws {Error} if SQLite has undone the others too */
  #runBeside(waiting: WaitingAction): () => void {
    const { connection } = this;
    connection.exec('SAVEPOINT one');
    try {
      return waiting.run();
    } catch (error) {
      if (!connection.inTransaction) throw error;
      connection.exec('ROLLBACK TO one');
      return () => this.#failAll([waiting], error);
    } finally {
      if (connection.inTransaction) connection.exec('RELEASE one');
    }
  }

  #failAll(actions: readonly WaitingAction[], error: unknown): void {
    // A log that cannot grow any more is restarted.
    if (isPassing(error)) this.#commits += COMMITS_BETWEEN_COPIES;
    for (const { fail } of actions) fail(this.faults.explained(error));
  }

  async #flushNext(): Promise<void> {
    // After a failed flush no other is made: the system tells of a loss only once.
    await this.#flushing;
    const current = this.#nextFlush;
    [this.#flushing, this.#nextFlush] = [current, undefined];
    await this.#flushFile(this.#log).catch((error: unknown) => Promise.reject(this.faults.lost(error)));
    if (this.#flushing === current) this.#flushing = undefined;
  }

  /**
   * Copies the log into the database if it is due, and restarts it unless another process still reads it.
   *
   * The write lock is held while pages are copied. In SQLite 3.7.0 to 3.51.2, a process that commits during a copy may
   * restart the log unseen, and pages of the new log are then lost (sqlite.org/wal.html, "The WAL-Reset Bug").
   */
  #copyIfDue(): void {
    const isLong = () => this.#commits % LOOK_EVERY === LOOK_EVERY - 1 && fstatSync(this.#log).size > LOG_BYTES;
    if (this.#copying !== undefined || (this.#commits < COMMITS_BETWEEN_COPIES && !isLong())) return;
    this.#commits = 0;
    this.#copying = this.#copy()
      .catch((error: unknown) => {
        this.#commits += COMMITS_BETWEEN_COPIES;
        // Until the next attempt, the log itself may still be writable.
        if (!hasCode(error, 'SQLITE_BUSY')) this.faults.failed(error);
      })
      .finally(() => {
        this.#copying = undefined;
      });
  }

  async #copy(): Promise<void> {
    this.connection.exec('BEGIN IMMEDIATE');
    try {
      await this.#copier.exec(COPY);
    } finally {
      this.connection.exec('ROLLBACK');
    }
    // The first write to a new log waits for the disk.
    await this.#copier.exec('UPDATE probe SET written_at = written_at + 1');
  }
}

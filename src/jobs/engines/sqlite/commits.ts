import { setImmediate as endOfTurn, setTimeout as delay } from 'node:timers/promises';
import type Database from 'libsql';
import { hasCode } from '../../../base/errors.js';
import { withinTime } from '../../../base/waits.js';
import { isPassing } from './database-file.js';
import type { WriteAheadLog } from './write-ahead-log.js';

/**
 * Synchronous work on the tables, with the time in milliseconds since 1970. It must not return a promise, because the
 * transaction ends when it returns.
 */
export type Action<T> = (now: number) => T extends PromiseLike<unknown> ? never : T;

/** Transaction that waits for the end of the turn, a copy of the log, or another process. */
interface WaitingTransaction {
  /** Does its work. @returns settles it once that is committed */
  readonly run: (now: number) => () => void;
  readonly fail: (error: unknown) => void;
  readonly isDeferred: boolean;
  /** Monotonic time until which it may begin, in milliseconds. */
  readonly until: number;
}

export interface CommitsOptions {
  readonly connection: Database.Database;
  readonly log: WriteAheadLog;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Called before a transaction. @throws {Error} when the file cannot be written any more */
  readonly requireUsable: () => void;
  /** Called within a transaction when the clock was put forward. */
  readonly onLeap: (leapMs: number, now: number) => void;
  /** Logs a fault. @returns the error to throw */
  readonly failed: (error: unknown) => Error;
  /** Explains an error of SQLite; that of an action stays as it is. */
  readonly explained: (error: unknown) => unknown;
}

/** Maximum wait for another process that holds the write lock, and for a flush, in milliseconds. */
export const COMMIT_MS = 5_000;
export const LATE_TEXT = `nothing was written within ${COMMIT_MS} ms`;
const MAX_WAITING = 10_000;
/** Least time by which a clock is put forward, in milliseconds. */
const LEAP_MS = 1_000;
/** Pause for a transaction of another process, in milliseconds. */
const BUSY_MS = 2;
/** Time for which waiting transactions run before the event loop has its turn, in milliseconds. */
const TURN_MS = 10;

/** Transactions of a file. Those of one turn of the event loop share a commit, which writes each page once. */
export class Commits {
  readonly #options: CommitsOptions;
  /** At most `MAX_WAITING`. */
  readonly #waiting: WaitingTransaction[] = [];
  #committing: Promise<void> | undefined;
  /** True if the running transactions are flushed with their commit. */
  #flushes = false;
  /** Time of the clock less the monotonic one, at the last commit. */
  #offset: number;

  constructor(options: CommitsOptions) {
    this.#options = options;
    this.#offset = options.clock() - performance.now();
  }

  /** Commits when those before have, within `COMMIT_MS`, and begins a flush. @param isDeferred lets the flush wait */
  commit<T>(action: Action<T>, isDeferred = false): Promise<T> {
    if (this.#waiting.length >= MAX_WAITING) {
      return Promise.reject(this.#options.failed(new Error('too much waits to be written')));
    }
    return new Promise<T>((resolve, fail) => {
      const run = (now: number): (() => void) => {
        const value = action(now);
        return () => resolve(value);
      };
      this.#waiting.push({ run, fail, isDeferred, until: performance.now() + COMMIT_MS });
      this.#committing ??= this.#commitWaiting();
    });
  }

  /** Lets the running transaction be flushed at once, although it is deferred, so that readers wait for it. */
  flushWithCommit(): void {
    this.#flushes = true;
  }

  /** Resolves when nothing waits. */
  async done(): Promise<void> {
    await this.#committing;
  }

  async #commitWaiting(): Promise<void> {
    const { log, failed, explained } = this.#options;
    let reason = new Error(LATE_TEXT);
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      await endOfTurn();
      if (log.copying) await withinTime(log.copying, Math.max(0, first.until - performance.now()));
      if (performance.now() >= first.until) {
        this.#waiting.shift()?.fail(failed(reason));
        continue;
      }
      try {
        this.#commitTogether();
      } catch (error) {
        if (!hasCode(error, 'SQLITE_BUSY')) for (const { fail } of this.#waiting.splice(0)) fail(explained(error));
        reason = new Error('the write lock is held', { cause: error });
        await delay(BUSY_MS);
      }
    }
    this.#committing = undefined;
  }

  /** @throws {Error} if nothing was begun */
  #commitTogether(): void {
    const { connection, log, clock, requireUsable, onLeap, failed, explained } = this.#options;
    requireUsable();
    // These are not prepared statements, which would stay active if another process had blocked them.
    connection.exec('BEGIN IMMEDIATE');
    const begun: WaitingTransaction[] = [];
    try {
      const now = clock();
      const offset = now - performance.now();
      const leapMs = Math.round(offset - this.#offset);
      if (leapMs > LEAP_MS) onLeap(leapMs, now);
      const ends: (() => void)[] = [];
      const turnEndsAt = performance.now() + TURN_MS;
      for (let next = this.#waiting.shift(); next !== undefined;) {
        begun.push(next);
        ends.push(this.#runOne(next));
        next = performance.now() < turnEndsAt ? this.#waiting.shift() : undefined;
      }
      connection.exec('COMMIT');
      this.#offset = offset;
      log.written(1);
      if (this.#flushes) log.flush();
      else log.flushSoon();
      for (const end of ends) end();
    } catch (error) {
      if (connection.inTransaction) connection.exec('ROLLBACK');
      // A log that cannot grow any more is restarted.
      if (isPassing(error)) log.written();
      for (const { fail } of begun) fail(explained(error));
    } finally {
      this.#flushes = false;
      log.copyIfDue(connection, (error) => {
        if (!hasCode(error, 'SQLITE_BUSY')) failed(error);
      });
    }
  }

  /** Runs a transaction beside others. @returns settles it @throws {Error} if SQLite has undone the others too */
  #runOne({ run, fail, isDeferred }: WaitingTransaction): () => void {
    const { connection, log, clock, explained } = this.#options;
    connection.exec('SAVEPOINT one');
    try {
      const end = run(clock());
      this.#flushes ||= !isDeferred;
      return end;
    } catch (error) {
      if (!connection.inTransaction) throw error;
      connection.exec('ROLLBACK TO one');
      if (isPassing(error)) log.written();
      return () => fail(explained(error));
    } finally {
      if (connection.inTransaction) connection.exec('RELEASE one');
    }
  }
}

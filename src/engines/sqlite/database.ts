import { fdatasync, closeSync, fstatSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type Database from 'libsql';
import BackgroundDatabase from 'libsql/promise';
import { UnusableDataError } from '../../config/config.js';
import { codesOf, describeError, hasCode, ServiceUnavailableError } from '../../errors.js';
import { MAX_AHEAD_MS } from '../../job-record/job-store.js';
import { FaultLog } from '../../logging/fault-log.js';
import type { Logger } from '../../logging/logger.js';
import { writeProbeFile } from '../../objects/store-probe.js';
import { damaged, identityOf, isDamage, LOG_BYTES, openFile, type FilePlace } from './database-file.js';
import { Query } from './query.js';

/** A synchronous piece of work on the tables; must not return a promise, or the transaction would end before it. */
type Action<T> = () => T extends PromiseLike<unknown> ? never : T;

/** Its name in errors and in the log. */
const DEPENDENCY = 'job store';

/** Longest wait for a commit, in milliseconds. */
const COMMIT_MS = 5_000;
/** Commits that may wait at the same time. */
const MAX_WAITING = 10_000;
/** Wait, in milliseconds, for a transaction of another process. */
const BUSY_MS = 2;
/** How long the start waits for the check of the whole file, in milliseconds. */
const CHECK_MS = 2_000;
/** How often the file is looked at, in milliseconds. */
const WATCH_MS = 5_000;
/** Commits after which the write-ahead log is copied into the database. */
const COMMITS_BETWEEN_CHECKPOINTS = 200;

/** Fails where `quick_check` finds something, because nothing else is heard of a statement in the background. */
const CHECK = `CREATE TEMP TABLE verdict (text CHECK (text = 'ok'));
  INSERT INTO verdict SELECT quick_check FROM pragma_quick_check(1)`;

/** Where the file lies, and who watches it. */
export interface SqliteDatabaseOptions extends FilePlace {
  /** Told when the file cannot be written or read. */
  readonly logger: Logger;
  /** Writes what a file holds down to the disk; `fdatasync` by default. */
  readonly flush?: (file: number) => Promise<void>;
}

/** A connection whose statements run in a thread of SQLite's own; their rows would be read in this one. */
interface BackgroundConnection {
  exec(sql: string): Promise<unknown>;
  interrupt(): void;
  close(): void;
}

interface Commit {
  /** Runs the transaction. @throws {Error} of SQLite, when it has to wait for another process */
  readonly run: () => void;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * One SQLite file with a write-ahead log, which several processes may use at the same time.
 *
 * A transaction writes to the log without waiting for the disk, and whoever asked for it hears of it when the log was
 * flushed, in a thread of libuv: that is what `synchronous=FULL` promises, and the event loop does not wait. All that
 * comes while one flush is under way shares the next one. The log is copied into the database in a thread as well,
 * while commits wait.
 *
 * The file must not lie on a network file system, whose locks and memory maps do not work across machines.
 */
export class SqliteDatabase {
  #waiting: Commit[] = [];
  #working: Promise<void> | undefined;
  /** Whether commits have to wait for the log to be copied. */
  #checkpointing = false;
  #flushing: Promise<void> | undefined;
  #noteTimer: NodeJS.Timeout | undefined;
  #commits = 0;
  /** A flush failed, so that the log may have lost what the database still has to get. */
  #mustCheckpoint = false;
  /** Why the file cannot be used until the next start: it is damaged, or gone. */
  #broken: { readonly fault: string; readonly entirely: boolean } | undefined;
  #isOpen = false;
  #closed = false;

  readonly #file: string;
  readonly #directory: string;
  readonly #connection: Database.Database;
  readonly #background: BackgroundConnection;
  readonly #checker: BackgroundConnection;
  readonly #checked: Promise<void>;
  #checking = true;
  /** The log, to be flushed. The database itself must not be opened: to close it would end the locks of SQLite. */
  readonly #log: number;
  readonly #flush: (file: number) => Promise<void>;
  readonly #identity: string;
  readonly #watch: NodeJS.Timeout;
  readonly #probe: Query;
  readonly #writeProbe: Query;
  readonly #faults: FaultLog;

  private constructor(file: string, connection: Database.Database, options: SqliteDatabaseOptions) {
    this.#file = file;
    this.#directory = options.directory;
    this.#connection = connection;
    this.#flush = options.flush ?? promisify(fdatasync);
    this.#faults = new FaultLog(options.logger, DEPENDENCY);
    this.#background = new BackgroundDatabase(file, { timeout: COMMIT_MS });
    this.#checker = new BackgroundDatabase(file, { timeout: COMMIT_MS });
    this.#log = openSync(`${file}-wal`, 'r+');
    this.#identity = identityOf(file);
    this.#probe = this.query('SELECT written_at FROM probe');
    this.#writeProbe = this.query('UPDATE probe SET written_at = ?');
    this.#checked = this.#check();
    this.#watch = setInterval(() => this.#isInPlace(), WATCH_MS).unref();
  }

  /**
   * Opens or creates the file in a directory, which is created when missing.
   *
   * @throws {UnusableDataError} when the file is damaged, or is not one of this version
   * @throws {Error} naming the directory, when it cannot be used
   */
  static async open(options: SqliteDatabaseOptions): Promise<SqliteDatabase> {
    const database = await openFile(options, (file, connection) => new SqliteDatabase(file, connection, options));
    await Promise.race([database.#checked, delay(CHECK_MS, undefined, { ref: false })]);
    if (database.#broken === undefined) {
      database.#isOpen = true;
      return database;
    }
    await database.close();
    throw new UnusableDataError(database.#broken.fault);
  }

  /** A statement, which is prepared once. */
  query(sql: string): Query {
    return new Query(this.#connection, sql);
  }

  /**
   * Runs an action in a transaction of its own.
   *
   * @returns what the action returned, once it is on the disk; when the action throws, nothing of it is written
   * @throws {ServiceUnavailableError} when it cannot be written, or, what nobody can tell then, was written too late
   */
  transact<T>(action: Action<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= MAX_WAITING) {
        reject(this.#failed(new Error('too much waits to be written')));
        return;
      }
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        reject(this.#failed(new Error(`nothing was written within ${COMMIT_MS} ms`)));
      }, COMMIT_MS);
      const fail = (error: unknown): void => {
        clearTimeout(timer);
        reject(this.#explain(error));
      };
      let settle: () => void = () => undefined;
      this.#waiting.push({
        run: () => {
          if (isLate) return;
          try {
            const value = this.#inTransaction(action);
            settle = () => {
              clearTimeout(timer);
              resolve(value);
            };
          } catch (error) {
            if (hasCode(error, 'SQLITE_BUSY')) throw error;
            settle = () => fail(error);
          }
        },
        settle: () => settle(),
        fail,
      });
      this.#work();
    });
  }

  /**
   * Runs an action in a transaction of its own that may be forgotten when the power fails within
   * {@link MAX_AHEAD_MS}; what was written outlives the process.
   *
   * @throws {ServiceUnavailableError} when it cannot be written
   */
  async note<T>(action: Action<T>): Promise<T> {
    if (this.#checkpointing || this.#waiting.length > 0) return this.transact(action);
    try {
      this.#requireUsable();
      const value = this.#inTransaction(action);
      this.#noteTimer ??= setTimeout(() => this.#flushNotes(), MAX_AHEAD_MS / 2).unref();
      return value;
    } catch (error) {
      if (hasCode(error, 'SQLITE_BUSY')) return this.transact(action);
      throw this.#explain(error);
    }
  }

  /**
   * Runs an action on the newest state, that of other processes included, without writing.
   *
   * @returns what it found, once that is on the disk
   * @throws {ServiceUnavailableError} when it cannot be read
   */
  read<T>(action: Action<T>): Promise<T> {
    return new Promise((resolve) => {
      const value = this.look(action);
      // A power failure could still undo what was read, so the reader waits for the flush.
      if (this.#flushing === undefined) resolve(value);
      else
        resolve(
          this.#flushing.then(
            () => value,
            () => value,
          ),
        );
    });
  }

  /** The same at once, for those who only want to know whether there is something to do. */
  look<T>(action: Action<T>): T {
    try {
      this.#requireUsable();
      return action();
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** Resolves when the file is there, undamaged as far as is known, and can be read. */
  ping(): Promise<void> {
    return new Promise((resolve) => {
      this.#isInPlace();
      this.#requireWhole();
      this.look(() => this.#probe.first());
      resolve();
    });
  }

  /**
   * Writes a small file beside the database, and commits something, which may find its room within the log.
   *
   * @throws {ServiceUnavailableError} when it cannot be written
   */
  async probeWrite(now: number): Promise<void> {
    await this.ping();
    await writeProbeFile(this.#directory).catch((error: unknown) => {
      throw this.#failed(error);
    });
    await this.transact(() => this.#writeProbe.run(now));
    this.#requireWhole();
    this.#faults.served('writing');
  }

  /** Whether it could not be written, and has not been since. */
  isInDoubt(): boolean {
    return this.#broken !== undefined || this.#faults.isInDoubt;
  }

  /** Commits what is waiting, and leaves one file unless another process uses it; afterwards everything is refused. */
  async close(): Promise<void> {
    if (this.#closed) return;
    clearInterval(this.#watch);
    // A connection that was closed must not be asked for anything.
    if (this.#checking) this.#checker.interrupt();
    await this.#checked;
    await this.#working;
    if (this.#noteTimer !== undefined) await this.#flushLog().catch(() => undefined);
    this.#closed = true;
    this.#background.close();
    if (this.#broken === undefined) {
      try {
        this.#connection.exec('PRAGMA journal_mode=DELETE');
      } catch {
        // Another process has it open, and does the same when it ends; or whoever opens it next goes on with the log.
      }
    }
    this.#connection.close();
    closeSync(this.#log);
  }

  #work(): void {
    this.#working ??= new Promise<void>((resolve) => setImmediate(() => void this.#commitWaiting().then(resolve)));
  }

  /** Commits until nothing waits. Never rejects: those who wait hear what went wrong. */
  async #commitWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group: Commit[] = [];
      try {
        this.#requireUsable();
        if (this.#isCheckpointDue()) await this.#checkpoint();
        this.#isInPlace();
        this.#requireUsable();
        const isAll = this.#commitInto(group);
        if (group.length > 0) await this.#flushLog();
        if (!isAll) await delay(BUSY_MS);
      } catch (error) {
        // Also those that come first: what is wrong now is wrong for them.
        for (const { fail } of group.length > 0 ? group : this.#waiting.splice(0)) fail(error);
        continue;
      }
      for (const { settle } of group) settle();
    }
    this.#working = undefined;
  }

  /** Moves commits that were run to a group. @returns false when one has to wait for another process */
  #commitInto(group: Commit[]): boolean {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      try {
        next.run();
      } catch {
        return false;
      }
      group.push(next);
      this.#waiting.shift();
    }
    return true;
  }

  #inTransaction<T>(action: Action<T>): T {
    const connection = this.#connection;
    // Not prepared: a statement that has met another process would stay under way.
    connection.exec('BEGIN IMMEDIATE');
    try {
      const value = action();
      connection.exec('COMMIT');
      this.#commits += 1;
      return value;
    } catch (error) {
      if (connection.inTransaction) connection.exec('ROLLBACK');
      throw error;
    }
  }

  #flushLog(): Promise<void> {
    clearTimeout(this.#noteTimer);
    this.#noteTimer = undefined;
    const flushing = this.#flush(this.#log).catch((error: unknown) => {
      this.#mustCheckpoint = true;
      throw this.#failed(error);
    });
    this.#flushing = flushing;
    const over = (): void => {
      if (this.#flushing === flushing) this.#flushing = undefined;
    };
    flushing.then(over, over);
    return flushing;
  }

  #flushNotes(): void {
    this.#noteTimer = undefined;
    // That it failed stands in the log, and whoever writes next hears of it.
    if (this.#flushing === undefined) this.#flushLog().catch(() => undefined);
  }

  #isCheckpointDue(): boolean {
    if (this.#mustCheckpoint || this.#commits >= COMMITS_BETWEEN_CHECKPOINTS) return true;
    return this.#commits >= COMMITS_BETWEEN_CHECKPOINTS / 10 && fstatSync(this.#log).size > LOG_BYTES;
  }

  /** Copies the log into the database, and begins it anew unless another process still reads it. */
  async #checkpoint(): Promise<void> {
    this.#checkpointing = true;
    this.#commits = 0;
    try {
      await this.#background.exec('PRAGMA wal_checkpoint(PASSIVE)');
      // Nothing is left to be copied, so this is told at once.
      const [, pages, copied] = this.query('PRAGMA wal_checkpoint(PASSIVE)').first() ?? [];
      if (this.#mustCheckpoint && pages !== copied) {
        throw this.#failed(new Error('the disk has failed, and another process still reads'));
      }
      this.#mustCheckpoint = false;
      // The first write to a new log waits for the disk.
      if (pages === copied) await this.#background.exec('UPDATE probe SET written_at = written_at + 1');
    } catch (error) {
      const failure = this.#explain(error);
      // The log itself may still take something.
      if (this.#mustCheckpoint) throw failure;
    } finally {
      this.#checkpointing = false;
    }
  }

  /** Looks at the whole file. Never rejects. */
  async #check(): Promise<void> {
    try {
      await this.#checker.exec(CHECK);
    } catch (error) {
      if (hasCode(error, 'SQLITE_CONSTRAINT_CHECK')) this.#isDamaged(this.#firstDamage());
      else if (isDamage(error)) this.#isDamaged(describeError(error));
      // An interrupted statement is over only when another one was run.
      else await this.#checker.exec('SELECT 1').catch(() => undefined);
    } finally {
      this.#checking = false;
      this.#checker.close();
    }
  }

  #firstDamage(): string {
    try {
      return String(this.query('PRAGMA quick_check(1)').first()?.[0]).replace(/^\*\*\* in database main \*\*\*\n/, '');
    } catch (error) {
      return describeError(error);
    }
  }

  #isDamaged(what: string): void {
    this.#break({ fault: damaged(this.#file, what), entirely: false });
  }

  /** Looks whether the file at its path is still the one that is open. */
  #isInPlace(): void {
    let found: string;
    try {
      found = identityOf(this.#file);
    } catch (error) {
      if (!hasCode(error, 'ENOENT', 'ENOTDIR')) return;
      found = '';
    }
    if (found === this.#identity) return;
    const what = found === '' ? 'was deleted' : 'is another file now';
    const advice = 'Nothing is accepted until the gateway is restarted. deploy/backup.md says what is lost.';
    this.#break({ fault: `${this.#file} ${what} while jobs were kept in it. ${advice}`, entirely: true });
  }

  #break(broken: { readonly fault: string; readonly entirely: boolean }): void {
    if (this.#broken?.entirely !== true) this.#broken = broken;
    // Until then whoever opens it is told.
    if (this.#isOpen) this.#faults.failed('writing', broken.fault);
  }

  #requireUsable(): void {
    if (this.#closed) throw unavailable(new Error('The job store is closed.'));
    if (this.#broken?.entirely === true) throw unavailable(new Error(this.#broken.fault));
  }

  #requireWhole(): void {
    if (this.#broken !== undefined) throw unavailable(new Error(this.#broken.fault));
  }

  #explain(error: unknown): Error {
    if (isDamage(error)) {
      const what = describeError(error);
      this.#isDamaged(what);
      return unavailable(new Error(damaged(this.#file, what), { cause: error }));
    }
    if (codesOf(error).some((code) => PASSING.test(code))) {
      // A log that may not grow any more is begun anew.
      this.#commits = COMMITS_BETWEEN_CHECKPOINTS;
      return this.#failed(error);
    }
    return error instanceof Error ? error : new Error('The job store failed.', { cause: error });
  }

  #failed(error: unknown): ServiceUnavailableError {
    if (error instanceof ServiceUnavailableError) return error;
    const advice = 'Make room on its disk, and let the gateway write there.';
    const fault = `Jobs cannot be kept in ${this.#directory} (${describeError(error)}). ${advice}`;
    this.#faults.failed('writing', fault);
    return unavailable(new Error(fault, { cause: error }));
  }
}

/** Codes of what may pass: limits, the disk, other processes. */
const PASSING = /^SQLITE_(BUSY|CANTOPEN|FULL|IOERR|LOCKED|NOLFS|NOMEM|PERM|READONLY|AUTH|PROTOCOL)/;

function unavailable(cause: Error): ServiceUnavailableError {
  return new ServiceUnavailableError(DEPENDENCY, { cause });
}

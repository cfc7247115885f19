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

/** Synchronous work on the tables; must not return a promise, or the transaction would end before it. */
type Action<T> = () => T extends PromiseLike<unknown> ? never : T;

/** Name in errors and in the log. */
const DEPENDENCY = 'job store';

/** Maximum wait for a commit, in milliseconds. */
const COMMIT_MS = 5_000;
/** Maximum number of waiting commits. */
const MAX_WAITING = 10_000;
/** Pause for a transaction of another process, in milliseconds. */
const BUSY_MS = 2;
/** Maximum time for which the start waits for the check of the whole file, in milliseconds. */
const CHECK_MS = 2_000;
/** Interval of checks that the file is in place, in milliseconds. */
const WATCH_MS = 5_000;
/** Number of commits after which the write-ahead log is copied into the database. */
const COMMITS_BETWEEN_CHECKPOINTS = 200;

/** Fails if `quick_check` finds a fault, because a background statement returns no rows. */
const CHECK = `CREATE TEMP TABLE verdict (text CHECK (text = 'ok'));
  INSERT INTO verdict SELECT quick_check FROM pragma_quick_check(1)`;

/** Location and dependencies. */
export interface SqliteDatabaseOptions extends FilePlace {
  /** Logs when the file cannot be written or read. */
  readonly logger: Logger;
  /** Flushes a file to the disk; `fdatasync` by default. */
  readonly flush?: (file: number) => Promise<void>;
}

/** Connection whose statements run in a separate thread of SQLite; their rows would be read in this one. */
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
 * SQLite file with a write-ahead log, which several processes may use at the same time.
 *
 * A transaction writes to the log without waiting for the disk, and its promise settles when the log was flushed, in a
 * thread of libuv: this gives the guarantee of `synchronous=FULL` without blocking the event loop. Transactions that
 * arrive during one flush share the next one. A thread also copies the log into the database, while commits wait.
 *
 * The file must not be on a network file system, whose locks and memory maps do not work across machines.
 */
export class SqliteDatabase {
  #waiting: Commit[] = [];
  #working: Promise<void> | undefined;
  /** True while commits wait for the log to be copied. */
  #checkpointing = false;
  #flushing: Promise<void> | undefined;
  #noteTimer: NodeJS.Timeout | undefined;
  #commits = 0;
  /** True after a failed flush: the log may have lost data that the database still needs. */
  #mustCheckpoint = false;
  /** Reason why the file cannot be used until the next start: it is damaged, or gone. */
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
  /**
   * Descriptor of the log, for flushes. Never open the database file itself: closing it would end the locks of SQLite.
   */
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
   * Opens or creates the file in a directory, which is created if missing.
   *
   * @throws {UnusableDataError} when the file is damaged, or not one of this version
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

  /** Creates a statement, which is prepared once. */
  query(sql: string): Query {
    return new Query(this.#connection, sql);
  }

  /**
   * Runs an action in a separate transaction.
   *
   * @returns the action's result, once it is on the disk; if the action throws, its writes are rolled back
   * @throws {ServiceUnavailableError} when it cannot be written, or was possibly written too late
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
   * Runs an action in a separate transaction that a power failure within {@link MAX_AHEAD_MS} may undo; its writes
   * outlive the process.
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
   * @returns its result, once that is on the disk
   * @throws {ServiceUnavailableError} when it cannot be read
   */
  read<T>(action: Action<T>): Promise<T> {
    return new Promise((resolve) => {
      const value = this.look(action);
      // A power failure could still undo the read data, so the reader waits for the flush.
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

  /** Reads at once, for callers that only check if there is work. */
  look<T>(action: Action<T>): T {
    try {
      this.#requireUsable();
      return action();
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** Resolves when the file is in place, readable, and without known damage. */
  ping(): Promise<void> {
    return new Promise((resolve) => {
      this.#isInPlace();
      this.#requireWhole();
      this.look(() => this.#probe.first());
      resolve();
    });
  }

  /**
   * Writes a small file beside the database, and commits a change, which may fit into the log's existing space.
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

  /** Returns true after a failed write, until the next success. */
  isInDoubt(): boolean {
    return this.#broken !== undefined || this.#faults.isInDoubt;
  }

  /**
   * Commits waiting transactions, and leaves one file unless another process uses it; afterwards all calls are refused.
   */
  async close(): Promise<void> {
    if (this.#closed) return;
    clearInterval(this.#watch);
    // A closed connection must not be used.
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
        // Another process has it open, and does the same at its end; or the next one that opens it continues with the
        // log.
      }
    }
    this.#connection.close();
    closeSync(this.#log);
  }

  #work(): void {
    this.#working ??= new Promise<void>((resolve) => setImmediate(() => void this.#commitWaiting().then(resolve)));
  }

  /** Commits until the list is empty. Never rejects: waiting callers get the errors. */
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
        // Also fails the first waiting ones: the current fault affects them too.
        for (const { fail } of group.length > 0 ? group : this.#waiting.splice(0)) fail(error);
        continue;
      }
      for (const { settle } of group) settle();
    }
    this.#working = undefined;
  }

  /** Moves finished commits to a group. @returns false if one has to wait for another process */
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
    // Not prepared: a statement that was blocked by another process would stay active.
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
    // The failure is logged, and the next write reports it.
    if (this.#flushing === undefined) this.#flushLog().catch(() => undefined);
  }

  #isCheckpointDue(): boolean {
    if (this.#mustCheckpoint || this.#commits >= COMMITS_BETWEEN_CHECKPOINTS) return true;
    return this.#commits >= COMMITS_BETWEEN_CHECKPOINTS / 10 && fstatSync(this.#log).size > LOG_BYTES;
  }

  /** Copies the log into the database, and restarts it unless another process still reads it. */
  async #checkpoint(): Promise<void> {
    this.#checkpointing = true;
    this.#commits = 0;
    try {
      await this.#background.exec('PRAGMA wal_checkpoint(PASSIVE)');
      // All pages are copied already, so this returns at once.
      const [, pages, copied] = this.query('PRAGMA wal_checkpoint(PASSIVE)').first() ?? [];
      if (this.#mustCheckpoint && pages !== copied) {
        throw this.#failed(new Error('the disk has failed, and another process still reads'));
      }
      this.#mustCheckpoint = false;
      // The first write to a new log waits for the disk.
      if (pages === copied) await this.#background.exec('UPDATE probe SET written_at = written_at + 1');
    } catch (error) {
      const failure = this.#explain(error);
      // The log itself may still be writable.
      if (this.#mustCheckpoint) throw failure;
    } finally {
      this.#checkpointing = false;
    }
  }

  /** Checks the whole file. Never rejects. */
  async #check(): Promise<void> {
    try {
      await this.#checker.exec(CHECK);
    } catch (error) {
      if (hasCode(error, 'SQLITE_CONSTRAINT_CHECK')) this.#isDamaged(this.#firstDamage());
      else if (isDamage(error)) this.#isDamaged(describeError(error));
      // An interrupted statement ends only when another one has run.
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

  /** Checks that the file at its path is still the open one. */
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
    // Before that, `open` reports it.
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
      // A log that cannot grow is restarted.
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

/** Codes of transient faults: limits, the disk, other processes. */
const PASSING = /^SQLITE_(BUSY|CANTOPEN|FULL|IOERR|LOCKED|NOLFS|NOMEM|PERM|READONLY|AUTH|PROTOCOL)/;

function unavailable(cause: Error): ServiceUnavailableError {
  return new ServiceUnavailableError(DEPENDENCY, { cause });
}

import { setTimeout as delay } from 'node:timers/promises';
import type Database from 'libsql';
import { UnusableDataError } from '../../../base/config/config.js';
import { codesOf, describeError, hasCode, ServiceUnavailableError } from '../../../base/errors.js';
import { FaultLog } from '../../../base/logging/fault-log.js';
import type { Logger } from '../../../base/logging/logger.js';
import { writeProbeFile, type StoreProbe } from '../../../objects/store-probe.js';
import { LATE, withinTime } from '../../../base/waits.js';
import { isDamage, LOCKED_ADVICE, openFile, type FilePlace } from './database-file.js';
import { FileWatch } from './file-watch.js';
import { Query } from './query.js';
import { WriteAheadLog, type Flush } from './write-ahead-log.js';

/**
 * Synchronous work on the tables, with the time in milliseconds since 1970. It must not return a promise, because the
 * transaction ends when it returns.
 */
type Action<T> = (now: number) => T extends PromiseLike<unknown> ? never : T;

const DEPENDENCY = 'job store';

/** Maximum wait for a commit, in milliseconds. */
const COMMIT_MS = 5_000;
const MAX_WAITING = 10_000;
/** Maximum wait for another process in the middle of a copy, so that waiting commits learn of it; in milliseconds. */
const COPY_BUSY_MS = 500;
/** Pause for a transaction of another process, in milliseconds. */
const BUSY_MS = 2;
/** Maximum time for which the start waits for the check of the whole file, in milliseconds. The check continues. */
const CHECK_MS = 2_000;

/** Codes of transient faults: limits, disk, other processes. */
const PASSING = /^SQLITE_(BUSY|CANTOPEN|FULL|IOERR|LOCKED|NOLFS|NOMEM|PERM|READONLY|AUTH|PROTOCOL)/;

export interface SqliteDatabaseOptions extends FilePlace {
  /** Logs when the file cannot be written or read. */
  readonly logger: Logger;
  /** Milliseconds since 1970; the system's clock by default. */
  readonly clock?: () => number;
  /** Flushes a file to the disk; `fdatasync` by default. */
  readonly flush?: Flush;
}

interface Commit {
  /** Runs the transaction. @returns settles its promise @throws {Error} SQLITE_BUSY, because of another process */
  readonly run: () => () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * SQLite file with a write-ahead log, which several processes may use at the same time.
 *
 * A transaction writes to the log without waiting for the disk. Its promise settles when a thread of libuv has flushed
 * the log, which gives the guarantee of `synchronous=FULL` without blocking the event loop. Transactions that arrive
 * during one flush share the next one. Another thread copies the log into the database, and commits wait for it.
 *
 * The file must not be on a network file system, whose locks and memory maps do not work across machines.
 */
export class SqliteDatabase implements StoreProbe {
  /** At most `MAX_WAITING`. */
  #waiting: Commit[] = [];
  #working: Promise<void> | undefined;
  /** SQLITE_BUSY, while another process holds the write lock. */
  #blockedBy: Error | undefined;
  #isOpen = false;
  #closed = false;
  readonly #directory: string;
  readonly #clock: () => number;
  readonly #connection: Database.Database;
  /** Statements by text; the code has a fixed number of texts. */
  readonly #queries = new Map<string, Query>();
  readonly #log: WriteAheadLog;
  readonly #watch: FileWatch;
  readonly #faults: FaultLog;

  private constructor(file: string, connection: Database.Database, options: SqliteDatabaseOptions) {
    this.#directory = options.directory;
    this.#clock = options.clock ?? Date.now;
    this.#connection = connection;
    this.#faults = new FaultLog(options.logger, DEPENDENCY);
    this.#log = new WriteAheadLog(file, connection, COPY_BUSY_MS, (error) => this.#failed(error), options.flush);
    this.#watch = new FileWatch(file, connection, COMMIT_MS, (fault) => {
      // Until then `open` reports it.
      if (this.#isOpen) this.#faults.failed('writing', fault);
    });
  }

  /** Opens or creates the file and its directory. @throws {UnusableDataError} when the file cannot be used */
  static async open(options: SqliteDatabaseOptions): Promise<SqliteDatabase> {
    const database = await openFile(options, (file, connection) => new SqliteDatabase(file, connection, options));
    await withinTime(database.#watch.checked, CHECK_MS);
    const { fault } = database.#watch;
    if (fault === undefined) {
      database.#isOpen = true;
      return database;
    }
    await database.close();
    throw new UnusableDataError(fault);
  }

  /** Returns the statement with a text; it is prepared once. */
  query(sql: string): Query {
    let query = this.#queries.get(sql);
    if (query === undefined) this.#queries.set(sql, (query = new Query(this.#connection, sql)));
    return query;
  }

  /**
   * Runs an action in a separate transaction.
   *
   * @returns the action's result, once it is on the disk; if the action throws, its writes are rolled back
   * @throws {ServiceUnavailableError} when it cannot be written, or was possibly written too late
   */
  async transact<T>(action: Action<T>): Promise<T> {
    if (this.#waiting.length >= MAX_WAITING) throw this.#failed(new Error('too much waits to be written'));
    let isLate = false;
    const written = new Promise<T>((resolve, reject) => {
      const fail = (error: unknown): void => reject(this.#explain(error));
      const run = (): (() => void) => {
        if (isLate) return () => undefined;
        try {
          const value = this.#inTransaction(action);
          return () => resolve(value);
        } catch (error) {
          if (hasCode(error, 'SQLITE_BUSY')) throw error;
          return () => fail(error);
        }
      };
      this.#waiting.push({ run, fail });
      this.#working ??= new Promise((done) => setImmediate(() => void this.#commitWaiting().then(done)));
    });
    const value = await withinTime(written, COMMIT_MS);
    if (value !== LATE) return value;
    isLate = true;
    throw this.#failed(this.#blockedBy ?? new Error(`nothing was written within ${COMMIT_MS} ms`));
  }

  /** Works like {@link transact}, but a power failure within `MAX_AHEAD_MS` may undo the writes. */
  async writeDeferred<T>(action: Action<T>): Promise<T> {
    if (this.#log.isCheckpointing || this.#waiting.length > 0) return this.transact(action);
    try {
      this.#requireUsable();
      const value = this.#inTransaction(action);
      this.#log.flushSoon();
      return value;
    } catch (error) {
      if (hasCode(error, 'SQLITE_BUSY')) return this.transact(action);
      throw this.#explain(error);
    }
  }

  /**
   * Runs an action that only reads, on the newest state of all processes.
   *
   * @returns its result, once the state it has read is on the disk
   * @throws {ServiceUnavailableError} when it cannot be read
   */
  async read<T>(action: Action<T>): Promise<T> {
    const value = this.readWithoutWait(action);
    await this.#log.settled();
    return value;
  }

  /** Reads without waiting for the disk, for callers that only check if there is work. */
  readWithoutWait<T>(action: Action<T>): T {
    try {
      this.#requireUsable();
      return action(this.#clock());
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** Resolves when the file is in place, readable, and without known damage. */
  async ping(): Promise<void> {
    this.#watch.checkFile();
    this.#requireWhole();
    await this.read(() => this.query('SELECT written_at FROM probe').first());
  }

  /** Commits a change, and writes a small file, because a change may fit into existing space of the log. */
  async write(): Promise<void> {
    await this.ping();
    await writeProbeFile(this.#directory).catch((error: unknown) => {
      throw this.#failed(error);
    });
    await this.transact((now) => this.query('UPDATE probe SET written_at = ?').run(now));
    this.#requireWhole();
    this.#faults.served('writing');
  }

  /** Returns true after a failed write, until the next success. */
  isInDoubt(): boolean {
    return this.#watch.fault !== undefined || this.#faults.isInDoubt;
  }

  /**
   * Commits waiting transactions and closes the file, which is then complete without a log unless another process uses
   * it. Afterwards all calls are refused.
   */
  async close(): Promise<void> {
    if (this.#closed) return;
    await this.#watch.close();
    await this.#working;
    this.#closed = true;
    await this.#log.close();
    if (this.#watch.fault === undefined) {
      try {
        this.#connection.exec('PRAGMA journal_mode=DELETE');
      } catch {
        // Another process has the file open and does the same at its end, or the next one continues with the log.
      }
    }
    this.#connection.close();
  }

  /** Commits until the list is empty. Never rejects: waiting callers get the errors. */
  async #commitWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const settlers: (() => void)[] = [];
      let group: readonly Commit[] = [];
      try {
        this.#requireUsable();
        await this.#log.checkpointIfDue();
        this.#watch.checkFile();
        this.#requireUsable();
        const isAll = this.#commitInto(settlers);
        group = this.#waiting.splice(0, settlers.length);
        if (settlers.length > 0) await this.#log.flush();
        if (!isAll) await delay(BUSY_MS);
      } catch (error) {
        // Without a group, the fault affects all that wait.
        for (const { fail } of group.length > 0 ? group : this.#waiting.splice(0)) fail(error);
        continue;
      }
      for (const settle of settlers) settle();
    }
    this.#working = undefined;
  }

  /** Runs waiting commits. @returns false if one has to wait for another process */
  #commitInto(settlers: (() => void)[]): boolean {
    for (const { run } of this.#waiting) {
      try {
        settlers.push(run());
        this.#blockedBy = undefined;
      } catch (error) {
        this.#blockedBy = new Error('the write lock is held', { cause: error });
        return false;
      }
    }
    return true;
  }

  #inTransaction<T>(action: Action<T>): T {
    const connection = this.#connection;
    // This is not a prepared statement, which would stay active if another process had blocked it.
    connection.exec('BEGIN IMMEDIATE');
    try {
      const value = action(this.#clock());
      connection.exec('COMMIT');
      this.#log.committed();
      return value;
    } catch (error) {
      if (connection.inTransaction) connection.exec('ROLLBACK');
      throw error;
    }
  }

  #requireUsable(): void {
    if (this.#closed) throw databaseUnavailable(new Error('The job store is closed.'));
    if (this.#watch.lost !== undefined) throw databaseUnavailable(new Error(this.#watch.lost));
  }

  #requireWhole(): void {
    if (this.#watch.fault !== undefined) throw databaseUnavailable(new Error(this.#watch.fault));
  }

  #explain(error: unknown): Error {
    if (isDamage(error)) return this.#failed(error);
    if (codesOf(error).some((code) => PASSING.test(code))) {
      this.#log.restartSoon();
      return this.#failed(error);
    }
    return error instanceof Error ? error : new Error('The job store failed.', { cause: error });
  }

  #failed(error: unknown): ServiceUnavailableError {
    if (error instanceof ServiceUnavailableError) return error;
    const reason = describeError(error);
    if (isDamage(error)) return databaseUnavailable(new Error(this.#watch.isDamaged(reason), { cause: error }));
    const advice = hasCode(error, 'SQLITE_BUSY')
      ? `${LOCKED_ADVICE} The gateway and its commands hold the lock for milliseconds.`
      : 'Free space on its disk, and let the gateway write there.';
    const fault = `Jobs cannot be kept in ${this.#directory} (${reason}). ${advice}`;
    this.#faults.failed('writing', fault);
    return databaseUnavailable(new Error(fault, { cause: error }));
  }
}

function databaseUnavailable(cause: Error): ServiceUnavailableError {
  return new ServiceUnavailableError(DEPENDENCY, { cause });
}

import type Database from 'libsql';
import { AgeClock } from '../../../base/age-clock.js';
import { describeError, ServiceUnavailableError } from '../../../base/errors.js';
import { FaultLog } from '../../../base/logging/fault-log.js';
import type { Logger } from '../../../base/logging/logger.js';
import { LATE, withinTime } from '../../../base/waits.js';
import { writeProbeFile, type StoreProbe } from '../../../objects/store-probe.js';
import { COMMIT_MS, Commits, LATE_TEXT, type Action } from './commits.js';
import {
  damaged,
  GONE,
  inodeOf,
  isDamage,
  isPassing,
  openFile,
  seenTimeOf,
  writeFault,
  type FilePlace,
} from './database-file.js';
import { Query } from './query.js';
import { WriteAheadLog, type Flush } from './write-ahead-log.js';

const DEPENDENCY = 'job store';

export interface SqliteDatabaseOptions extends FilePlace {
  /** Logs when the file cannot be written or read. */
  readonly logger: Logger;
  /** Milliseconds since 1970; the system's clock by default. */
  readonly clock?: () => number;
  /** Flushes a file to the disk; `fdatasync` by default. */
  readonly flush?: Flush;
  /** Told once that a flush has failed: nothing can be kept until the next start. */
  readonly onLost?: (() => void) | undefined;
}

/**
 * SQLite file with a write-ahead log, which several processes may use at the same time.
 *
 * A transaction is in the log at once, without waiting for the disk. Its promise settles when a thread of libuv has
 * flushed the log, which gives the guarantee of `synchronous=FULL` without blocking the event loop. Transactions during
 * one flush share the next one, and reads wait for the flush of what they read, by whichever process it was written.
 *
 * The file must not be on a network file system, whose locks and memory maps do not work across machines.
 */
export class SqliteDatabase implements StoreProbe {
  readonly #options: SqliteDatabaseOptions;
  readonly #file: string;
  readonly #identity: string | undefined;
  readonly #clock: () => number;
  /** Clock by which records, messages and ids get old. */
  readonly age: AgeClock;
  /** Told, within a transaction, that the clock was put forward by some milliseconds while this process ran. */
  onLeap: ((leapMs: number, now: number) => void) | undefined;
  readonly #connection: Database.Database;
  /** Statements by text; the code has a fixed number of texts. */
  readonly #queries = new Map<string, Query>();
  readonly #log: WriteAheadLog;
  readonly #faults: FaultLog;
  /** Changes with each commit of another connection. */
  #othersVersion: unknown;
  readonly #commits: Commits;
  #isClosed = false;
  /** Damage that was found: the rest is still served. */
  #damage: string | undefined;
  /** Reason why nothing is read or written until the next start. */
  #end: string | undefined;

  private constructor(file: string, connection: Database.Database, options: SqliteDatabaseOptions) {
    this.#options = options;
    this.#file = file;
    this.#identity = inodeOf(file);
    this.#clock = options.clock ?? Date.now;
    this.#connection = connection;
    this.age = new AgeClock(seenTimeOf(connection, this.#clock()));
    this.#log = new WriteAheadLog(file, (error) => this.#flushFailed(error), options.flush);
    this.#faults = new FaultLog(options.logger, DEPENDENCY, (error) => writeFault(options.directory, error));
    this.#commits = new Commits({
      connection,
      log: this.#log,
      clock: this.#clock,
      requireUsable: () => this.#requireInPlace(),
      onLeap: (...leap) => this.onLeap?.(...leap),
      failed: (error) => this.#failed(error),
      explained: (error) => this.#explained(error),
    });
  }

  /** Opens or creates the file and its directory. @throws {UnusableDataError} when the file cannot be used */
  static open(options: SqliteDatabaseOptions): Promise<SqliteDatabase> {
    return openFile(options, (file, connection) => new SqliteDatabase(file, connection, options));
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
    try {
      return await this.#commits.commit(action);
    } finally {
      // An action that throws may tell of what it has read.
      await this.#flushed();
    }
  }

  /** Works like {@link transact}, but a power failure within `MAX_AHEAD_MS` may undo the writes. */
  writeDeferred<T>(action: Action<T>): Promise<T> {
    return this.#commits.commit(action, true);
  }

  /** Lets the deferred transaction of an action be flushed at once, so that readers wait for it. */
  flushWithCommit(): void {
    this.#commits.flushWithCommit();
  }

  /**
   * Runs an action that only reads, on the newest state of all processes.
   *
   * @returns its result, once the state it has read is on the disk
   * @throws {ServiceUnavailableError} when it cannot be read, or when that state cannot be written
   */
  async read<T>(action: Action<T>): Promise<T> {
    const value = this.readWithoutWait(action);
    const [version] = this.query('PRAGMA data_version').first() ?? [];
    if (version !== this.#othersVersion) this.#log.flush();
    this.#othersVersion = version;
    await this.#flushed();
    return value;
  }

  /** Reads without waiting for the disk, for callers that only check if there is work. */
  readWithoutWait<T>(action: Action<T>): T {
    try {
      if (this.#end) throw new ServiceUnavailableError(DEPENDENCY, this.#end);
      return action(this.#clock());
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** Gives unused pages back, within an action. The file gets shorter when the log is copied: after ten such steps. */
  giveBack(pages: number): void {
    this.#connection.exec(`PRAGMA incremental_vacuum(${pages})`);
    this.#log.written(20);
  }

  /** Resolves when the file is in place, readable, and without known damage. */
  async ping(): Promise<void> {
    this.#requireInPlace();
    if (this.#damage) throw new ServiceUnavailableError(DEPENDENCY, this.#damage);
    await this.read(() => this.query('SELECT written_at FROM probe').first());
  }

  /** Commits a change, and writes a small file, because a change may fit into existing space of the log. */
  async write(): Promise<void> {
    await this.ping();
    await writeProbeFile(this.#options.directory).catch((error: unknown) => Promise.reject(this.#failed(error)));
    await this.transact((now) => this.query('UPDATE probe SET written_at = ?').run(now));
    if (this.#damage) throw new ServiceUnavailableError(DEPENDENCY, this.#damage);
    this.#faults.served('writing');
  }

  /** Returns true after a failed write, until the next success. */
  isInDoubt(): boolean {
    return (this.#end ?? this.#damage) !== undefined || this.#faults.isInDoubt;
  }

  /**
   * Commits waiting transactions and closes the file, which is then complete without a log unless another process uses
   * it. Afterwards all calls are refused.
   */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#commits.done();
    const isSound = (this.#end ?? this.#damage) === undefined;
    this.#end ??= 'The job store is closed.';
    await this.#log.close();
    try {
      if (isSound) this.#connection.exec('PRAGMA journal_mode=DELETE');
    } catch {
      // Another process has the file open and does the same at its end, or the next one continues with the log.
    }
    this.#connection.close();
  }

  /** Waits until what was written, or read, is on the disk. */
  async #flushed(): Promise<void> {
    const { flushing } = this.#log;
    if (flushing && (await withinTime(flushing, COMMIT_MS)) === LATE) throw this.#failed(new Error(LATE_TEXT));
  }

  /** Requires that the file at its path is still the open one. */
  #requireInPlace(): void {
    if (this.#end) throw new ServiceUnavailableError(DEPENDENCY, this.#end);
    const found = inodeOf(this.#file);
    if (found === this.#identity || found === undefined) return;
    const what = found === GONE ? 'was deleted' : 'is another file now';
    const advice = 'Nothing is accepted until the gateway is restarted. deploy/backup.md says what is lost.';
    this.#end = `${this.#file} ${what} while jobs were kept in it. ${advice}`;
    throw this.#failed(this.#end);
  }

  #flushFailed(error: unknown): Error {
    const advice = 'What was written last may be lost. Check the disk, and start the gateway again.';
    this.#end ??= `${this.#file} could not be flushed (${describeError(error)}). ${advice}`;
    this.#options.onLost?.();
    return this.#failed(this.#end);
  }

  /** Explains an error of SQLite; that of an action stays as it is. */
  #explained(error: unknown): unknown {
    if (!isDamage(error)) return isPassing(error) ? this.#failed(error) : error;
    this.#damage ??= damaged(this.#file, describeError(error));
    return this.#failed(this.#damage);
  }

  /** Logs a fault. @param error or its text @returns the error to throw */
  #failed(error: unknown): Error {
    return this.#faults.failed('writing', error);
  }
}

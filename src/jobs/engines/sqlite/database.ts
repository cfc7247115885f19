import type Database from 'libsql';
import { AgeClock } from '../../../base/age-clock.js';
import { writeProbeFile, type StoreProbe } from '../../../objects/store-probe.js';
import { openFile, seenTimeOf, type FilePlace } from './database-file.js';
import { FileFaults, type FileFaultsOptions } from './file-faults.js';
import { Query } from './query.js';
import { Transactions, type Action, type TransactionsOptions } from './transactions.js';

export interface SqliteDatabaseOptions extends FilePlace, FileFaultsOptions, TransactionsOptions {}

/**
 * SQLite file with a write-ahead log, which several processes may use at the same time.
 *
 * A transaction is in the log at once, without waiting for the disk. Its promise settles when a thread of libuv has
 * flushed the log, which gives the guarantee of `synchronous=FULL` without blocking the event loop. Transactions during
 * one flush share the next one, and reads wait for the flush of what they read, by whichever process it was written.
 *
 * The file must not be on a network file system, whose locks and memory maps do not work across machines.
 */
export class SqliteDatabase extends Transactions implements StoreProbe {
  readonly #directory: string;
  /** Clock by which records, messages and ids get old. */
  readonly age: AgeClock;
  /** Statements by text; the code has a fixed number of texts. */
  readonly #queries = new Map<string, Query>();
  /** Changes with each commit of another connection. */
  #othersVersion: unknown;
  #isClosed = false;

  private constructor(file: string, connection: Database.Database, options: SqliteDatabaseOptions) {
    super(file, connection, new FileFaults(file, options), options);
    this.#directory = options.directory;
    this.age = new AgeClock(seenTimeOf(connection, this.clock()));
  }

  /** Opens or creates the file and its directory. @throws {UnusableDataError} when the file cannot be used */
  static open(options: SqliteDatabaseOptions): Promise<SqliteDatabase> {
    return openFile(options, (file, connection) => new SqliteDatabase(file, connection, options));
  }

  /** Returns the statement with a text; it is prepared once. */
  query(sql: string): Query {
    let query = this.#queries.get(sql);
    if (query === undefined) this.#queries.set(sql, (query = new Query(this.connection, sql)));
    return query;
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
    if (version !== this.#othersVersion) this.flush();
    this.#othersVersion = version;
    await this.flushed();
    return value;
  }

  /** Reads without waiting for the disk, for callers that only check if there is work. */
  readWithoutWait<T>(action: Action<T>): T {
    this.faults.requireOpen();
    try {
      return action(this.clock());
    } catch (error) {
      throw this.faults.explained(error);
    }
  }

  /** Resolves when the file is in place, readable, and without known damage. */
  async ping(): Promise<void> {
    this.faults.requireInPlace();
    this.faults.requireUndamaged();
    await this.read(() => this.query('SELECT written_at FROM probe').first());
  }

  /** Commits a change, and writes a small file, because a change may fit into existing space of the log. */
  async write(): Promise<void> {
    await this.ping();
    await writeProbeFile(this.#directory).catch((error: unknown) => Promise.reject(this.faults.failed(error)));
    await this.transact((now) => this.query('UPDATE probe SET written_at = ?').run(now));
    this.faults.written();
  }

  isInDoubt(): boolean {
    return this.faults.isInDoubt;
  }

  /**
   * Commits waiting transactions and closes the file, which is then complete without a log unless another process uses
   * it. Afterwards all calls are refused.
   */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const isSound = await this.closeLog();
    try {
      if (isSound) this.connection.exec('PRAGMA journal_mode=DELETE');
    } catch {
      // Another process has the file open and does the same at its end, or the next one continues with the log.
    }
    this.connection.close();
  }
}

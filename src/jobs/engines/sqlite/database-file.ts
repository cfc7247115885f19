import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, linkSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'libsql';
import { UnusableDataError } from '../../../base/config/config.js';
import { makeDirectory, syncToDisk } from '../../../base/config/make-directory.js';
import { codesOf, describeError, hasCode } from '../../../base/errors.js';
import { FORMAT, NewerFormatError, OVER_020, requireKnownFormat } from '../../record/stored-fields.js';
import { Query } from './query.js';
import { TABLES } from './tables.js';

/** Name of the file of jobs, below `DATA_DIR`. */
export const DATABASE_FILE = 'jobs.db';

export const LOCK_FILE = 'gateway.lock';

/** Statement that marks the lock file as created together with the jobs. */
export const MARK_LOCK = 'CREATE TABLE gateway (pid INTEGER)';

/** Size that the write-ahead log keeps, in bytes. */
export const LOG_BYTES = 16_777_216;

/** Maximum wait for another process that is just opening or closing the file, in milliseconds. */
const OPEN_MS = 5_000;

export interface FilePlace {
  /** It must not be on a network file system. */
  readonly directory: string;
  /** True if the file must exist; by default it is created if missing, with its directory. */
  readonly existing?: boolean;
}

/**
 * Opens or creates the file in a directory.
 *
 * @param use converts the connection; its errors are explained like those of this function
 * @throws {UnusableDataError} when the file is damaged, missing, of a newer version, or cannot be used
 */
export async function openFile<T>(
  { directory, existing = false }: FilePlace,
  use: (file: string, connection: Database.Database) => T,
): Promise<T> {
  const file = join(directory, DATABASE_FILE);
  requireFile(file, existing);
  try {
    if (!existsSync(file)) await createFile(directory, file);
    return use(file, connect(file));
  } catch (error) {
    if (error instanceof UnusableDataError) throw error;
    if (error instanceof NewerFormatError) throw new UnusableDataError(describeError(error.cause));
    if (isDamage(error)) throw new UnusableDataError(damaged(file, describeError(error)));
    throw unusable(file, error);
  }
}

/** Connects to the file with its final settings. @throws {NewerFormatError} when a newer version wrote it */
function connect(file: string): Database.Database {
  const connection = new Database(file, { timeout: OPEN_MS });
  try {
    const [format] = new Query(connection, 'PRAGMA user_version').first() ?? [];
    requireKnownFormat(`What lies in ${file}`, Number(format));
    connection.exec('PRAGMA journal_mode=WAL');
    connection.exec(`PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=0; PRAGMA foreign_keys=ON;
      PRAGMA journal_size_limit=${LOG_BYTES}; UPDATE probe SET written_at = written_at + 1`);
    requireOrderers(file, connection);
    connection.exec('PRAGMA busy_timeout=0');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Checks that 0.2.0 has used the file, which added a column. @throws {UnusableDataError} for a file of 0.1.0 */
function requireOrderers(file: string, connection: Database.Database): void {
  if (new Query(connection, "SELECT 1 FROM pragma_table_info('jobs') WHERE name = 'orderer'").first()) return;
  throw new UnusableDataError(`${file} is of 0.1.0. ${OVER_020}`);
}

/**
 * Checks that the file is there if it must be. It gets its name when it is complete, so one that is empty, or missing
 * beside its log, was damaged.
 */
function requireFile(file: string, existing: boolean): void {
  if (existsSync(file)) {
    if (statSync(file).size === 0) throw new UnusableDataError(damaged(file, 'it is empty'));
  } else if (existsSync(`${file}-wal`)) {
    throw new UnusableDataError(damaged(file, `it is gone, and ${DATABASE_FILE}-wal is still there`));
  } else if (existing) {
    const advice = 'Set DATA_DIR as for the gateway, or REDIS_URL.';
    throw new UnusableDataError(`DATA_DIR has no jobs: ${file} does not exist. ${advice}`);
  }
}

/** Creates the file, and its directory if missing. A crash leaves either the complete file or none. */
async function createFile(directory: string, file: string): Promise<void> {
  await makeDirectory(directory, 0o700);
  const unnamed = `${file}.${randomUUID()}`;
  try {
    const connection = new Database(unnamed, { timeout: 0 });
    connection.exec(`BEGIN; ${TABLES}; PRAGMA user_version=${FORMAT}; COMMIT`);
    connection.close();
    chmodSync(unnamed, 0o600);
    markLock(join(directory, LOCK_FILE));
    linkSync(unnamed, file);
  } catch (error) {
    // Another process may have created it first.
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(unnamed, { force: true });
  }
  await syncToDisk(directory);
}

/** Marks the lock file, unless a gateway holds it, which has marked it or will. */
function markLock(file: string): void {
  const lock = new Database(file, { timeout: 0 });
  try {
    lock.exec(MARK_LOCK);
    chmodSync(file, 0o600);
  } catch {
    // The file is marked already, or held by a gateway.
  } finally {
    lock.close();
  }
}

/** Remedy for a file that another process has locked. */
export const LOCKED_ADVICE = 'Find the other program that has jobs.db open, such as sqlite3, and end it.';

/** Creates the error for the jobs, or for the lock file, if they cannot be opened, with the remedy. */
export function unusable(file: string, error: unknown): UnusableDataError {
  const reason = describeError(error).replace(/ConnectionFailed\("(.*)"\)/, '$1');
  const isLock = basename(file) === LOCK_FILE;
  let advice = 'It must be a writable directory on a local disk.';
  if (isLock) advice = 'It holds no jobs. Remove it while no gateway runs, and let the gateway write there.';
  if (hasCode(error, 'SQLITE_BUSY')) advice = LOCKED_ADVICE;
  if (hasCode(error, 'SQLITE_FULL', 'ENOSPC')) advice = 'Free space on its disk; deploy/backup.md says more.';
  const what = isLock ? 'The lock of jobs' : 'Jobs';
  return new UnusableDataError(`${what} cannot be kept in ${file}: ${reason}. ${advice}`);
}

export function damaged(file: string, what: string): string {
  return `${file} is damaged (${what}). deploy/backup.md says how to go on.`;
}

/** Returns true if SQLite reports a corrupt file. */
export function isDamage(error: unknown): boolean {
  return codesOf(error).some((code) => /^SQLITE_(CORRUPT|NOTADB)/.test(code));
}

/**
 * Copies the jobs of one moment, while other processes continue to write. SQLite makes the copy (`VACUUM INTO`): one
 * file without unused pages, which is checked before this resolves.
 *
 * @param from the file of the jobs, which must exist
 * @param to the file of the copy, which must not exist
 * @throws {Error} of SQLite or the operating system, or with the fault of the copy
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const source = new Database(from, { timeout: 5_000 });
  try {
    source.exec(`VACUUM INTO '${to.replaceAll("'", "''")}'`);
  } finally {
    source.close();
  }
  chmodSync(to, 0o600);
  const copy = new Database(to, { timeout: 0 });
  try {
    const [verdict] = new Query(copy, 'PRAGMA quick_check(1)').first() ?? [];
    if (verdict !== 'ok') throw new Error(`the copy of ${from} is damaged: ${String(verdict)}`);
  } finally {
    copy.close();
  }
  await syncToDisk(to);
}

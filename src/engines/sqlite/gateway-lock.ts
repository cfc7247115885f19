import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { makeDirectorySync } from '../../config/make-directory.js';
import { describeError, hasCode } from '../../errors.js';
import { DATABASE_FILE, LOCK_FILE, MARK_LOCK, unusable } from './database-file.js';

/** The right to use a directory alone. */
export interface GatewayLock {
  release(): void;
}

/**
 * Takes a directory for this process alone, for as long as it lives: an exclusive transaction on a small SQLite file is
 * a lock of the operating system, which ends with the process. Where that file is new, which may be because somebody
 * removed the one that a gateway holds, no other process may have the jobs open either: SQLite holds a lock on them for
 * as long as they are.
 *
 * @throws {Error} when another process has it; the message says what to do
 */
export function takeGatewayLock(directory: string): GatewayLock {
  const file = join(directory, LOCK_FILE);
  let lock: Database.Database | undefined;
  try {
    makeDirectorySync(directory, 0o700);
    lock = new Database(file, { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    if (isNew(lock)) {
      chmodSync(file, 0o600);
      requireNobody(join(directory, DATABASE_FILE));
      lock.exec('COMMIT');
      lock.exec('BEGIN EXCLUSIVE');
    }
  } catch (error) {
    lock?.close();
    if (!isBusy(error)) throw unusable(directory, error);
    const advice = 'stop that one, give this one a DATA_DIR of its own, or keep jobs in Redis (REDIS_URL).';
    const fault = `Another gateway uses ${directory}. There can be one with embedded jobs: ${advice}`;
    throw new Error(fault, { cause: error });
  }
  const held = lock;
  return { release: () => held.close() };
}

/** Whether nothing stands in the file yet; something does behind a commit. A prepared statement would keep the lock. */
function isNew(lock: Database.Database): boolean {
  try {
    lock.exec(MARK_LOCK);
    return true;
  } catch (error) {
    if (describeError(error).includes('already exists')) return false;
    throw error;
  }
}

/** @throws {Error} of SQLite when another process has the file open */
function requireNobody(file: string): void {
  if (!existsSync(file)) return;
  const probe = new Database(file, { timeout: 0 });
  try {
    probe.exec('PRAGMA locking_mode=EXCLUSIVE');
    probe.exec('BEGIN EXCLUSIVE');
    probe.exec('ROLLBACK');
  } catch (error) {
    // Whatever else is wrong with the file is told when it is opened.
    if (isBusy(error)) throw error;
  } finally {
    probe.close();
  }
}

function isBusy(error: unknown): boolean {
  return hasCode(error, 'SQLITE_BUSY');
}

import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { makeDirectorySync } from '../../config/make-directory.js';
import { describeError, hasCode } from '../../errors.js';
import { DATABASE_FILE, LOCK_FILE, MARK_LOCK, unusable } from './database-file.js';

/**
 * Takes a directory for this process alone until it ends: an exclusive transaction on a small SQLite file is a lock of
 * the operating system, which ends with the process. If that file is new, the one held by a gateway may have been
 * deleted, so no other process may have the jobs open either: SQLite holds a lock on them while they are open.
 *
 * @returns releases it
 * @throws {Error} when another process has it; the message names the remedy
 */
export function takeGatewayLock(directory: string): () => void {
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
  return () => void held.close();
}

/** Returns true if the file is empty; a committed one is not. A prepared statement would keep the lock. */
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
    // Opening the file reports its other faults.
    if (isBusy(error)) throw error;
  } finally {
    probe.close();
  }
}

function isBusy(error: unknown): boolean {
  return hasCode(error, 'SQLITE_BUSY');
}

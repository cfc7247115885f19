import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { makeDirectorySync } from '../../config/make-directory.js';
import { describeError, hasCode } from '../../errors.js';
import { DATABASE_FILE, LOCK_FILE, MARK_LOCK, unusable } from './database-file.js';

/**
 * Takes a directory for this process alone until it ends. An exclusive transaction on a small SQLite file is a lock of
 * the operating system, which ends with the process. If that file is new, the one that a gateway holds may have been
 * deleted. Then no other process may have the jobs open, on which SQLite holds a lock as well.
 *
 * @returns releases the lock
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
      requireUnused(join(directory, DATABASE_FILE));
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

/**
 * Marks the file. A prepared statement would keep the lock.
 *
 * @returns false if it was marked before
 */
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
function requireUnused(file: string): void {
  if (!existsSync(file)) return;
  const probe = new Database(file, { timeout: 0 });
  try {
    probe.exec('PRAGMA locking_mode=EXCLUSIVE');
    probe.exec('BEGIN EXCLUSIVE');
    probe.exec('ROLLBACK');
  } catch (error) {
    // Other faults of the file are reported when it is opened.
    if (isBusy(error)) throw error;
  } finally {
    probe.close();
  }
}

function isBusy(error: unknown): boolean {
  return hasCode(error, 'SQLITE_BUSY');
}

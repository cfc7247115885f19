import { accessSync, chmodSync, constants, existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { makeDirectory } from '../../../base/config/make-directory.js';
import { describeError, hasCode } from '../../../base/errors.js';
import { DATABASE_FILE, isDamage, LOCK_FILE, MARK_LOCK, unusable } from './database-file.js';

/**
 * Takes a directory for this process alone until it ends. An exclusive transaction on a small SQLite file is a lock of
 * the operating system, which ends with the process. The file holds nothing. If it is new, the one that a gateway holds
 * may have been deleted; if it is damaged, it is made anew. In both cases no other process may have the jobs open, on
 * which SQLite holds a lock as well.
 *
 * @returns releases the lock
 * @throws {Error} when another process has it; the message names the remedy
 */
export async function takeGatewayLock(directory: string): Promise<() => void> {
  const file = join(directory, LOCK_FILE);
  const jobs = join(directory, DATABASE_FILE);
  await makeDirectory(directory, 0o700).catch((error: unknown) => {
    throw unusable(jobs, error);
  });
  try {
    const lock = takeLock(file, jobs);
    return () => void lock.close();
  } catch (error) {
    if (!hasCode(error, 'SQLITE_BUSY')) throw unusable(file, error);
    const advice = 'stop that one, give this one a DATA_DIR of its own, or keep jobs in Redis (REDIS_URL).';
    const other =
      error instanceof JobsInUseError
        ? `, or another program, such as sqlite3, has its ${DATABASE_FILE} open, so that ${LOCK_FILE} cannot be made anew`
        : ` and its ${LOCK_FILE}`;
    const fault = `Another gateway uses ${directory}${other}. There can be one with embedded jobs: ${advice}`;
    throw new Error(fault, { cause: error });
  }
}

/** @param jobs file that no other process may have open if the lock is new; undefined if that is known */
function takeLock(file: string, jobs: string | undefined): Database.Database {
  const lock = new Database(file, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    if (isNew(lock)) {
      chmodSync(file, 0o600);
      if (jobs !== undefined) whileUnused(jobs, () => undefined);
      lock.exec('COMMIT');
      lock.exec('BEGIN EXCLUSIVE');
    }
    return lock;
  } catch (error) {
    lock.close();
    if (!isDamage(error)) throw error;
    if (jobs !== undefined) return whileUnused(jobs, () => takeLock(file, undefined));
    // No other process can have made it anew meanwhile.
    rmSync(file);
    return takeLock(file, undefined);
  }
}

/** Returns the faults for which the lock could not be taken, without taking it. */
export function lockFaults(directory: string): readonly string[] {
  const file = join(directory, LOCK_FILE);
  if (!existsSync(file)) return [];
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return statSync(file).isFile() ? [] : [unusable(file, new Error('it is not a file')).message];
  } catch (error) {
    return [unusable(file, error).message];
  }
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

/** Error for jobs that another process has open. */
class JobsInUseError extends Error {}

/** Runs an action while no other process has the file of jobs open. @throws {JobsInUseError} if one has */
function whileUnused<T>(file: string, action: () => T): T {
  if (!existsSync(file)) return action();
  const probe = new Database(file, { timeout: 0 });
  try {
    try {
      probe.exec('PRAGMA locking_mode=EXCLUSIVE');
      probe.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      // Other faults of the file are reported when it is opened.
      if (hasCode(error, 'SQLITE_BUSY')) throw new JobsInUseError('The jobs are open elsewhere.', { cause: error });
    }
    return action();
  } finally {
    if (probe.inTransaction) probe.exec('ROLLBACK');
    probe.close();
  }
}

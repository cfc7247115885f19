import { randomUUID } from 'node:crypto';
import { accessSync, chmodSync, constants, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'libsql';
import { makeDirectory } from '../../../base/config/make-directory.js';
import { hasCode } from '../../../base/errors.js';
import { DATABASE_FILE, OPENING_MS } from './database-file.js';
import { isDamage, unusable } from './file-faults.js';

export const LOCK_FILE = 'gateway.lock';

/** Pause while a command has the jobs open, in milliseconds. */
const PAUSE_MS = 50;

/**
 * Takes a directory for this process alone until it ends. An exclusive transaction on a small SQLite file is a lock of
 * the operating system, which ends with the process. The file holds nothing. A missing or damaged one is made anew only
 * while no other process has the jobs open, on which SQLite holds a lock as well: a gateway may hold the deleted one.
 *
 * @returns releases the lock
 * @throws {Error} when another process has it; the message names the remedy
 */
export async function takeGatewayLock(directory: string): Promise<() => void> {
  const file = join(directory, LOCK_FILE);
  const jobs = join(directory, DATABASE_FILE);
  await makeDirectory(directory, 0o700).catch((error: unknown) => {
    throw unusable('Jobs', jobs, error);
  });
  for (const until = performance.now() + OPENING_MS; performance.now() < until;) {
    try {
      const lock = takeLock(file) ?? whileUnused(jobs, () => takeLock(file) ?? makeLock(file));
      if (lock !== undefined) return () => void lock.close();
    } catch (error) {
      if (!hasCode(error, 'SQLITE_BUSY')) throw unusableLock(file, error);
      throw inUse(directory, ` and its ${LOCK_FILE}`);
    }
    await delay(PAUSE_MS);
  }
  const program = `another program, such as sqlite3, has its ${DATABASE_FILE} open`;
  throw inUse(directory, `, or ${program}, so that ${LOCK_FILE} cannot be made anew`);
}

function inUse(directory: string, by: string): Error {
  const advice = 'stop that one, give this one a DATA_DIR of its own, or keep jobs in Redis (REDIS_URL).';
  return new Error(`Another gateway uses ${directory}${by}. There can be one with embedded jobs: ${advice}`);
}

/** Returns undefined if the file is missing or damaged. @throws {Error} SQLITE_BUSY when another process has it */
function takeLock(file: string): Database.Database | undefined {
  if (!statSync(file, { throwIfNoEntry: false })?.size) return undefined;
  const lock = new Database(file, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (isDamage(error)) return undefined;
    throw error;
  }
}

/** Makes the file, or a damaged one anew. It gets its name when it is complete: another start would replace it else. */
function makeLock(file: string): Database.Database | undefined {
  const unnamed = `${file}.${randomUUID()}`;
  try {
    const lock = new Database(unnamed, { timeout: 0 });
    // An empty file would be taken for a missing one. 0.2.0 looks for the table.
    lock.exec('CREATE TABLE gateway (pid INTEGER)');
    lock.close();
    chmodSync(unnamed, 0o600);
    linkSync(unnamed, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    const lock = takeLock(file);
    if (lock !== undefined) return lock;
    renameSync(unnamed, file);
  } finally {
    rmSync(unnamed, { force: true });
  }
  return takeLock(file);
}

/** Returns the faults for which the lock could not be taken, without taking it. */
export function lockFaults(directory: string): readonly string[] {
  const file = join(directory, LOCK_FILE);
  if (!existsSync(file)) return [];
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return statSync(file).isFile() ? [] : [unusableLock(file, new Error('it is not a file')).message];
  } catch (error) {
    return [unusableLock(file, error).message];
  }
}

function unusableLock(file: string, error: unknown): Error {
  const advice = 'It holds no jobs. Remove it while no gateway runs, and let the gateway write there.';
  return unusable('The lock of jobs', file, error, advice);
}

/** Runs an action while no other process has the file of jobs open. @returns undefined if one has */
function whileUnused<T>(jobs: string, action: () => T): T | undefined {
  if (!existsSync(jobs)) return action();
  const probe = new Database(jobs, { timeout: 0 });
  try {
    probe.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    probe.close();
    if (hasCode(error, 'SQLITE_BUSY')) return undefined;
    // Other faults of the file are reported when it is opened.
    return action();
  }
  try {
    return action();
  } finally {
    probe.close();
  }
}

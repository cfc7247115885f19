import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, linkSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import type { SeenTime } from '../../../base/age-clock.js';
import { UnusableDataError } from '../../../base/config/config.js';
import { makeDirectory, syncToDisk } from '../../../base/config/make-directory.js';
import { describeError, hasCode } from '../../../base/errors.js';
import { FORMAT, NewerFormatError, OVER_020, requireKnownFormat } from '../../record/stored-fields.js';
import { damaged, isDamage, unusable } from './file-faults.js';
import { Query, type Row } from './query.js';

export const DATABASE_FILE = 'jobs.db';

/** Size that the write-ahead log keeps, in bytes. */
export const LOG_BYTES = 16_777_216;

/** Lets a new file, or one that is written anew, give unused pages back. */
const SHRINKS = 'PRAGMA auto_vacuum=INCREMENTAL';

/** Largest content that a start writes anew, in pages of 4 KiB: it takes about a second. */
const MAX_REWRITTEN_PAGES = 65_536;

/** Maximum wait for another process that is just opening or closing the file, in milliseconds. */
export const OPENING_MS = 5_000;

export interface FilePlace {
  /** It must not be on a network file system. */
  readonly directory: string;
  /** True if the file must exist; by default it is created if missing, with its directory. */
  readonly existing?: boolean;
  /** True if no other process may open the directory exclusively; others may still open it. */
  readonly exclusive?: boolean;
}

/**
 * Opens or creates the file in a directory.
 *
 * @param use converts the connection; its errors are explained like those of this function
 * @throws {UnusableDataError} when the file is damaged, missing, of a newer version, or cannot be used
 */
export async function openFile<T>(
  { directory, existing = false, exclusive = false }: FilePlace,
  use: (file: string, connection: Database.Database) => T,
): Promise<T> {
  const file = join(directory, DATABASE_FILE);
  requireFile(file, existing);
  try {
    if (!existsSync(file)) await createFile(directory, file);
    const damage = damageIn(file);
    if (damage !== undefined) throw new UnusableDataError(damaged(file, damage));
    return use(file, connect(file, exclusive));
  } catch (error) {
    if (error instanceof UnusableDataError) throw error;
    if (error instanceof NewerFormatError) throw new UnusableDataError(describeError(error.cause));
    if (isDamage(error)) throw new UnusableDataError(damaged(file, describeError(error)));
    throw unusable('Jobs', file, error);
  }
}

/** Connects to the file with its final settings. @throws {NewerFormatError} when a newer version wrote it */
function connect(file: string, exclusive: boolean): Database.Database {
  const connection = new Database(file, { timeout: OPENING_MS });
  try {
    const [format] = new Query(connection, 'PRAGMA user_version').first() ?? [];
    requireKnownFormat(`What lies in ${file}`, Number(format));
    connection.exec('PRAGMA journal_mode=WAL');
    connection.exec(`PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=0; PRAGMA foreign_keys=ON;
      PRAGMA journal_size_limit=${LOG_BYTES}; BEGIN IMMEDIATE; UPDATE probe SET written_at = written_at + 1`);
    requireOrderers(file, connection);
    connection.exec(CLOCK_TABLE);
    if (!new Query(connection, "SELECT 1 FROM sqlite_schema WHERE name = 'kept'").first()) connection.exec(KEPT_TABLE);
    connection.exec('COMMIT; PRAGMA busy_timeout=0');
    if (exclusive) letShrink(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Lets a file of 0.2.0 shrink from now on, which writes it anew. The next start tries again if that fails. */
function letShrink(connection: Database.Database): void {
  const pragmas = ['auto_vacuum', 'page_count', 'freelist_count'];
  const [mode, pages = 0, unused = 0] = pragmas.map((name) =>
    Number(new Query(connection, `PRAGMA ${name}`).first()?.[0]),
  );
  if (mode !== 0 || pages - unused > MAX_REWRITTEN_PAGES) return;
  try {
    connection.exec(`${SHRINKS}; VACUUM`);
  } catch {
    // The disk is full, or a command uses the file.
  }
}

/** Returns the times that the file has seen; before they were kept, those of its last write and its newest job. */
export function seenTimeOf(connection: Database.Database, now: number): SeenTime {
  const query = (sql: string): Row | undefined => new Query(connection, sql).first();
  const [seenAt, aheadAt, ranMs] = query('SELECT seen_at, ahead_at, ran_ms FROM clock') ?? [];
  if (seenAt !== undefined) return { seenAt: Number(seenAt), aheadAt: Number(aheadAt), ranMs: Number(ranMs) };
  const newest = query('SELECT max(written_at, coalesce((SELECT max(created_at) FROM jobs), 0)) FROM probe')?.[0];
  // A new file has only counted how often it was opened.
  return { seenAt: Number(newest) > now / 2 ? Number(newest) : now, aheadAt: 0, ranMs: 0 };
}

/** Checks that 0.2.0 has used the file, which added a column. @throws {UnusableDataError} for a file of 0.1.0 */
function requireOrderers(file: string, connection: Database.Database): void {
  if (new Query(connection, "SELECT 1 FROM pragma_table_info('jobs') WHERE name = 'orderer'").first()) return;
  throw new UnusableDataError(`${file} is of 0.1.0. ${OVER_020}`);
}

/** A file gets its name when it is complete, so one that is empty, or missing beside its log, was damaged. */
function requireFile(file: string, existing: boolean): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === 0) throw new UnusableDataError(damaged(file, 'it is empty'));
  if (size !== undefined) return;
  if (existsSync(`${file}-wal`)) {
    throw new UnusableDataError(damaged(file, `it is gone, and ${DATABASE_FILE}-wal is still there`));
  }
  if (existing) {
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
    connection.exec(`${SHRINKS}; BEGIN; ${TABLES}; ${KEPT_TABLE}; PRAGMA user_version=${FORMAT}; COMMIT`);
    connection.close();
    chmodSync(unnamed, 0o600);
    linkSync(unnamed, file);
  } catch (error) {
    // Another process may have created it first.
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(unnamed, { force: true });
  }
  await syncToDisk(directory);
}

/** Checks a whole file, with a connection whose pages hide no later damage. @returns its first damage, if any */
function damageIn(file: string): string | undefined {
  const connection = new Database(file, { timeout: OPENING_MS });
  try {
    const [verdict] = new Query(connection, 'PRAGMA quick_check(1)').first() ?? [];
    return verdict === 'ok' ? undefined : String(verdict).replace(/^\*{3} in database main \*{3}\n/, '');
  } finally {
    connection.close();
  }
}

/**
 * Copies the jobs of one moment, while other processes continue to write, into one file without unused pages, which is
 * then checked.
 *
 * @param from the file of the jobs, which must exist
 * @param to the file of the copy, which must not exist
 * @throws {Error} of SQLite or the operating system, or with the fault of the copy
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const source = new Database(from, { timeout: OPENING_MS });
  try {
    source.exec(`${SHRINKS}; VACUUM INTO '${to.replaceAll("'", "''")}'`);
  } finally {
    source.close();
  }
  chmodSync(to, 0o600);
  const damage = damageIn(to);
  if (damage !== undefined) throw new Error(`the copy of ${from} is damaged: ${damage}`);
  await syncToDisk(to);
}

/**
 * Bytes of the records of each organisation and orderer, which is empty if unknown, and triggers that keep them. 0.2.0
 * does not have them, and writes through them.
 */
const KEPT_TABLE = `
CREATE TABLE kept (
  org TEXT NOT NULL, orderer TEXT NOT NULL, bytes INTEGER NOT NULL, jobs INTEGER NOT NULL, PRIMARY KEY (org, orderer)
) STRICT, WITHOUT ROWID;
INSERT INTO kept SELECT org, coalesce(orderer, ''), sum(octet_length(record)), count(*) FROM jobs
  WHERE listed = 1 GROUP BY 1, 2;
CREATE TRIGGER kept_more AFTER INSERT ON jobs WHEN new.listed = 1 BEGIN
  INSERT INTO kept VALUES (new.org, coalesce(new.orderer, ''), octet_length(new.record), 1)
    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes, jobs = jobs + 1;
END;
CREATE TRIGGER kept_changed AFTER UPDATE OF record ON jobs WHEN new.listed = 1 BEGIN
  UPDATE kept SET bytes = bytes + octet_length(new.record) - octet_length(old.record)
    WHERE org = new.org AND orderer = coalesce(new.orderer, '');
END;
CREATE TRIGGER kept_less AFTER DELETE ON jobs WHEN old.listed = 1 BEGIN
  UPDATE kept SET bytes = bytes - octet_length(old.record), jobs = jobs - 1
    WHERE org = old.org AND orderer = coalesce(old.orderer, '');
  DELETE FROM kept WHERE org = old.org AND orderer = coalesce(old.orderer, '') AND jobs = 0;
END`;

/** Table of the times that the file has seen, which 0.2.0 does not have; it has one row at most. */
const CLOCK_TABLE = `CREATE TABLE IF NOT EXISTS clock (
  seen_at INTEGER NOT NULL, ahead_at INTEGER NOT NULL, ran_ms INTEGER NOT NULL) STRICT`;

/**
 * Tables. `org` is an organisation as `organisationTag` writes it, `id` a job as `{kind}:{encoded id}`; points in time
 * are milliseconds since 1970.
 *
 * - `jobs`: `record` is the JSON of the record's fields; the other columns repeat those used in queries. `claimed_at`
 *   is 0 for a job that is claimed as a placeholder, `listed` is 1 for an ordered one, `orderer` is null if unknown.
 * - `messages`: queued ones and, with `died_at`, dead letters. `due_at` is the time when a message may be taken: now,
 *   after a back-off, or at the end of the lease of the consumer that holds it under `token`. `is_open` is 1 until its
 *   job has ended. The payload, which may be large, is separate, because the others change often.
 */
const TABLES = `
CREATE TABLE jobs (
  org TEXT NOT NULL, id TEXT NOT NULL, record TEXT NOT NULL, created_at INTEGER NOT NULL, listed INTEGER NOT NULL,
  claimed_at INTEGER, leased_until INTEGER, expires_at INTEGER NOT NULL, orderer TEXT,
  PRIMARY KEY (org, id)
) STRICT;
CREATE INDEX jobs_listed ON jobs (org, created_at, id, orderer) WHERE listed = 1;
CREATE INDEX jobs_leased ON jobs (org, leased_until, claimed_at) WHERE leased_until IS NOT NULL;
CREATE INDEX jobs_expiring ON jobs (expires_at);

CREATE TABLE items (
  org TEXT NOT NULL, id TEXT NOT NULL, item INTEGER NOT NULL, outcome TEXT NOT NULL,
  PRIMARY KEY (org, id, item),
  FOREIGN KEY (org, id) REFERENCES jobs ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE messages (
  org TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, attempts INTEGER NOT NULL, due_at INTEGER NOT NULL,
  token TEXT, is_open INTEGER NOT NULL, opened_at INTEGER NOT NULL, bytes INTEGER NOT NULL,
  died_at INTEGER, reason TEXT,
  PRIMARY KEY (org, id)
) STRICT;
CREATE INDEX messages_due ON messages (due_at, token) WHERE died_at IS NULL;
CREATE INDEX messages_dead ON messages (died_at) WHERE died_at IS NOT NULL;
CREATE INDEX messages_open ON messages (org, opened_at, bytes) WHERE is_open = 1;

CREATE TABLE payloads (
  org TEXT NOT NULL, id TEXT NOT NULL, payload TEXT NOT NULL,
  PRIMARY KEY (org, id),
  FOREIGN KEY (org, id) REFERENCES messages ON DELETE CASCADE
) STRICT;

CREATE TABLE callback_ids (id TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX callback_ids_expiring ON callback_ids (expires_at);

CREATE TABLE probe (written_at INTEGER NOT NULL) STRICT;
INSERT INTO probe VALUES (0)`;

import { existsSync, createReadStream } from 'node:fs';
import { resolve, dirname, join, relative } from 'node:path';
import { rename, rm, readdir } from 'node:fs/promises';
import { ConfigError } from '../base/config/config.js';
import { loadConfig } from '../base/config/load-config.js';
import { describeError } from '../base/errors.js';
import { runWithArguments, UsageError } from './process/read-arguments.js';
import { EXIT } from './process/supported-node.js';
import type { CommandContext } from './process/run-program.js';
import { copyDatabase, DATABASE_FILE } from '../jobs/engines/sqlite/database-file.js';
import { makeDirectory, syncToDisk } from '../base/config/make-directory.js';
import { ifExists, placesIn, writeDurably } from '../objects/files/durable-files.js';

const HELP = `Copies DATA_DIR while a gateway runs on it: jobs, queue, reports, and the key of
jobs where it is kept there.

Usage:
  npm run backup -- DIRECTORY   makes this directory, which must not exist

To go on with the copy, start a gateway with DATA_DIR=DIRECTORY, or with what it
was copied to. deploy/backup.md says what is repeated or lost then, and how
Redis and a bucket are backed up, which DATA_DIR does not hold.

Settings come from the environment of the gateway: DATA_DIR, NODE_ENV, REDIS_*.
The copy holds what its DATA_DIR holds: protect it from other readers as well.

Options:
  --help, --version

Exit codes: 0 the copy is complete; 64 wrong usage; 74 it could not be made, and
nothing is left of it; 78 wrong configuration.`;

/** Reads the arguments and makes the copy. @returns the exit code */
export function runBackup(context: CommandContext): Promise<number> {
  const { print, progress, complain, signal } = context;
  const usage = { help: HELP, hint: 'See: npm run backup -- --help', max: 1 };
  return runWithArguments(context, usage, {}, async ({ positionals: [given] }) => {
    try {
      const to = readCopyTarget(given, context.directory);
      const { dataDir, redisUrl } = loadConfig(context.environment, 'jobs', (name) =>
        /^(NODE_ENV|DATA_DIR|REDIS_)/.test(name),
      );
      const found = lookInto(dataDir);
      // With Redis, jobs in DATA_DIR are left from an earlier configuration.
      const from = redisUrl === undefined ? found : { ...found, jobs: undefined };
      if (from.jobs === undefined && from.objects === undefined) throw nothingIn(dataDir);
      const { files, bytes } = await copyDataDirectory(from, { to, signal, onProgress: nowAndThen(progress) });
      print(describe(from, to, files, bytes));
      return EXIT.done;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UsageError || error instanceof ConfigError) throw error;
      complain(`No copy was made: ${describeError(error)}`);
      return EXIT.unwritten;
    }
  });
}

function readCopyTarget(given: string | undefined, directory: string): string {
  if (given === undefined) throw new UsageError('The directory to be made is missing.');
  const to = resolve(directory, given);
  if (existsSync(to)) throw new UsageError(`${given} exists already; a copy is made in a directory of its own.`);
  return to;
}

function nothingIn(dataDir: string): ConfigError {
  return new ConfigError([
    `DATA_DIR is ${resolve(dataDir)}, and holds neither jobs nor reports of the gateway. Set it as for the gateway. Redis ` +
      'and the bucket are backed up there: deploy/backup.md says how.',
  ]);
}

const EVERY_MS = 5_000;

/** Limits progress messages to one in {@link EVERY_MS}. */
function nowAndThen(progress: (line: string) => void): (done: number, total: number) => void {
  let shownAt = performance.now();
  return (done, total) => {
    if (performance.now() - shownAt < EVERY_MS) return;
    shownAt = performance.now();
    progress(`${done} of ${total} reports`);
  };
}

function describe(from: DataDirectory, to: string, files: number, bytes: number): string {
  const reports = `${files} ${files === 1 ? 'report' : 'reports'} (${(bytes / 1e6).toFixed(1)} MB)`;
  const parts = [
    from.jobs === undefined ? '' : 'jobs and queue',
    from.objects === undefined ? '' : reports,
    from.key === undefined ? '' : 'the key of jobs',
  ];
  const copied = `${to}: ${parts.filter(Boolean).join(', ')}.`;
  if (from.key !== undefined || from.jobs === undefined) return copied;
  return `${copied}\nKeep JOB_ENCRYPTION_KEY apart: waiting jobs cannot be read without it.`;
}

const KEY_FILE = 'job-encryption-key';

interface CopiedFiles {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Copies files that are written atomically and never changed. Files that are added during the copy, or removed before
 * they are copied, are left out. Each copy is on the disk when this resolves.
 *
 * @param from directory; may be absent
 * @param temporary directory for unfinished files, on the file system of `to`
 * @throws {Error} of the operating system, or the signal's reason
 */
async function copyFiles(
  from: string,
  to: string,
  temporary: string,
  { signal, onProgress }: Pick<CopyOptions, 'signal' | 'onProgress'>,
): Promise<CopiedFiles> {
  const names = await filesBelow(from);
  let [files, bytes] = [0, 0];
  await makeDirectory(to, 0o700);
  for (const [index, name] of names.entries()) {
    signal.throwIfAborted();
    onProgress(index, names.length);
    const copy = { root: to, temporary, file: join(to, name) };
    const size = await ifExists(writeDurably(createReadStream(join(from, name)), copy));
    if (size === undefined) continue;
    // The table of a report is part of it.
    if (!name.endsWith('.csv')) files += 1;
    bytes += size;
  }
  return { files, bytes };
}

/** Returns the paths of all files below a directory, relative to the root. A missing directory has none. */
async function filesBelow(directory: string, root = directory): Promise<string[]> {
  const entries = await ifExists(readdir(directory, { withFileTypes: true }));
  const found: string[] = [];
  for (const entry of entries ?? []) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) found.push(...(await filesBelow(path, root)));
    if (entry.isFile()) found.push(relative(root, path));
  }
  return found;
}

/** Paths to copy below `DATA_DIR`. */
interface DataDirectory {
  /** File of jobs; undefined if they are in Redis. */
  readonly jobs: string | undefined;
  /** Undefined if reports are in a bucket. */
  readonly objects: string | undefined;
  /** Key of jobs; undefined if it is configured. */
  readonly key: string | undefined;
}

function lookInto(dataDir: string): DataDirectory {
  const ifThere = (name: string): string | undefined => {
    const path = join(dataDir, name);
    return existsSync(path) ? path : undefined;
  };
  return { jobs: ifThere(DATABASE_FILE), objects: ifThere('objects'), key: ifThere(KEY_FILE) };
}

interface CopyOptions {
  /** Must not exist. */
  readonly to: string;
  readonly signal: AbortSignal;
  /** Receives the number of copied reports and of all reports. */
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Copies a data directory that a gateway uses, so that another gateway can start on the copy. The copy is named
 * `{to}.partial` until it is complete.
 *
 * Reports are copied after the records: each report was on the disk before its record named it, so the copy holds every
 * report that its records name.
 *
 * @returns the number and size of the copied reports
 * @throws {Error} of the operating system or SQLite, or the signal's reason; the partial copy is removed
 */
async function copyDataDirectory(from: DataDirectory, options: CopyOptions): Promise<CopiedFiles> {
  const { to } = options;
  const root = `${to}.partial`;
  const temporary = join(root, 'tmp');
  await rm(root, { recursive: true, force: true });
  try {
    await makeDirectory(root, 0o700);
    if (from.key !== undefined) {
      const copy = { root, temporary, file: join(root, KEY_FILE) };
      await ifExists(writeDurably(createReadStream(from.key), copy));
    }
    if (from.jobs !== undefined) await copyDatabase(from.jobs, join(root, DATABASE_FILE));
    const { objects } = placesIn(join(root, 'objects'));
    const reports =
      from.objects === undefined
        ? { files: 0, bytes: 0 }
        : await copyFiles(placesIn(from.objects).objects, objects, temporary, options);
    await rm(temporary, { recursive: true, force: true });
    await rename(root, to);
    await syncToDisk(dirname(to));
    return reports;
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw error;
  }
}

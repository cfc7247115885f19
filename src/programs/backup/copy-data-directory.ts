import { existsSync, createReadStream } from 'node:fs';
import { rename, rm, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { copyDatabase, DATABASE_FILE } from '../../jobs/engines/sqlite/database-file.js';
import { makeDirectory, syncToDisk } from '../../base/config/make-directory.js';
import { ifExists, placesIn, writeDurably } from '../../objects/files/durable-files.js';

const KEY_FILE = 'job-encryption-key';

/** Number and total size of copied files. */
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
    files += 1;
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
export interface DataDirectory {
  /** File of jobs; undefined if they are in Redis. */
  readonly jobs: string | undefined;
  /** Undefined if reports are in a bucket. */
  readonly objects: string | undefined;
  /** Key of jobs; undefined if it is configured. */
  readonly key: string | undefined;
}

/** Finds the contents of a data directory. */
export function lookInto(dataDir: string): DataDirectory {
  const ifThere = (name: string): string | undefined => {
    const path = join(dataDir, name);
    return existsSync(path) ? path : undefined;
  };
  return { jobs: ifThere(DATABASE_FILE), objects: ifThere('objects'), key: ifThere(KEY_FILE) };
}

export interface CopyOptions {
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
export async function copyDataDirectory(from: DataDirectory, options: CopyOptions): Promise<CopiedFiles> {
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

import { existsSync, createReadStream } from 'node:fs';
import { rename, rm, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { copyDatabase, DATABASE_FILE } from '../engines/sqlite/database-file.js';
import { makeDirectory } from '../config/make-directory.js';
import { syncDirectory, placesIn, writeDurably } from '../objects/files/durable-files.js';
import { hasCode } from '../errors.js';

/** Number and total size of copied files. */
interface CopiedFiles {
  readonly files: number;
  readonly bytes: number;
}

/** Source and destination of a copy. */
interface FileCopy {
  /** May be absent. */
  readonly from: string;
  readonly to: string;
  /** Directory for unfinished files, on the file system of `to`. */
  readonly temporary: string;
  /** Receives, before each file, the number of files done and of all files. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Copies files that are written atomically and never changed. Files added later, and those removed before their turn,
 * are left out. Each copy is on the disk when this resolves.
 *
 * @throws {Error} of the operating system, or the signal's reason
 */
async function copyFiles({ from, to, temporary, onProgress, signal }: FileCopy): Promise<CopiedFiles> {
  const names = await filesBelow(from);
  let [files, bytes] = [0, 0];
  await makeDirectory(to, 0o700);
  for (const [index, name] of names.entries()) {
    signal.throwIfAborted();
    onProgress?.(index, names.length);
    const size = await copyFile(join(from, name), { root: to, temporary, file: join(to, name) });
    if (size === undefined) continue;
    files += 1;
    bytes += size;
  }
  return { files, bytes };
}

/**
 * Copies one such file.
 *
 * @returns its size in bytes; undefined if it does not exist
 */
async function copyFile(file: string, place: Parameters<typeof writeDurably>[1]): Promise<number | undefined> {
  try {
    return await writeDurably(createReadStream(file), place);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Returns the paths of all files below a directory, relative to the root. Missing directories have none. */
async function filesBelow(directory: string, root = directory): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  });
  const found: string[] = [];
  for (const entry of entries) {
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
  return { jobs: ifThere(DATABASE_FILE), objects: ifThere('objects'), key: ifThere('job-encryption-key') };
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
  const { to, signal, onProgress } = options;
  const root = `${to}.partial`;
  const temporary = join(root, 'tmp');
  await rm(root, { recursive: true, force: true });
  try {
    await makeDirectory(root, 0o700);
    if (from.key !== undefined) {
      await copyFile(from.key, { root, temporary, file: join(root, 'job-encryption-key') });
    }
    if (from.jobs !== undefined) await copyDatabase(from.jobs, join(root, DATABASE_FILE));
    const objects = placesIn(join(root, 'objects')).objects;
    const reports =
      from.objects === undefined
        ? { files: 0, bytes: 0 }
        : await copyFiles({ from: placesIn(from.objects).objects, to: objects, temporary, signal, onProgress });
    await rm(temporary, { recursive: true, force: true });
    await rename(root, to);
    await syncDirectory(dirname(to));
    return reports;
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw error;
  }
}

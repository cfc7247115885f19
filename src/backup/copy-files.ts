import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { hasCode } from '../errors.js';
import { makeDirectory } from '../config/make-directory.js';
import { writeDurably } from '../objects/files/durable-files.js';

/** Number and total size of copied files. */
export interface CopiedFiles {
  readonly files: number;
  readonly bytes: number;
}

/** Source and destination of a copy. */
export interface FileCopy {
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
export async function copyFiles({ from, to, temporary, onProgress, signal }: FileCopy): Promise<CopiedFiles> {
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
export async function copyFile(file: string, place: Parameters<typeof writeDurably>[1]): Promise<number | undefined> {
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

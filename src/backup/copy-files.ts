import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { hasCode } from '../errors.js';
import { makeDirectory } from '../config/make-directory.js';
import { writeDurably } from '../objects/files/durable-files.js';

/** What was copied. */
export interface CopiedFiles {
  readonly files: number;
  readonly bytes: number;
}

/** A directory to copy, and where to. */
export interface FileCopy {
  /** One that is not there has no files. */
  readonly from: string;
  readonly to: string;
  /** Directory for files that are being written, on the file system of `to`. */
  readonly temporary: string;
  /** Told before each file how many are behind it and how many there are. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Copies files that are written whole and never changed, while others come and go: what comes later is left out, and
 * what goes while it is being copied too. Each is on the disk when this resolves.
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
 * @returns its size in bytes; undefined when it is not there, or not any more
 */
export async function copyFile(file: string, place: Parameters<typeof writeDurably>[1]): Promise<number | undefined> {
  try {
    return await writeDurably(createReadStream(file), place);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** The paths of all files below a directory, from there. Directories that go meanwhile have none. */
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

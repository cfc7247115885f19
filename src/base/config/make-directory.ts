import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from '../errors.js';

/**
 * Creates a directory with its parents; an existing one stays as it is. The recursive `mkdir` of Node.js never returns
 * if the file system reports ENOENT below a directory that exists, as `/proc` does.
 *
 * @param mode of every created directory
 * @throws {Error} of the operating system
 */
export async function makeDirectory(path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return;
    if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error;
    await makeDirectory(dirname(path), mode);
    // There is one retry, because a second ENOENT is permanent.
    await mkdir(path, { mode }).catch((again: unknown) => {
      // Another process may have been first.
      if (!hasCode(again, 'EEXIST')) throw again;
    });
  }
}

/** Syncs a file, or the names in a directory, to the disk. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

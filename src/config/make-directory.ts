import { mkdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from '../errors.js';

/*
 * Node.js can create a directory with those above it by itself, and then never returns where the file system says of a
 * directory that is there that it does not exist, as `/proc` does: it tries the one above and this one in turn.
 */

/**
 * Creates a directory with those above it; one that is there stays as it is.
 *
 * @param mode of every directory that is created
 * @throws {Error} of the operating system
 */
export async function makeDirectory(path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return;
    if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error;
    await makeDirectory(dirname(path), mode);
    // Once: what still does not exist never will.
    await mkdir(path, { mode }).catch(unlessThere);
  }
}

/** The same at once, for code that must not wait. */
export function makeDirectorySync(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return;
    if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error;
    makeDirectorySync(dirname(path), mode);
    try {
      mkdirSync(path, { mode });
    } catch (again) {
      unlessThere(again);
    }
  }
}

/** Somebody else may have been first. */
function unlessThere(error: unknown): void {
  if (!hasCode(error, 'EEXIST')) throw error;
}

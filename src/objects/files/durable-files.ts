import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { hasCode } from '../../base/errors.js';
import { makeDirectory, syncToDisk } from '../../base/config/make-directory.js';

/** Directories of an object store in files. */
interface Places {
  readonly root: string;
  /** Complete objects. */
  readonly objects: string;
  /** Unfinished files. */
  readonly temporary: string;
}

/** @param directory root of the store; relative to the current directory */
export function placesIn(directory: string): Places {
  const root = resolve(directory);
  return { root, objects: join(root, 'objects'), temporary: join(root, 'tmp') };
}

/** Size up to which small chunks are collected for the next write. */
const highWaterMark = 256 * 1024;

/**
 * Writes a stream to a file atomically: to a temporary file first, which then replaces the final one. Resolves when
 * content, name and every directory on the path are on the disk.
 *
 * @param chunks content; errors of the stream are rethrown unchanged, and no file is left behind
 * @param place.root directory below which directories are created and synced
 * @param place.temporary directory for temporary files, on the same file system
 * @param place.file path of the final file
 * @returns the size in bytes
 */
export async function writeDurably(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  place: { readonly root: string; readonly temporary: string; readonly file: string },
): Promise<number> {
  await makeDirectory(place.temporary);
  const temporaryFile = join(place.temporary, randomUUID());
  try {
    const handle = await open(temporaryFile, 'wx', 0o600);
    const temporary = handle.createWriteStream({ flush: true, highWaterMark });
    await pipeline(chunks, temporary);
    await moveInto(place.file, temporaryFile);
    await syncDirectories(dirname(place.file), place.root);
    return temporary.bytesWritten;
  } catch (error) {
    await rm(temporaryFile, { force: true });
    throw error;
  }
}

/** Moves a file; retries because the sweeper may remove an empty directory between its creation and its use. */
async function moveInto(place: string, file: string, tries = 3): Promise<void> {
  try {
    await makeDirectory(dirname(place));
    await rename(file, place);
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || tries === 1) throw error;
    await moveInto(place, file, tries - 1);
  }
}

/** Syncs a directory and its ancestors up to the root's parent, because any of them may be new. */
async function syncDirectories(directory: string, root: string): Promise<void> {
  for (let current = directory; ; current = dirname(current)) {
    await syncToDisk(current);
    if (relative(current, dirname(root)) === '') return;
  }
}

/** Awaits the use of a file; undefined if the file is missing. @param otherCodes mean that too, besides `ENOENT` */
export async function ifExists<T>(use: Promise<T>, ...otherCodes: readonly string[]): Promise<T | undefined> {
  return use.catch((error: unknown) => {
    if (hasCode(error, 'ENOENT', ...otherCodes)) return undefined;
    throw error;
  });
}

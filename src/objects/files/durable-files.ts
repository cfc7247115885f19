import { randomUUID, createHash } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { hasCode, byCode, describeError } from '../../base/errors.js';
import { makeDirectory, syncToDisk } from '../../base/config/make-directory.js';
import { requireObjectKey } from '../object-store.js';

/**
 * Returns the directories of a store: its root, of complete objects, and of unfinished files.
 *
 * @param directory root of the store; relative to the current directory
 */
export function placesIn(directory: string) {
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

const RIGHTS = 'Give the user of the gateway the right to write below DATA_DIR.';
const OBSTACLE = 'Something else lies below DATA_DIR where reports have to go. Remove it.';
const SPACE = 'The disk of DATA_DIR is full. Make room; old reports are removed by themselves.';
const FILES = 'The gateway may not open more files. Raise the limit (ulimit -n).';
const DISK = 'The disk of DATA_DIR cannot be used. Check it.';

/** Faults by code of the operating system (errno). */
const FAULTS: Readonly<Record<string, string>> = {
  EACCES: `Reports may not be stored. ${RIGHTS}`,
  EPERM: `Reports may not be stored. ${RIGHTS}`,
  EROFS: 'The file system of DATA_DIR is read-only. Mount it so that it can be written.',
  ENOTDIR: OBSTACLE,
  EISDIR: OBSTACLE,
  EEXIST: OBSTACLE,
  ENOSPC: SPACE,
  EDQUOT: SPACE,
  EMFILE: FILES,
  ENFILE: FILES,
};

/** Describes an error of the file system: the fault and what to change. */
export function fileFaultOf(error: unknown): string {
  return `${byCode(error, FAULTS) ?? DISK} (${describeError(error)})`;
}

/** File opened for download. */
export interface OpenFile {
  /** In bytes. */
  readonly size: number;
  /** Must be read to its end or destroyed. */
  readonly stream: Readable;
}

/** Opens the file of an object; undefined if there is none. */
export async function openObject(file: string): Promise<OpenFile | undefined> {
  const facts = await ifExists(stat(file), 'ENOTDIR');
  if (facts?.isFile() !== true) return undefined;
  const handle = await open(file, 'r');
  const { size } = await handle.stat();
  return { size, stream: handle.createReadStream() };
}

/** Maximum length of a segment that is used as a file name unchanged; file systems allow 255 bytes. */
const MAX_PLAIN_SEGMENT_BYTES = 200;

/**
 * Returns the path of the file of an object: `{content type}/{key}` below the directory of all objects. A long segment
 * is cut and made unique by its SHA-256.
 *
 * @throws {TypeError} if the key is invalid
 */
export function objectFile(objects: string, contentType: string, key: string): string {
  requireObjectKey(key);
  const segments = key.split('/').map((segment) => {
    if (Buffer.byteLength(segment) <= MAX_PLAIN_SEGMENT_BYTES) return segment;
    const hash = createHash('sha256').update(segment).digest('hex');
    // One byte longer than any plain segment, so that the two cannot collide.
    const readable = segment
      .replace(/[^!-~]/g, '_')
      .slice(0, 136)
      .padEnd(136, '_');
    return `${readable}~${hash}`;
  });
  return join(objects, encodeURIComponent(contentType), ...segments);
}

import { statfsSync } from 'node:fs';

const MEBIBYTE = 1_048_576;

/**
 * Room, in bytes, that has to be left on the disk before anything is written; more than is ever written at once. LMDB
 * must not meet a full disk: when it cannot write a page of a transaction within another one, its memory is in disorder
 * afterwards, and sooner or later the process is aborted.
 */
const NEEDED_BYTES = 32 * MEBIBYTE;

/**
 * Looks how much room is left on the disk of a directory, which takes some microseconds.
 *
 * @returns what is wrong, without the name of the directory; undefined when there is enough, or nobody can tell
 */
export function lackOfRoom(directory: string): string | undefined {
  const left = bytesLeft(directory);
  if (left === undefined || left >= NEEDED_BYTES) return undefined;
  return `of ${mebibytes(NEEDED_BYTES)} MiB that must be free ${mebibytes(left)} are`;
}

function bytesLeft(directory: string): number | undefined {
  try {
    const { bavail, blocks, bsize } = statfsSync(directory);
    // Some file systems do not count.
    return blocks === 0 ? undefined : bavail * bsize;
  } catch {
    return undefined;
  }
}

function mebibytes(bytes: number): string {
  return String(Math.floor(bytes / MEBIBYTE));
}

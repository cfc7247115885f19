import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { requireObjectKey } from '../object-store.js';
import { ifExists } from './durable-files.js';

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

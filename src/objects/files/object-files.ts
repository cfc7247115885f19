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

/** Mapping of objects to files: `{content type}/{key}` below one directory. */
export class ObjectFiles {
  readonly #directory: string;

  /** @param directory of objects of every content type */
  constructor(directory: string, contentType: string) {
    this.#directory = join(directory, encodeURIComponent(contentType));
  }

  /** Returns the path of the file of an object. @throws {TypeError} if the key is invalid */
  path(key: string): string {
    return join(this.#directory, toFilePath(key));
  }

  /** Opens an object; undefined if there is none. */
  async open(key: string): Promise<OpenFile | undefined> {
    const file = this.path(key);
    const facts = await ifExists(stat(file), 'ENOTDIR');
    if (facts?.isFile() !== true) return undefined;
    const handle = await open(file, 'r');
    const { size } = await handle.stat();
    return { size, stream: handle.createReadStream() };
  }
}

/** Maximum length of a segment that is used as a file name unchanged; file systems allow 255 bytes. */
const MAX_PLAIN_SEGMENT_BYTES = 200;

/** Returns the path of a key's file. A long segment is cut and made unique by its SHA-256. */
function toFilePath(key: string): string {
  requireObjectKey(key);
  return join(
    ...key.split('/').map((segment) => {
      if (Buffer.byteLength(segment) <= MAX_PLAIN_SEGMENT_BYTES) return segment;
      const hash = createHash('sha256').update(segment).digest('hex');
      // One byte longer than any plain segment, so that the two cannot collide.
      const readable = segment
        .replace(/[^!-~]/g, '_')
        .slice(0, 136)
        .padEnd(136, '_');
      return `${readable}~${hash}`;
    }),
  );
}

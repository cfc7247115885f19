import { createHash } from 'node:crypto';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { hasCode } from '../../errors.js';

import { parseObjectKey } from '../object-key.js';

/** File opened for download. */
export interface OpenFile {
  /** In bytes. */
  readonly size: number;
  readonly contentType: string;
  /** Must be read to its end or destroyed. */
  readonly stream: Readable;
}

/** Mapping of objects to files: `{content type}/{key}` below one directory. */
export class ObjectFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Returns the path of the file of an object. @throws {TypeError} if the key is invalid */
  path(key: string, contentType: string): string {
    return join(this.#directory, encodeURIComponent(contentType), toFilePath(key));
  }

  /** Opens an object; undefined if there is none. */
  async open(key: string): Promise<OpenFile | undefined> {
    const found = await this.#findNewest(key);
    if (found === undefined) return undefined;
    const handle = await open(found.file, 'r');
    const { size } = await handle.stat();
    return { size, contentType: found.contentType, stream: handle.createReadStream() };
  }

  /** Removes earlier versions of an object with other content types. */
  async removeOtherTypes(key: string, contentType: string): Promise<void> {
    const others = (await this.#types()).filter((other) => other !== contentType);
    await Promise.all(others.map((other) => rm(this.path(key, other), { force: true })));
  }

  /** Finds the newest file: there can be two after a crash between the write and `removeOtherTypes`. */
  async #findNewest(key: string): Promise<{ readonly file: string; readonly contentType: string } | undefined> {
    const candidates = await Promise.all(
      (await this.#types()).map(async (contentType) => {
        const file = this.path(key, contentType);
        const facts = await ifExists(stat(file));
        return { file, contentType, writtenAt: facts?.isFile() === true ? facts.mtimeMs : undefined };
      }),
    );
    return candidates
      .filter(({ writtenAt }) => writtenAt !== undefined)
      .sort((a, b) => (b.writtenAt ?? 0) - (a.writtenAt ?? 0))[0];
  }

  async #types(): Promise<readonly string[]> {
    return ((await ifExists(readdir(this.#directory))) ?? []).map(decodeURIComponent);
  }
}

/** Maximum length of a segment that is used as a file name unchanged; file systems allow 255 bytes. */
const MAX_PLAIN_SEGMENT_BYTES = 200;

/** Returns the path of a key's file. A long segment is cut and made unique by its SHA-256. */
function toFilePath(key: string): string {
  return join(
    ...parseObjectKey(key).map((segment) => {
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

async function ifExists<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

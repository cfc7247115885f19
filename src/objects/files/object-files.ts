import { createHash } from 'node:crypto';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { hasCode } from '../../errors.js';

import { parseObjectKey } from '../object-key.js';

/** A file that was opened to be handed out. */
export interface OpenFile {
  /** In bytes. */
  readonly size: number;
  readonly contentType: string;
  /** To be read to its end or destroyed. */
  readonly stream: Readable;
}

/** Which file holds which object: `{content type}/{key}` below one directory. */
export class ObjectFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Path of the file of an object. @throws {TypeError} when the key cannot be one */
  path(key: string, contentType: string): string {
    return join(this.#directory, encodeURIComponent(contentType), toFilePath(key));
  }

  /** Opens an object; undefined when there is none. */
  async open(key: string): Promise<OpenFile | undefined> {
    const found = await this.#findNewest(key);
    if (found === undefined) return undefined;
    const handle = await open(found.file, 'r');
    const { size } = await handle.stat();
    return { size, contentType: found.contentType, stream: handle.createReadStream() };
  }

  /** Removes an object that was stored before with another content type. */
  async removeOtherTypes(key: string, contentType: string): Promise<void> {
    const others = (await this.#types()).filter((other) => other !== contentType);
    await Promise.all(others.map((other) => rm(this.path(key, other), { force: true })));
  }

  /** There is one file unless a crash came between writing it and removing that of another content type. */
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

/** Maximum length of a segment that is a file name as it is; file systems take 255 bytes. */
const MAX_PLAIN_SEGMENT_BYTES = 200;

/** The path of a key's file. A long segment is cut and told apart by its SHA-256. */
function toFilePath(key: string): string {
  return join(
    ...parseObjectKey(key).map((segment) => {
      if (Buffer.byteLength(segment) <= MAX_PLAIN_SEGMENT_BYTES) return segment;
      const hash = createHash('sha256').update(segment).digest('hex');
      // One byte longer than any plain segment, so the two can never be mistaken for each other.
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

import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';

import { ServiceUnavailableError } from '../errors.js';
import type { KeyRing } from '../key-ring.js';
import { createDownloadLinks } from './download-links.js';
import { removeLeftovers, writeDurably } from './durable-files.js';
import { encodeKeyPart } from './job-record.js';
import { parseObjectKey } from './object-key.js';
import type { ObjectStore, PutOptions } from './object-store.js';
import { untilAborted } from './until-aborted.js';

/** Where objects are kept and how they are linked. */
export interface FileObjectStoreOptions {
  /** Created when missing. */
  readonly directory: string;
  /** Prefix of every route: empty, or starting with `/` and not ending with one. */
  readonly basePath: string;
  readonly keyRing: KeyRing;
  /** Milliseconds since 1970; the system's clock by default. */
  readonly clock?: () => number;
}

/** What a signed link led to. */
export type SignedObject =
  /** The link was not made by this store, was changed, or has expired. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'missing' }
  | {
    readonly kind: 'found';
    /** In bytes. */
    readonly size: number;
    readonly contentType: string;
    readonly downloadName: string;
    /** To be read to its end or destroyed. */
    readonly stream: Readable;
  };

/** An object store whose links lead to the gateway itself. */
export interface FileObjectStore extends ObjectStore {
  /**
   * Opens the object of a link that {@link ObjectStore.downloadUrl} made.
   *
   * @param key the path behind `/files/`, each segment decoded
   * @param exp the link's query parameter
   * @param sig the link's query parameter
   * @throws {ServiceUnavailableError} when the file cannot be read
   */
  openSigned(key: string, exp: string, sig: string): Promise<SignedObject>;
}

/**
 * Keeps objects as plain files, `objects/{content type}/{key}` below the directory. What crashes left behind is
 * removed a day later, at the next start.
 */
export function createFileObjectStore(options: FileObjectStoreOptions): FileObjectStore {
  const { basePath, keyRing, clock = Date.now } = options;
  const root = resolve(options.directory);
  const temporary = join(root, 'tmp');
  const objects = join(root, 'objects');
  const links = createDownloadLinks({ basePath, keyRing, clock });
  // Leftovers cost nothing but space, so what hinders their removal hinders nothing else.
  removeLeftovers(temporary, clock()).catch(() => undefined);

  return {
    async put(key, body, { contentType, signal }: PutOptions) {
      const path = toFilePath(parseObjectKey(key));
      const chunks = watched(untilAborted(body, signal));
      try {
        const file = join(objects, encodeKeyPart(contentType), path);
        const size = await writeDurably(chunks.stream, { root, temporary, file });
        await removeOtherTypes(objects, contentType, path);
        return { size };
      } catch (error) {
        throw chunks.failed() ? error : unavailable(error);
      }
    },

    downloadUrl: (key, { expiresInMs, downloadName }) => new Promise((resolve) => {
      parseObjectKey(key);
      resolve(links.create(key, { expiresInMs, downloadName }));
    }),

    async openSigned(key, exp, sig) {
      const link = links.verify(key, exp, sig);
      if (link === undefined) return { kind: 'refused' };
      try {
        return await openObject(objects, toFilePath(parseObjectKey(key)), link.downloadName);
      } catch (error) {
        throw unavailable(error);
      }
    },

    async ping() {
      try {
        await mkdir(root, { recursive: true });
        await readdir(root);
      } catch (error) {
        throw unavailable(error);
      }
    },
  };
}

async function openObject(objects: string, path: string, downloadName: string): Promise<SignedObject> {
  const found = await findNewest(objects, path);
  if (found === undefined) return { kind: 'missing' };
  const handle = await open(found.file, 'r');
  const { size } = await handle.stat();
  const stream = handle.createReadStream();
  return { kind: 'found', size, contentType: found.contentType, downloadName, stream };
}

/** There is one unless a crash came between writing an object and removing it under its former content type. */
async function findNewest(
  objects: string,
  path: string,
): Promise<{ readonly file: string; readonly contentType: string } | undefined> {
  const candidates = await Promise.all((await readTypes(objects)).map(async (directory) => {
    const file = join(objects, directory, path);
    const facts = await ifExists(stat(file));
    const writtenAt = facts?.isFile() === true ? facts.mtimeMs : undefined;
    return { file, contentType: decodeURIComponent(directory), writtenAt };
  }));
  return candidates
    .filter(({ writtenAt }) => writtenAt !== undefined)
    .sort((a, b) => (b.writtenAt ?? 0) - (a.writtenAt ?? 0))[0];
}

async function removeOtherTypes(objects: string, contentType: string, path: string): Promise<void> {
  const others = (await readTypes(objects)).filter((directory) => directory !== encodeKeyPart(contentType));
  await Promise.all(others.map((directory) => rm(join(objects, directory, path), { force: true })));
}

async function readTypes(objects: string): Promise<readonly string[]> {
  return await ifExists(readdir(objects)) ?? [];
}

/** Longest segment that is a file name as it is; file systems take 255 bytes. */
const LONGEST_PLAIN_SEGMENT_BYTES = 200;

/** The path of a key's file. A long segment is cut and told apart by its SHA-256. */
function toFilePath(segments: readonly string[]): string {
  return join(...segments.map((segment) => {
    if (Buffer.byteLength(segment) <= LONGEST_PLAIN_SEGMENT_BYTES) return segment;
    const hash = createHash('sha256').update(segment).digest('hex');
    // One byte longer than any plain segment, so the two can never be mistaken for each other.
    const readable = segment.replace(/[^!-~]/g, '_').slice(0, 136).padEnd(136, '_');
    return `${readable}~${hash}`;
  }));
}

/** Tells a failure of the stream from one of the disk. */
function watched<T>(
  source: AsyncIterable<T>,
): { readonly stream: AsyncIterable<T>; readonly failed: () => boolean } {
  let failed = false;
  async function* watch(): AsyncGenerator<T> {
    try {
      yield* source;
    } catch (error) {
      failed = true;
      throw error;
    }
  }
  return { stream: watch(), failed: () => failed };
}

async function ifExists<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    const missing = typeof error === 'object' && error !== null && 'code' in error
      && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
    if (missing) return undefined;
    throw error;
  }
}

function unavailable(cause: unknown): ServiceUnavailableError {
  return new ServiceUnavailableError('object store', { cause });
}

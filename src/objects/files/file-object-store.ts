import { mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { callSignal } from '../../call-signal.js';
import { ServiceUnavailableError } from '../../errors.js';
import type { KeyRing } from '../../config/key-ring.js';
import { createDownloadLinks } from './download-links.js';
import { removeLeftovers, writeDurably } from './durable-files.js';
import { ObjectFiles, type OpenFile } from './object-files.js';
import { parseObjectKey } from '../object-key.js';
import type { ObjectStore, PutOptions } from '../object-store.js';
import { watchBody } from '../watched-body.js';

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
  | (OpenFile & { readonly kind: 'found'; readonly downloadName: string });

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
  const files = new ObjectFiles(join(root, 'objects'));
  const links = createDownloadLinks({ basePath, keyRing, clock });
  // Leftovers cost nothing but space, so what hinders their removal hinders nothing else.
  removeLeftovers(temporary, clock()).catch(() => undefined);

  return {
    async put(key, body, { contentType, signal }: PutOptions) {
      const file = files.path(key, contentType);
      const call = callSignal(signal);
      const watched = watchBody(body, call);
      try {
        const size = await writeDurably(watched.chunks, { root, temporary, file });
        await files.removeOtherTypes(key, contentType);
        return { size };
      } catch (error) {
        throw watched.failure() === undefined ? unavailable(error) : error;
      } finally {
        call.end();
      }
    },

    downloadUrl: (key, { expiresInMs, downloadName }) =>
      new Promise((answer) => {
        parseObjectKey(key);
        answer(links.create(key, { expiresInMs, downloadName }));
      }),

    async openSigned(key, exp, sig) {
      const link = links.verify(key, exp, sig);
      if (link === undefined) return { kind: 'refused' };
      try {
        const found = await files.open(key);
        return found === undefined ? { kind: 'missing' } : { kind: 'found', ...found, ...link };
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

function unavailable(cause: unknown): ServiceUnavailableError {
  return new ServiceUnavailableError('object store', { cause });
}

import { mkdir, readdir } from 'node:fs/promises';

import { callSignal } from '../call-signal.js';
import type { Logger } from '../../logging/logger.js';
import { makeDirectory } from '../../config/make-directory.js';
import type { KeyRing } from '../../config/key-ring.js';
import { createDownloadLinks } from './download-links.js';
import { writeDurably } from './durable-files.js';
import { errnoOf } from './errno.js';
import { fileFaultOf } from './faults.js';
import { ObjectFiles, type OpenFile } from './object-files.js';
import { placesIn } from './places.js';
import { writeProbeFile, type StoreProbe } from '../store-probe.js';
import { requireObjectKey } from '../object-key.js';
import type { ObjectStore, PutOptions } from '../object-store.js';
import { WatchedStore } from '../store-fault.js';
import { watchBody } from '../watched-body.js';

/** Where objects are kept and how they are linked. */
export interface FileObjectStoreOptions {
  /** Created when missing. */
  readonly directory: string;
  /** What links begin with: a URL or a path, neither ending with `/`, or nothing. */
  readonly linkBase: () => string;
  readonly keyRing: KeyRing;
  readonly logger: Logger;
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
   * @throws {ServiceUnavailableError} when the file cannot be read or may not be
   */
  openSigned(key: string, exp: string, sig: string): Promise<SignedObject>;
  /** Writes a small file and removes it. */
  readonly probe: StoreProbe;
  /** What is wrong with the directory, one line per fault, with what to change; empty when all is well. */
  check(): Promise<readonly string[]>;
}

/** Keeps objects as plain files, `objects/{content type}/{key}` below the directory. */
export function createFileObjectStore(options: FileObjectStoreOptions): FileObjectStore {
  const { linkBase, keyRing, clock = Date.now } = options;
  const { root, objects, temporary } = placesIn(options.directory);
  const files = new ObjectFiles(objects);
  const links = createDownloadLinks({ linkBase, keyRing, clock });
  const store = new WatchedStore(options.logger, fileFaultOf);

  // Faults of the directory are told when it is used.
  const made = makeDirectory(root).catch(() => undefined);
  /** Makes the directories; what lies above them no more, because when that is gone, so are the reports. */
  const makePlaces = async (): Promise<void> => {
    await made;
    for (const place of [root, temporary]) {
      await mkdir(place).catch((error: unknown) => {
        if (errnoOf(error) !== 'EEXIST') throw error;
      });
    }
  };
  const ping = (): Promise<void> =>
    store.ask('reading', async () => {
      await makePlaces();
      await readdir(root);
    });
  const writeProbe = async (): Promise<void> => {
    await makePlaces();
    await writeProbeFile(temporary);
  };

  return {
    async put(key, body, { contentType, signal }: PutOptions) {
      const file = files.path(key, contentType);
      const call = callSignal(signal);
      const watched = watchBody(body, call);
      try {
        const size = await writeDurably(watched.chunks, { root, temporary, file });
        await files.removeOtherTypes(key, contentType);
        store.served('writing');
        return { size };
      } catch (error) {
        throw watched.failure() === undefined ? store.failed('writing', error) : error;
      } finally {
        call.end();
      }
    },

    downloadUrl: (key, { expiresInMs, downloadName }) =>
      new Promise((answer) => {
        requireObjectKey(key);
        answer(links.create(key, { expiresInMs, downloadName }));
      }),

    async openSigned(key, exp, sig) {
      const link = links.verify(key, exp, sig);
      if (link === undefined) return { kind: 'refused' };
      const found = await store.ask('reading', () => files.open(key));
      return found === undefined ? { kind: 'missing' } : { kind: 'found', ...found, ...link };
    },

    ping,

    probe: { ping, write: () => store.ask('writing', writeProbe), isInDoubt: () => store.isInDoubt() },

    check: () =>
      writeProbe().then(
        () => [],
        (error: unknown) => [fileFaultOf(error)],
      ),
  };
}

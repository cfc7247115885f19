import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { FaultLog } from '../../base/logging/fault-log.js';
import { hasCode } from '../../base/errors.js';
import { watchBody } from '../watched-body.js';
import type { Logger } from '../../base/logging/logger.js';
import { makeDirectory } from '../../base/config/make-directory.js';
import type { KeyRing } from '../../base/config/key-ring.js';
import {
  writeDurably,
  placesIn,
  fileFaultOf,
  objectFile,
  openObject,
  type OpenFile,
  ifExists,
} from './durable-files.js';
import { writeProbeFile, type StoreProbe } from '../store-probe.js';
import {
  LINK_LIFETIME_MS,
  contentTypeOf,
  requireObjectKey,
  type ReportStore,
  BODY_CONTENT_TYPE,
  type BodyStore,
} from '../object-store.js';

export interface FileObjectStoreOptions {
  /** Created if missing. */
  readonly directory: string;
  /** Prefix of links: a URL or a path, without a trailing `/`, or empty. */
  readonly linkBase: () => string;
  readonly keyRing: KeyRing;
  readonly logger: Logger;
  /** Milliseconds since 1970; the system's clock by default. */
  readonly clock?: () => number;
}

/** Result of opening a signed link. */
export type SignedObject =
  /** The link was not made by this store, was changed, has expired, or is valid for too long. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'missing' }
  | (OpenFile & { readonly kind: 'found'; readonly downloadName: string; readonly contentType: string });

/** Reads the objects of signed links. */
export type SignedObjects = Pick<FileObjectStore, 'openSigned'>;

/** Object store of files, `objects/{content type}/{key}` below the directory, with links to the gateway itself. */
export class FileObjectStore implements Omit<ReportStore, 'close'> {
  readonly #places: ReturnType<typeof placesIn>;
  readonly #links: ReturnType<typeof createDownloadLinks>;
  readonly #store: FaultLog;
  /** A failure is ignored here, because every use of the directory reports it. */
  readonly #made: Promise<unknown>;
  readonly probe: StoreProbe;

  constructor({ directory, linkBase, keyRing, logger, clock = Date.now }: FileObjectStoreOptions) {
    this.#places = placesIn(directory);
    this.#links = createDownloadLinks({ linkBase, keyRing, clock });
    this.#store = new FaultLog(logger, 'the object store', fileFaultOf);
    this.#made = makeDirectory(this.#places.root).catch(() => undefined);
    this.probe = {
      ping: () => this.#store.run('reading', () => this.#read()),
      write: () => this.#store.run('writing', () => this.#write()),
      isInDoubt: () => this.#store.isInDoubt,
    };
  }

  /** Files of embedded jobs stay behind when jobs move to Redis, so they tell nothing. */
  wasUsed(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async put(key: string, body: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<{ readonly size: number }> {
    const file = this.#fileOf(key);
    const watched = watchBody(body, signal);
    try {
      const size = await writeDurably(watched.chunks, { ...this.#places, file });
      this.#store.served('writing');
      return { size };
    } catch (error) {
      throw watched.failure() === undefined ? this.#store.failed('writing', error) : error;
    } finally {
      watched.end();
    }
  }

  downloadUrl(key: string, options: Parameters<ReportStore['downloadUrl']>[1]): Promise<string> {
    return new Promise((answer) => answer(this.#links.create(key, options)));
  }

  /**
   * Opens the object of a link from {@link ReportStore.downloadUrl}.
   *
   * @param key the path after `/files/`, each segment decoded
   * @param exp the link's query parameter
   * @param sig the link's query parameter
   * @throws {ServiceUnavailableError} if the file is unreadable or reading is forbidden
   */
  async openSigned(key: string, exp: string, sig: string): Promise<SignedObject> {
    const link = this.#links.verify(key, exp, sig);
    if (link === undefined) return { kind: 'refused' };
    const found = await this.#store.run('reading', () => openObject(this.#fileOf(key)));
    return found === undefined
      ? { kind: 'missing' }
      : { kind: 'found', ...found, ...link, contentType: contentTypeOf(key) };
  }

  check(): Promise<readonly string[]> {
    return this.#store.check(() => this.#write().then(() => []));
  }

  #fileOf(key: string): string {
    return objectFile(this.#places.objects, contentTypeOf(key), key);
  }

  /** Makes the directories, but not missing ancestors: without these, the reports are lost as well. */
  async #makePlaces(): Promise<void> {
    await this.#made;
    const { root, temporary } = this.#places;
    for (const place of [root, temporary]) {
      await mkdir(place).catch((error: unknown) => {
        if (!hasCode(error, 'EEXIST')) throw error;
      });
    }
  }

  async #read(): Promise<void> {
    await this.#makePlaces();
    await readdir(this.#places.root);
  }

  async #write(): Promise<void> {
    await this.#makePlaces();
    await writeProbeFile(this.#places.temporary);
  }
}

type DownloadLinkOptions = Required<Pick<FileObjectStoreOptions, 'linkBase' | 'keyRing' | 'clock'>>;

/**
 * Signs links with an expiry. `exp` is the end of validity in milliseconds since 1970; `sig` holds the download name in
 * base64url, a dot, and the HMAC over method, key, end of validity and download name.
 */
export function createDownloadLinks({ linkBase, keyRing, clock }: DownloadLinkOptions) {
  return {
    /** Makes a link, `{linkBase}/files/{key}?exp=&sig=`. @throws {TypeError} if the key is invalid */
    create(key: string, { expiresInMs, downloadName }: Parameters<ReportStore['downloadUrl']>[1]): string {
      requireObjectKey(key);
      const exp = String(Math.floor(clock() + expiresInMs));
      const [signature] = keyRing.sign('download-link', signedText(key, exp, downloadName));
      const path = PLAIN_PATH.test(key) ? key : key.split('/').map(encodeURIComponent).join('/');
      const name = Buffer.from(downloadName).toString('base64url');
      return `${linkBase()}/files/${path}?exp=${exp}&sig=${name}.${signature}`;
    },

    /** Returns the download name of a genuine, unexpired link; undefined for any other. */
    verify(key: string, exp: string, sig: string): { readonly downloadName: string } | undefined {
      const [, name, signature] = SIG.exec(sig) ?? [];
      if (name === undefined || signature === undefined) return undefined;
      const downloadName = Buffer.from(name, 'base64url').toString();
      // Decoding ignores left-over bits; a link must have only one spelling.
      if (Buffer.from(downloadName).toString('base64url') !== name) return undefined;
      const genuine = keyRing.verify('download-link', signedText(key, exp, downloadName), signature);
      const left = Number(exp) - clock();
      return genuine && left > 0 && left <= MAX_LEFT_MS ? { downloadName } : undefined;
    },
  };
}

/** Longest remaining validity of a link in milliseconds: its lifetime and five minutes between two clocks. */
const MAX_LEFT_MS = LINK_LIFETIME_MS + 300_000;

/** Key that needs no encoding in a URL path. */
const PLAIN_PATH = /^[\w./-]*$/;

/** Download name and HMAC-SHA-256, both in base64url. */
const SIG = /^([\w-]*)\.([\w-]{43})$/;

/** Joins the signed parts as JSON, so that they stay unambiguous. */
function signedText(key: string, exp: string, downloadName: string): string {
  return JSON.stringify(['GET', key, exp, downloadName]);
}

/** Stores large bodies as files among the objects of the directory, so that the sweeper removes leftovers. */
export function createFileBodyStore(options: { readonly directory: string; readonly logger: Logger }): BodyStore {
  const { root, objects, temporary } = placesIn(options.directory);
  const fileOf = (key: string): string => objectFile(objects, BODY_CONTENT_TYPE, key);
  const store = new FaultLog(options.logger, 'the object store', fileFaultOf);

  return {
    put: (key, text) =>
      store.run('writing', async () => {
        await writeDurably([Buffer.from(text)], { root, temporary, file: fileOf(key) });
      }),
    get: (key) => store.run('reading', () => ifExists(readFile(fileOf(key), 'utf8'))),
    remove: (key) => store.run('reading', () => rm(fileOf(key), { force: true })),
    check: () =>
      store.check(async () => {
        await makeDirectory(temporary);
        await writeProbeFile(temporary);
        return [];
      }),
    close: () => undefined,
  };
}

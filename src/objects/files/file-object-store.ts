import { mkdir, readdir } from 'node:fs/promises';
import { hasCode } from '../../errors.js';
import { callSignal, watchBody } from '../watched-body.js';
import type { Logger } from '../../logging/logger.js';
import { makeDirectory } from '../../config/make-directory.js';
import type { KeyRing } from '../../config/key-ring.js';
import { writeDurably, placesIn } from './durable-files.js';
import { fileFaultOf } from './file-faults.js';
import { objectFile, openObject, type OpenFile } from './object-files.js';
import { writeProbeFile, WatchedStore } from '../store-probe.js';
import { LINK_LIFETIME_MS, REPORT_CONTENT_TYPE, requireObjectKey, type ReportStore } from '../object-store.js';

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
  | (OpenFile & { readonly kind: 'found'; readonly downloadName: string });

/** Object store with links to the gateway itself. */
export interface FileObjectStore extends Omit<ReportStore, 'close'> {
  /**
   * Opens the object of a link from {@link ReportStore.downloadUrl}.
   *
   * @param key the path after `/files/`, each segment decoded
   * @param exp the link's query parameter
   * @param sig the link's query parameter
   * @throws {ServiceUnavailableError} if the file is unreadable or reading is forbidden
   */
  openSigned(key: string, exp: string, sig: string): Promise<SignedObject>;
}

/** Stores objects as plain files, `objects/{content type}/{key}` below the directory. */
export function createFileObjectStore(options: FileObjectStoreOptions): FileObjectStore {
  const { linkBase, keyRing, clock = Date.now } = options;
  const { root, objects, temporary } = placesIn(options.directory);
  const fileOf = (key: string): string => objectFile(objects, REPORT_CONTENT_TYPE, key);
  const links = createDownloadLinks({ linkBase, keyRing, clock });
  const store = new WatchedStore(options.logger, fileFaultOf);

  // A failure is ignored here, because every use of the directory reports it.
  const made = makeDirectory(root).catch(() => undefined);
  /** Makes the directories, but not missing ancestors: without these, the reports are lost as well. */
  const makePlaces = async (): Promise<void> => {
    await made;
    for (const place of [root, temporary]) {
      await mkdir(place).catch((error: unknown) => {
        if (!hasCode(error, 'EEXIST')) throw error;
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
    async put(key, body, signal) {
      const file = fileOf(key);
      const call = callSignal(signal);
      const watched = watchBody(body, call);
      try {
        const size = await writeDurably(watched.chunks, { root, temporary, file });
        store.served('writing');
        return { size };
      } catch (error) {
        throw watched.failure() === undefined ? store.failed('writing', error) : error;
      } finally {
        call.end();
      }
    },

    downloadUrl: (key, options) => new Promise((answer) => answer(links.create(key, options))),

    async openSigned(key, exp, sig) {
      const link = links.verify(key, exp, sig);
      if (link === undefined) return { kind: 'refused' };
      const found = await store.ask('reading', () => openObject(fileOf(key)));
      return found === undefined ? { kind: 'missing' } : { kind: 'found', ...found, ...link };
    },

    probe: { ping, write: () => store.ask('writing', writeProbe), isInDoubt: () => store.isInDoubt() },

    check: () => store.check(() => writeProbe().then(() => [])),
  };
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

import { join } from 'node:path';
import type { Config } from '../config/config.js';
import type { KeyRing } from '../config/key-ring.js';
import type { Logger } from '../logging/logger.js';
import { createFileObjectStore, type FileObjectStore } from './files/file-object-store.js';
import { startFileSweeper } from './files/sweeper.js';
import type { StoreProbe } from './store-probe.js';
import type { ObjectStore } from './object-store.js';

/** Object store of reports with its probe and checks. */
export interface ObjectEngine {
  readonly objectStore: ObjectStore;
  /** Present if the gateway serves the objects itself. */
  readonly signedObjects: FileObjectStore | undefined;
  readonly probe: StoreProbe;
  /** Checks the engine. @returns one line per fault, with the change to make */
  check(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * Opens the object store: a bucket if configured, files otherwise.
 *
 * @param linkBase start of download links to the gateway
 */
export async function openObjectEngine(
  config: Config,
  keyRing: KeyRing,
  logger: Logger,
  linkBase: () => string = () => config.publicUrl ?? config.basePath,
): Promise<ObjectEngine> {
  const { dataDir, s3 } = config;
  if (s3 !== undefined) {
    // Loaded only if used: the SDK takes most of the start time of a gateway.
    const { createS3ObjectStore } = await import('./s3/s3-object-store.js');
    const store = createS3ObjectStore({ ...s3, logger });
    return {
      objectStore: store,
      signedObjects: undefined,
      probe: store.probe,
      check: () => store.check(),
      close: () => store.close(),
    };
  }
  const directory = join(dataDir, 'objects');
  const files = createFileObjectStore({ directory, linkBase, keyRing, logger });
  const sweeper = startFileSweeper({ directory, logger });
  return {
    objectStore: files,
    signedObjects: files,
    probe: files.probe,
    check: () => files.check(),
    close: () => sweeper.close(),
  };
}

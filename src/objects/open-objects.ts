import { join } from 'node:path';
import type { KeyRing } from '../base/config/key-ring.js';
import type { ObjectsConfig } from '../base/config/config.js';
import type { Logger } from '../base/logging/logger.js';
import { createFileBodyStore, FileObjectStore, type SignedObjects } from './files/file-object-store.js';
import { startFileSweeper, type OnLargest } from './files/sweeper.js';
import type { BodyStore, ReportStore } from './object-store.js';

/** Store of reports as a gateway uses it. */
interface OpenReports extends ReportStore {
  /** Present if the gateway serves the reports itself. */
  readonly signedObjects?: SignedObjects;
  /** Directory on this machine; absent if there is none. */
  readonly dataDir?: string;
}

/** Object store of an installation. */
export interface Objects {
  /**
   * @param options.linkBase start of download links to the gateway, if it serves the reports itself
   * @param options.onLargest called now and then, if the reports are files
   */
  openReports(options: {
    readonly keyRing: KeyRing;
    readonly linkBase: () => string;
    readonly onLargest: OnLargest | undefined;
  }): OpenReports;
  openBodies(): BodyStore;
}

/** Opens the configured object store. The code of a bucket is loaded only if used, because its SDK takes long. */
export async function openObjects(config: ObjectsConfig, logger: Logger): Promise<Objects> {
  switch (config.kind) {
    case 's3': {
      const { createS3BodyStore, S3ObjectStore } = await import('./s3/s3-object-store.js');
      const options = { ...config, logger };
      return { openReports: () => new S3ObjectStore(options), openBodies: () => createS3BodyStore(options) };
    }
    case 'files': {
      const { dataDir, retentionDays } = config;
      const options = { directory: join(dataDir, 'objects'), logger };
      return {
        openReports({ onLargest, ...links }) {
          const files = new FileObjectStore({ ...options, ...links });
          const sweeper = startFileSweeper({ ...options, retentionDays, onLargest });
          return Object.assign(files, { signedObjects: files, dataDir, close: () => sweeper.close() });
        },
        openBodies: () => createFileBodyStore(options),
      };
    }
  }
}

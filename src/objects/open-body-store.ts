import { join } from 'node:path';
import type { Config } from '../config/config.js';
import type { Logger } from '../logger.js';
import type { BodyStore } from './body-store.js';
import { createFileBodyStore } from './files/file-body-store.js';

/** Opens the store of large bodies: the bucket when it is configured, files otherwise, beside the reports. */
export async function openBodyStore({ dataDir, s3 }: Config, logger: Logger): Promise<BodyStore> {
  if (s3 === undefined) return createFileBodyStore({ directory: join(dataDir, 'objects'), logger });
  // Only what is used is loaded.
  const { createS3BodyStore } = await import('./s3/s3-body-store.js');
  const { endpoint, ...bucket } = s3;
  return createS3BodyStore({ ...bucket, ...(endpoint !== undefined && { endpoint }), logger });
}

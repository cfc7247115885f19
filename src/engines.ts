import { join } from 'node:path';
import type { Config } from './config.js';
import { KeyRing } from './key-ring.js';
import type { Logger } from './logger.js';
import { loadOrCreateMasterKey } from './master-keys.js';
import type { JobQueue, JobSubmission } from './queue/job-queue.js';
import { createFileObjectStore, type FileObjectStore } from './stores/file-object-store.js';
import type { JobStore } from './stores/job-store.js';
import { openEmbeddedEngine } from './queue/lmdb-engine.js';
import type { ObjectStore } from './stores/object-store.js';

/** Where jobs, queue and reports are kept. */
export interface Engines {
  readonly keyRing: KeyRing;
  readonly jobStore: JobStore;
  readonly queue: JobQueue;
  readonly submission: JobSubmission;
  readonly objectStore: ObjectStore;
  /** Present when the gateway serves the objects itself. */
  readonly signedObjects: FileObjectStore | undefined;
  close(): Promise<void>;
}

/** Opens the embedded engines in the data directory. */
export async function openEngines(config: Config, logger: Logger): Promise<Engines> {
  const { dataDir, basePath } = config;
  const keyRing = new KeyRing(config.keys.jobEncryption ?? [await loadOrCreateMasterKey(dataDir)]);
  const engine = await openEmbeddedEngine({
    directory: join(dataDir, 'jobs'),
    logger,
    maxAttempts: config.jobs.maxAttempts,
  });
  const files = createFileObjectStore({ directory: join(dataDir, 'objects'), basePath, keyRing });
  return {
    keyRing,
    jobStore: engine.jobStore,
    queue: engine.queue,
    submission: engine.submission,
    objectStore: files,
    signedObjects: files,
    close: () => engine.close(),
  };
}

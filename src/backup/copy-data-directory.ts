import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyDatabase, DATABASE_FILE } from '../engines/sqlite/database-file.js';
import { makeDirectory } from '../config/make-directory.js';
import { syncDirectory } from '../objects/files/durable-files.js';
import { placesIn } from '../objects/files/places.js';
import { copyFile, copyFiles, type CopiedFiles } from './copy-files.js';

/** What there is to copy below `DATA_DIR`. */
export interface DataDirectory {
  /** The file of jobs; undefined where they are in Redis. */
  readonly jobs: string | undefined;
  /** Undefined where reports are in a bucket. */
  readonly objects: string | undefined;
  /** The key of jobs; undefined where it is configured. */
  readonly key: string | undefined;
}

/** Looks what a data directory holds. */
export function lookInto(dataDir: string): DataDirectory {
  const ifThere = (name: string): string | undefined => {
    const path = join(dataDir, name);
    return existsSync(path) ? path : undefined;
  };
  return { jobs: ifThere(DATABASE_FILE), objects: ifThere('objects'), key: ifThere('job-encryption-key') };
}

/** How a copy is made. */
export interface CopyOptions {
  /** Must not exist. */
  readonly to: string;
  readonly signal: AbortSignal;
  /** Told how many reports are copied, and how many there are. */
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Copies a data directory that a gateway uses, so that another one can be started on the copy. It is complete once it
 * has its name: until then it is called `{to}.partial`.
 *
 * Reports come after the records: each was on the disk before its record said so, and so is in the copy, whatever
 * happens meanwhile.
 *
 * @returns the reports that were copied
 * @throws {Error} of the operating system or SQLite, or the signal's reason; what was copied until then is removed
 */
export async function copyDataDirectory(from: DataDirectory, options: CopyOptions): Promise<CopiedFiles> {
  const { to, signal, onProgress } = options;
  const root = `${to}.partial`;
  const temporary = join(root, 'tmp');
  await rm(root, { recursive: true, force: true });
  try {
    await makeDirectory(root, 0o700);
    if (from.key !== undefined) {
      await copyFile(from.key, { root, temporary, file: join(root, 'job-encryption-key') });
    }
    if (from.jobs !== undefined) await copyDatabase(from.jobs, join(root, DATABASE_FILE));
    const objects = placesIn(join(root, 'objects')).objects;
    const reports =
      from.objects === undefined
        ? { files: 0, bytes: 0 }
        : await copyFiles({ from: placesIn(from.objects).objects, to: objects, temporary, signal, onProgress });
    await rm(temporary, { recursive: true, force: true });
    await rename(root, to);
    await syncDirectory(dirname(to));
    return reports;
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw error;
  }
}

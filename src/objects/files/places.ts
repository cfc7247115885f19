import { join, resolve } from 'node:path';

/** The directories of an object store in files. */
export interface Places {
  readonly root: string;
  /** Objects, whole. */
  readonly objects: string;
  /** Files that are being written. */
  readonly temporary: string;
}

/** @param directory where the store keeps everything; relative to the current one */
export function placesIn(directory: string): Places {
  const root = resolve(directory);
  return { root, objects: join(root, 'objects'), temporary: join(root, 'tmp') };
}

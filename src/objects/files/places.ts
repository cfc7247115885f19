import { join, resolve } from 'node:path';

/** Directories of an object store in files. */
export interface Places {
  readonly root: string;
  /** Complete objects. */
  readonly objects: string;
  /** Unfinished files. */
  readonly temporary: string;
}

/** @param directory root of the store; relative to the current directory */
export function placesIn(directory: string): Places {
  const root = resolve(directory);
  return { root, objects: join(root, 'objects'), temporary: join(root, 'tmp') };
}

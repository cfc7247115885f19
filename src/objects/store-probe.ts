import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How a store is asked whether it can be used. `ping` and `write` throw when it cannot, the error saying why. */
export interface StoreProbe {
  /** Resolves when it answers. */
  ping(): Promise<void>;
  /** Resolves when something small was written; nothing of it is left. */
  write(): Promise<void>;
  /** Whether it failed somebody, and nothing shows yet that it would not again. */
  isInDoubt(): boolean;
}

/** About what a file system gives out at least, so that one that is full shows. */
const PROBE_BYTES = 4_096;

/**
 * Writes a small file to a directory, down to the disk, and removes it. A directory that is gone is not made anew.
 *
 * @throws {Error} of the operating system
 */
export async function writeProbeFile(directory: string): Promise<void> {
  // Always the same name: a process that is killed leaves one file at most.
  const file = join(directory, 'probe');
  try {
    await writeFile(file, Buffer.alloc(PROBE_BYTES), { mode: 0o600, flush: true });
  } finally {
    await rm(file, { force: true });
  }
}

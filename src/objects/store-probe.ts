import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Health checks of a store. `ping` and `write` throw an error with the reason if it is unusable. */
export interface StoreProbe {
  /** Resolves if the store answers. */
  ping(): Promise<void>;
  /** Writes a small object and removes it. */
  write(): Promise<void>;
  /** Returns whether a use failed and has not succeeded since. */
  isInDoubt(): boolean;
}

/** Size of a typical block of a file system, so that writing to a full disk fails. */
const PROBE_BYTES = 4_096;

/** Writes a small file to an existing directory, with a sync, and removes it. @throws {Error} of the system */
export async function writeProbeFile(directory: string): Promise<void> {
  // The name is always the same, so that killed processes leave at most one file.
  const file = join(directory, 'probe');
  try {
    await writeFile(file, Buffer.alloc(PROBE_BYTES), { mode: 0o600, flush: true });
  } finally {
    await rm(file, { force: true });
  }
}

import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.js';
import { KeyRing } from './key-ring.js';

/** Length of a master key in bytes. */
const KEY_BYTES = 32;

/** The keys of this installation: those configured, or one that is kept in the data directory. */
export async function openKeyRing(config: Config): Promise<KeyRing> {
  return new KeyRing(config.keys.jobEncryption ?? [await loadOrCreateMasterKey(config.dataDir)]);
}

/**
 * The key that is kept in the data directory when none is configured: generated at the first start, readable by
 * its owner only, and the same for every process on that directory.
 *
 * @throws {Error} naming the file when it holds something else than a key
 */
async function loadOrCreateMasterKey(dataDir: string): Promise<Uint8Array> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, 'job-encryption-key');
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(randomBytes(KEY_BYTES).toString('base64url'));
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!isAlreadyThere(error)) throw error;
  }
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url');
  if (key.length !== KEY_BYTES)
    throw new Error(`${path} does not hold a key of ${KEY_BYTES} bytes; delete it to make a new one.`);
  return key;
}

function isAlreadyThere(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EEXIST';
}

import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeError, hasCode } from '../errors.js';
import { makeDirectory, syncToDisk } from './make-directory.js';
import { UnusableDataError, type Config } from './config.js';
import { type OnKeyUsed, KeyRing } from './key-ring.js';

const KEY_BYTES = 32;

/** Opens the configured keys, or else the key in the data directory. */
export async function openKeyRing(config: Config, onUsed: OnKeyUsed | undefined): Promise<KeyRing> {
  return new KeyRing(config.keys.jobEncryption ?? [await loadOrCreateMasterKey(config.dataDir)], onUsed);
}

/**
 * Returns the key in the data directory, which the first process there generates, readable by its owner only.
 *
 * @throws {Error} naming the file if it contains no key, or the directory if it is unusable
 */
async function loadOrCreateMasterKey(dataDir: string): Promise<Uint8Array> {
  const path = join(dataDir, 'job-encryption-key');
  const text = await readFile(path, 'utf8')
    .catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return createKeyFile(path);
      throw error;
    })
    .catch((cause: unknown) => {
      const advice = 'Set DATA_DIR to a writable directory on a local disk, or set JOB_ENCRYPTION_KEY.';
      const fault = `The key of jobs cannot be kept in ${dataDir}: ${describeError(cause)}. ${advice}`;
      throw new UnusableDataError(fault, { cause });
    });
  const key = Buffer.from(text.trim(), 'base64url');
  if (key.length !== KEY_BYTES)
    throw new Error(`${path} does not hold a key of ${KEY_BYTES} bytes; delete it to make a new one.`);
  return key;
}

/**
 * Writes a new key to a draft and links the draft to the name, unless another process was first. So the file is never
 * incomplete.
 *
 * @returns content of the file: the key of the first process
 */
async function createKeyFile(path: string): Promise<string> {
  await makeDirectory(dirname(path));
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, randomBytes(KEY_BYTES).toString('base64url'), { mode: 0o600, flush: true });
    await link(draft, path);
    // Jobs on the disk are unreadable without the key.
    await syncToDisk(dirname(path));
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(path, 'utf8');
}

import { open as openFile } from 'node:fs/promises';
import { open } from 'lmdb';

/**
 * Copies an LMDB environment as it is at one moment, while other processes go on writing to it: a read transaction
 * holds that moment, and the pages that nobody needs any more are left out (`mdb_env_copy2` with `MDB_CP_COMPACT`).
 * Until it ends the environment can't use pages again that were freed since, and may grow.
 *
 * @param from the file of the environment, which must be there
 * @param to the file of the copy, which must not
 * @throws {Error} of LMDB or the operating system
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const environment = open(from, { maxDbs: 32, readOnly: true });
  try {
    await environment.backup(to, true);
  } finally {
    await environment.close();
  }
  const copy = await openFile(to, 'r');
  try {
    await copy.sync();
  } finally {
    await copy.close();
  }
}

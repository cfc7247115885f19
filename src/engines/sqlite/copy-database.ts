import { chmodSync } from 'node:fs';
import { open } from 'node:fs/promises';
import Database from 'libsql';
import { Query } from './query.js';

/**
 * Copies the jobs as they are at one moment, while other processes go on writing to them: SQLite's own copy
 * (`VACUUM INTO`), which is one file, without the pages that nobody needs any more. It is checked before this resolves.
 *
 * @param from the file of the jobs, which must be there
 * @param to the file of the copy, which must not
 * @throws {Error} of SQLite or the operating system, or saying what is wrong with the copy
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const source = new Database(from, { timeout: 5_000 });
  try {
    source.exec(`VACUUM INTO '${to.replaceAll("'", "''")}'`);
  } finally {
    source.close();
  }
  chmodSync(to, 0o600);
  const copy = new Database(to, { timeout: 0 });
  try {
    const [verdict] = new Query(copy, 'PRAGMA quick_check(1)').first() ?? [];
    if (verdict !== 'ok') throw new Error(`the copy of ${from} is damaged: ${String(verdict)}`);
  } finally {
    copy.close();
  }
  const file = await open(to, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

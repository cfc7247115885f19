import { describeError } from '../../errors.js';
import { FORMAT, requireKnownFormat } from '../../job-record/format.js';
import type { LmdbDatabase } from './database.js';
import { Table } from './table.js';

const KEY = 'format';

/**
 * Notes in a directory which format is written there from now on. A gateway has its directory alone, so the number
 * stands for everything in it: an older version that comes later is refused before it touches anything.
 *
 * @throws {Error} when a newer version has used the directory; nothing is written then
 */
export async function noteFormat(directory: string, database: LmdbDatabase): Promise<void> {
  const table = new Table<number, string>(database, 'format', Number);
  const stored = await database.read(() => table.get(KEY));
  try {
    requireKnownFormat(`What lies in ${directory}`, stored);
  } catch (error) {
    throw new Error(describeError(error instanceof Error ? error.cause : error), { cause: error });
  }
  if (stored !== FORMAT) await database.transact(() => table.put(KEY, FORMAT));
}

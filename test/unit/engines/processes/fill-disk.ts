/**
 * Writes to a database until the disk takes no more; says what happened and whether it can still be read.
 * Argument: directory. The limit on file size that it is started with stands for a full disk.
 */
import { LmdbDatabase } from '../../../../src/engines/lmdb/database.js';

const [, , directory = ''] = process.argv;
const database = await LmdbDatabase.open(directory);
const table = database.table<string, string>('texts');
const key = (index: number): string => `key-${String(index)}`;

let written = 0;
let failure = '';
while (failure === '') {
  try {
    await database.transact(() => {
      table.putSync(key(written), 'x'.repeat(100_000));
    });
    written += 1;
  } catch (error) {
    failure = error instanceof Error ? error.message : 'no error';
  }
}
const kept = await database.read(() => Array.from({ length: written }, (_, index) => table.get(key(index))?.length));
await database.close();
const allKept = kept.every((length) => length === 100_000);
process.stdout.write(JSON.stringify({ written, failure, allKept }));

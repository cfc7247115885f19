/**
 * Keeps the state that is being released, for the tests of what comes after it: the SDL, and the programs of the image.
 */
import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildPrograms, ROOT } from './built-programs.js';
import { RELEASED_PROGRAMS } from './released-programs.js';

/** Without what only development needs. Names, owners and times are those of every machine, so that bytes are too. */
const OPTIONS = [
  '--sort=name',
  '--owner=0',
  '--group=0',
  '--mtime=@0',
  '--exclude=*.map',
  '--exclude=*.d.ts',
  '--dereference',
];

await copyFile(path.join(ROOT, 'generated/schema.graphql'), path.join(ROOT, 'test/contract/released/schema.graphql'));
const kept = ['package.json', 'schema', 'openapi', 'generated', 'dist'];
await promisify(execFile)('tar', [
  ...OPTIONS,
  '--use-compress-program=gzip -9n',
  '-cf',
  RELEASED_PROGRAMS,
  '-C',
  await buildPrograms('--image'),
  ...kept,
]);
process.stdout.write('Kept the schema and the programs in test/contract/released.\n');

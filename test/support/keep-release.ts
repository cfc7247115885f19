/**
 * Keeps the state that is being released, for the tests of what comes after it: the SDL and the limits or, with
 * `--programs`, the programs of the image.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildPrograms, ROOT } from './built-programs.js';
import { RELEASED_PROGRAMS } from './released-programs.js';
import { presentInterface } from './schema-changes.js';

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

if (process.argv.includes('--programs')) {
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
  process.stdout.write('Kept the programs in test/contract/released.\n');
} else {
  const { version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const directory = path.join(ROOT, 'test/contract/released', version);
  const { schema, limits } = presentInterface();
  await mkdir(directory, { recursive: true });
  await writeFile(path.join(directory, 'schema.graphql'), schema);
  await writeFile(path.join(directory, 'limits.json'), `${JSON.stringify(limits, null, 2)}\n`);
  process.stdout.write(`Kept the schema and the limits in test/contract/released/${version}.\n`);
}

/**
 * Bundles the programs for tests: `node test/support/bundle-programs.js DIRECTORY [--image]`. `dist` goes there, beside
 * links to what programs read, and `metafile.json`, which says what went into each file.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundle } from '../../.ci/bundle.js';

/** Files that programs read by relative paths. */
const BESIDE_DIST = ['package.json', 'schema', 'generated', 'openapi', 'src'];

const [directory = '', image] = process.argv.slice(2);
mkdirSync(directory, { recursive: true });
for (const name of BESIDE_DIST) symlinkSync(path.resolve(name), path.join(directory, name));
const options =
  image === '--image'
    ? { image: true }
    : { others: { product: 'test/support/product.ts', 'run-program': 'src/programs/process/run-program.ts' } };
const metafile = await bundle({ directory: path.join(directory, 'dist'), ...options });
writeFileSync(path.join(directory, 'metafile.json'), JSON.stringify(metafile));

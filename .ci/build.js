/**
 * Bundles the programs into `dist/`, and says nothing when nothing is to do: `npm run build`. With `--image`, the
 * sandbox and the demo stay out, and `dist/package.json` names the packages that are not bundled.
 */
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundle, commit, PROGRAMS } from './bundle.js';

/** Inputs of the bundle; the lockfile stands for the packages. */
const INPUTS = ['src', 'generated', 'package-lock.json', 'package.json', 'tsconfig.json', '.ci'];

const image = process.argv.includes('--image');
const outputs = Object.keys(PROGRAMS).map((name) => `dist/${name}.js`);
if (image || Math.min(...outputs.map(modifiedAt)) <= Math.max(...INPUTS.map(modifiedAt))) {
  // Not standard output: what programs print there is often wanted alone.
  process.stderr.write('Building dist/ ...\n');
  const begun = performance.now();
  await bundle({ image }).catch(() => process.exit(1));
  process.stderr.write(`Built in ${((performance.now() - begun) / 1000).toFixed(1)} s.\n`);
}
writeFileSync('dist/commit', commit());

/**
 * Returns when something was changed last, in milliseconds; 0 if there is no such file. A folder changes with a file in
 * it that is added or removed.
 */
function modifiedAt(name) {
  const stat = statSync(name, { throwIfNoEntry: false });
  const inside = stat?.isDirectory() && path.basename(name) !== 'node_modules' ? readdirSync(name) : [];
  return Math.max(stat?.mtimeMs ?? 0, ...inside.map((each) => modifiedAt(path.join(name, each))));
}

/**
 * A process that becomes a gateway when it is told to. Until then it loads the packages that a gateway in development
 * needs in any case, which is most of what a start takes; what may change, `dist/`, it loads when it is told to.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const PROGRAM = path.resolve('dist/main.js');
/** Modules that the program loads in development beside its imports; those that are not named are loaded later. */
const PARTS = [
  'process/run-program',
  'app',
  'graphql/schema',
  'graphql/server',
  'sandbox/sandbox',
  'sandbox/openapi-contract',
  'engines/sqlite/open-sqlite',
].map((name) => path.resolve('dist', `${name}.js`));
/** As the compiler writes them, one a line. */
const STATIC_IMPORTS = /^(?:import|export) (?:[^'\n]* from )?'([^'\n]+)';$/gm;

process.argv[1] = PROGRAM;

let parts;
const steps = {
  /** The gateway before may still be ending meanwhile. */
  load: () => (parts = Promise.allSettled(PARTS.map(load))),
  async run() {
    await parts;
    process.off('disconnect', end);
    process.disconnect();
    // The name that people look for in a list of processes.
    process.title = 'node dist/main.js';
    await load(PROGRAM);
  },
};
// The parent has gone, and no further step will come.
const end = () => process.exit(0);
process.on('disconnect', end);
process.on('message', (step) => void steps[step]());
await Promise.allSettled(packagesOf([PROGRAM, ...PARTS]).map((name) => import(name)));

/** @param {string} file */
function load(file) {
  return import(pathToFileURL(file).href);
}

/** @param {readonly string[]} files @returns {string[]} every package that these import, over other files too */
function packagesOf(files) {
  const seen = new Set();
  const packages = new Set();
  const pending = [...files];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const [, name = ''] of textOf(file).matchAll(STATIC_IMPORTS)) {
      if (name.startsWith('.')) pending.push(path.resolve(path.dirname(file), name));
      else packages.add(name);
    }
  }
  return [...packages];
}

/** Empty when there is no such file: it may have been removed, and the one that imports it too. */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

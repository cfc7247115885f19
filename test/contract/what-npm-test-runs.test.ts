/** `npm test` needs nothing but Node.js and what npm installs, and together with the rest it is everything. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT } from '../support/built-programs.js';

/** Modules that find, or start, a program of the system. */
const SYSTEM = ['system-tools', 'small-disk', 'certificate', 'browser'].map((name) =>
  path.join(ROOT, `test/support/${name}.ts`),
);

function listSuites(...options: readonly string[]): string[] {
  const jest = ['node_modules/jest/bin/jest.js', '-c', 'test/jest.config.js', ...options, '--listTests', '--json'];
  const list = execFileSync(process.execPath, ['--experimental-vm-modules', ...jest], { cwd: ROOT, encoding: 'utf8' });
  return JSON.parse(list.slice(list.indexOf('['))) as string[]; // paths, as Jest documents it
}

/** A file, and all of `test/` that it imports, directly or not. */
function imported(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\.[^']+)'/g)) {
    const source = path.resolve(path.dirname(file), specifier).replace(/\.js$/, '.ts');
    if (source.startsWith(path.join(ROOT, 'test/')) && existsSync(source)) imported(source, seen);
  }
  return seen;
}

const quick = listSuites('--filter=./test/quick-suites.cjs');
const all = listSuites();

it('needs no program of the system; a suite that does goes to NOT_QUICK in test/quick-suites.cjs', () => {
  const needy = quick.filter((suite) => SYSTEM.some((file) => imported(suite).has(file)));
  expect(needy.map((suite) => path.relative(ROOT, suite))).toEqual([]);
});

it('is a part of `npm run test:all`, which is every suite, and each of them once', () => {
  const files = readdirSync(path.join(ROOT, 'test'), { recursive: true, encoding: 'utf8' });
  const suites = files.filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'));
  expect(quick.filter((suite) => !all.includes(suite))).toEqual([]);
  expect(all.map((suite) => path.relative(path.join(ROOT, 'test'), suite)).toSorted()).toEqual(suites.toSorted());
});

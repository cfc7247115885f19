/** `npm run unused:check` finds exports and packages that nothing uses, so that its settings cannot rot unseen. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROOT } from '../support/built-programs.js';

/** The parts of the project that the check looks at. */
const COPIED = [
  ...['src', 'test', 'openapi', 'deploy', 'generated', '.ci'],
  ...['codegen.ts', 'package.json', 'tsconfig.json', '.knip.jsonc'],
];

/** Lines for the end of files, and the names that the check then reports. */
const UNUSED = [
  ['src/errors.ts', 'export const unusedValue = 1;', 'unusedValue'],
  ['src/wire/organisation-code.ts', 'export function unusedFunction(): void {}', 'unusedFunction'],
  ['src/jobs/job.ts', 'export interface UnusedType {}', 'UnusedType'],
  ['test/support/built-programs.ts', 'export const unusedInTests = 1;', 'unusedInTests'],
] as const;

type Kind = 'exports' | 'types' | 'dependencies' | 'devDependencies';
type Issue = { readonly file: string } & Readonly<Record<Kind, readonly { readonly name: string }[]>>;

let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'unused-code-'));
  const filter = (source: string): boolean => !/\/(?:node_modules|dist)$/.test(source);
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Runs the check over the copy. @returns its exit code, and each finding as `file name` */
function check(): { readonly status: number | null; readonly found: readonly string[] } {
  const bin = join(ROOT, 'node_modules/knip/bin/knip.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, '--no-progress', '--reporter', 'json'], {
    cwd: copy,
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  const { issues } = JSON.parse(stdout) as { issues: readonly Issue[] }; // its own format
  const found = issues.flatMap(({ file, exports, types, dependencies, devDependencies }) =>
    [exports, types, dependencies, devDependencies].flat().map(({ name }) => `${file} ${name}`),
  );
  return { status, found };
}

it('The check of unused code passes on the project, and finds an unused export, type and package', () => {
  expect(check()).toEqual({ status: 0, found: [] });

  for (const [file, line] of UNUSED) {
    writeFileSync(join(copy, file), `${readFileSync(join(copy, file), 'utf8')}\n${line}\n`);
  }
  const manifest = join(copy, 'package.json');
  const added = readFileSync(manifest, 'utf8')
    .replace('"dependencies": {', '$& "unused-package": "1.0.0",')
    .replace('"devDependencies": {', '$& "unused-tool": "1.0.0",');
  writeFileSync(manifest, added);

  const { status, found } = check();
  expect(status).toBe(1);
  expect(found.toSorted()).toEqual(
    [
      'package.json unused-package',
      'package.json unused-tool',
      ...UNUSED.map(([file, , name]) => `${file} ${name}`),
    ].toSorted(),
  );
});

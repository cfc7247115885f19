/** `npm run unused:check` finds exports and packages that nothing uses, so that its settings cannot rot unseen. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT } from '../support/built-programs.js';
import { forAllTests } from '../support/resources.js';
import { scratchPackage } from '../support/scratch-package.js';

/** Lines for the end of files, and the names that the check then reports. */
const UNUSED = [
  ['src/base/errors.ts', 'export const unusedValue = 1;', 'unusedValue'],
  ['src/base/wire/organisation-code.ts', 'export function unusedFunction(): void {}', 'unusedFunction'],
  ['src/jobs/job.ts', 'export interface UnusedType {}', 'UnusedType'],
  ['test/support/built-programs.ts', 'export const unusedInTests = 1;', 'unusedInTests'],
] as const;

type Kind = 'exports' | 'types' | 'dependencies' | 'devDependencies';
type Issue = { readonly file: string } & Readonly<Record<Kind, readonly { readonly name: string }[]>>;

/** With the parts of the project that the check looks at. */
const copy = forAllTests(
  () => scratchPackage(['src', 'test', 'openapi', 'deploy', 'generated', 'codegen.ts', '.knip.jsonc']),
  (scratch) => scratch.remove(),
);

/** Runs the check over the copy. @returns its exit code, and each finding as `file name` */
function check(): { readonly status: number | null; readonly found: readonly string[] } {
  const bin = join(ROOT, 'node_modules/knip/bin/knip.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, '--no-progress', '--reporter', 'json'], {
    cwd: copy.directory,
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  const { issues } = JSON.parse(stdout) as { issues: readonly Issue[] }; // its own format
  const found = issues.flatMap(({ file, exports, types, dependencies, devDependencies }) =>
    [exports, types, dependencies, devDependencies].flat().map(({ name }) => `${file} ${name}`),
  );
  return { status, found };
}

it('The check of unused code passes on the project, and finds an unused export, type and package', async () => {
  expect(check()).toEqual({ status: 0, found: [] });

  for (const [file, line] of UNUSED) await copy.write(file, `${readFileSync(join(ROOT, file), 'utf8')}\n${line}\n`);
  const added = readFileSync(join(ROOT, 'package.json'), 'utf8')
    .replace('"dependencies": {', '$& "unused-package": "1.0.0",')
    .replace('"devDependencies": {', '$& "unused-tool": "1.0.0",');
  await copy.write('package.json', added);

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

/** `npm run build`: programs may start and run while it goes on, any number of times at once. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../support/built-programs.js';
import { forAllTests } from '../support/resources.js';
import { scratchPackage } from '../support/scratch-package.js';

/** Exit code and output of a program. */
interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const scratch = forAllTests(scratchPackage, (made) => made.remove());

beforeAll(async () => {
  // Fewer declarations than ours, so that each build takes a moment only.
  const settings = { extends: './settings.json', compilerOptions: { types: [], lib: ['ES2022'] }, include: ['src'] };
  await scratch.write('settings.json', await readFile(path.join(ROOT, 'tsconfig.json'), 'utf8'));
  await scratch.write('tsconfig.json', JSON.stringify(settings));
  // Small, and with what the gateway has too: a file that is loaded late.
  await scratch.write('src/main.ts', MAIN);
  await scratch.write('src/late.ts', late(1));
});

const MAIN = `
declare const process: { stdout: { write(text: string): void } };
const { word } = await import('./late.js');
process.stdout.write(word);
`;
const late = (version: number): string => `export const word: string = 'version ${version}';\n`;

function node(...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: scratch.directory }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}
const build = (): Promise<Ended> => node('.ci/build/main.js');
const run = (): Promise<Ended> => node('dist/main.js');
const inDist = (file: string): string => path.join(scratch.directory, 'dist', file);

describe('npm run build', () => {
  it('says what it builds and why, nothing when nothing is to do, and writes only files whose text is another one', async () => {
    const first = await build();
    expect(first).toMatchObject({ code: 0, stdout: '' });
    expect(first.stderr).toMatch(
      /^Building dist\/ for the first time \.\.\.\nBuilt in [\d.]+ s: 2 files compiled, 4 written\.\n$/,
    );
    const { mtimeMs, ino } = await stat(inDist('main.js'));
    const notes: unknown = JSON.parse(await readFile(path.join(scratch.directory, '.cache/build.json'), 'utf8'));
    expect(notes).toMatchObject({ outputs: { 'dist/main.js': expect.any(String) } });
    expect(existsSync(path.join(scratch.directory, '.cache/build.tsbuildinfo'))).toBe(false);
    expect(await build()).toEqual({ code: 0, stdout: '', stderr: '' });
    await scratch.write('src/late.ts', late(2));
    expect((await build()).stderr).toMatch(
      /after a change of src\/late\.ts \.\.\.\nBuilt in .*: 1 file compiled, 1 written\.\n$/,
    );
    expect((await run()).stdout).toBe('version 2');
    expect(await stat(inDist('main.js'))).toMatchObject({ mtimeMs, ino });
  });

  it('leaves everything as it was when the types are not sound, even of a file that did not change itself', async () => {
    await scratch.write('src/late.ts', late(1));
    await scratch.write('src/user.ts', `import { word } from './late.js';\nexport const long = word.length;\n`);
    await scratch.write('src/gone.ts', 'export {};\n');
    await build();
    await scratch.write('src/late.ts', 'export const word = 2;\n');
    const failed = await build();
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toMatch(/src\/user\.ts.*TS2339[\s\S]*dist\/ stays as it was\./);
    expect((await run()).stdout).toBe('version 1');
    await scratch.write('src/late.ts', late(1));
  });

  it('removes what is made of files that are gone, and only that', async () => {
    await writeFile(inDist('kept.txt'), 'of somebody else');
    await rm(path.join(scratch.directory, 'src/gone.ts'));
    expect((await build()).stderr).toContain('2 removed');
    expect(existsSync(inDist('gone.js'))).toBe(false);
    expect(existsSync(inDist('kept.txt'))).toBe(true);
  });

  it('repairs files that were removed, changed or left half done', async () => {
    await rm(inDist('late.js'));
    await writeFile(inDist('main.js'), 'half a fi');
    expect((await build()).code).toBe(0);
    expect((await run()).stdout).toBe('version 1');
    // A build that was killed between writing and noting what it wrote.
    await rm(path.join(scratch.directory, '.cache'), { recursive: true });
    await writeFile(inDist('late.js'), late(0));
    expect((await build()).code).toBe(0);
    expect((await run()).stdout).toBe('version 1');
  });

  it('works twice at once, from the beginning and after a change', async () => {
    for (const made of ['dist', '.cache'])
      await rm(path.join(scratch.directory, made), { recursive: true, force: true });
    for (const version of [1, 2]) {
      await scratch.write('src/late.ts', late(version));
      const both = await Promise.all([build(), build()]);
      expect(both.map(({ code }) => code)).toEqual([0, 0]);
      expect((await run()).stdout).toBe(`version ${version}`);
    }
  });

  it('lets programs start at every moment of a build', async () => {
    const starts = [await run()];
    await scratch.write('src/late.ts', late(3));
    const built = build();
    const isOver = built.then(() => true);
    let wasOver = false;
    while (!wasOver) {
      const start = run();
      wasOver = await Promise.race([isOver, start.then(() => false)]);
      starts.push(await start);
    }
    expect((await built).code).toBe(0);
    starts.push(await run());
    expect(starts.filter(({ code, stderr }) => code !== 0 || stderr !== '')).toEqual([]);
    expect(new Set(starts.map(({ stdout }) => stdout))).toEqual(new Set(['version 2', 'version 3']));
  });
});

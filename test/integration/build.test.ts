/** `npm run build`: programs start and run while builds go on, and find what they load later. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { BuiltPrograms, ROOT, type EndedProgram } from '../support/built-programs.js';
import { forAllTests } from '../support/resources.js';
import { waitFor } from '../support/wait-for.js';

/** A package of its own to build and change, with the scripts, settings and installed packages of this one. */
const scratch = forAllTests(
  async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'gateway-scratch-'));
    const isOwn = (file: string): boolean => path.basename(file) !== 'node_modules';
    for (const name of ['.ci', 'package.json', 'tsconfig.json'])
      await cp(path.join(ROOT, name), path.join(directory, name), { recursive: true, filter: isOwn });
    await symlink(path.join(ROOT, 'node_modules'), path.join(directory, 'node_modules'));
    /** Writes a file. @param file relative to the package */
    const write = async (file: string, text: string): Promise<void> => {
      await mkdir(path.dirname(path.join(directory, file)), { recursive: true });
      await writeFile(path.join(directory, file), text);
    };
    return { directory, write };
  },
  ({ directory }) => rm(directory, { recursive: true }),
);

/** Like the gateway, it loads a part late: when there is input. */
const MAIN = `
declare const process: { stdin: AsyncIterable<unknown>; stdout: { write(text: string): void } };
process.stdout.write('started ');
for await (const _input of process.stdin) break;
const { word } = await import('./late.js');
process.stdout.write(word);
`;
const late = (version: number): string => `export const word: string = 'version ${version}';\n`;

beforeAll(async () => {
  await scratch.write('src/programs/main.ts', MAIN);
  await scratch.write('src/programs/late.ts', late(1));
  const others = ['queue-function', 'jobs-cli', 'backup', 'demo/main', 'demo/sandbox-main'];
  for (const name of others) await scratch.write(`src/programs/${name}.ts`, 'export {};\n');
});

function node(...args: readonly string[]): Promise<EndedProgram> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: scratch.directory }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
    child.stdin?.end();
  });
}
const build = (): Promise<EndedProgram> => node('.ci/build.js');
const run = (): Promise<EndedProgram> => node('dist/main.js');
const inDist = (file: string): string => path.join(scratch.directory, 'dist', file);
const chunks = async (): Promise<string[]> => (await readdir(inDist(''))).filter((name) => /^late-.*\.js$/.test(name));

describe('npm run ensure-installed', () => {
  const lockOf = (version: string) =>
    JSON.stringify({
      packages: { '': {}, 'node_modules/a': { version }, 'node_modules/other-os': { optional: true } },
    });
  const noted = JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } });

  it.each([
    ['nothing for a copy, whose files are new', lockOf('1.0.0'), noted, ''],
    ['what a changed lockfile names', lockOf('1.0.1'), noted, 'npm ci'],
    ['what is not installed yet', lockOf('1.0.0'), '{"packages":{}}', 'npm ci'],
    ['without what is named no more', '{"packages":{"":{}}}', noted, 'npm ci'],
  ])('installs %s', async (_, named, installed, command) => {
    await scratch.write('clone/node_modules/.package-lock.json', installed);
    await scratch.write('clone/package-lock.json', named);
    await scratch.write('bin/npm', '#!/bin/sh\necho "npm $1"\n');
    await chmod(path.join(scratch.directory, 'bin/npm'), 0o755);
    const PATH = `${path.join(scratch.directory, 'bin')}:${process.env['PATH']}`;
    const script = ['.ci/ensure-installed.js', 'clone'];
    const { status, stderr } = spawnSync(process.execPath, script, { cwd: scratch.directory, env: { PATH } });
    expect([status, String(stderr).split('\n').at(-2) ?? '']).toEqual([0, command]);
  });
});

describe('npm run build', () => {
  it('says what it does, nothing when nothing is to do, and leaves files with the same content in place', async () => {
    const first = await build();
    expect(first).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^Building dist\/ \.\.\.\nBuilt in [\d.]+ s\.\n$/),
    });
    expect((await run()).stdout).toBe('started version 1');
    expect(await build()).toEqual({ code: 0, stdout: '', stderr: '' });
    const { ino } = await stat(inDist('backup.js'));
    await scratch.write('src/programs/late.ts', late(2));
    expect((await build()).stderr).toContain('Built in');
    expect((await run()).stdout).toBe('started version 2');
    expect((await stat(inDist('backup.js'))).ino).toBe(ino);
    await rm(inDist('backup.js'));
    expect((await build()).stderr).toContain('Built in');
    expect(existsSync(inDist('backup.js'))).toBe(true);
  });

  it('does not disturb a program that loads a part after builds, for a week', async () => {
    const finish = await startWaiting();
    const [before = ''] = await chunks();
    for (const version of [3, 4]) await buildVersion(version);
    expect(await finish()).toEqual(['started version 2', 0]);
    expect(await chunks()).toContain(before);
    // As if all builds had been eight days ago.
    for (const file of (await readdir(inDist(''))).map(inDist)) {
      const then = new Date((await stat(file)).mtime.getTime() - 8 * 24 * 3_600_000);
      await utimes(file, then, then);
    }
    const finishLast = await startWaiting();
    await buildVersion(5);
    expect(await finishLast()).toEqual(['started version 4', 0]);
    expect((await run()).stdout).toBe('started version 5');
    expect(await chunks()).toHaveLength(2);

    async function buildVersion(version: number): Promise<void> {
      await scratch.write('src/programs/late.ts', late(version));
      await build();
    }
    /** @returns a function that lets the program load its part, and returns what it wrote and its exit code */
    async function startWaiting(): Promise<() => Promise<[string, number | null]>> {
      const program = spawn(process.execPath, ['dist/main.js'], { cwd: scratch.directory });
      let output = '';
      program.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
      await waitFor('its start', () => output !== '');
      return async () => {
        program.stdin.end('go on');
        await once(program, 'close');
        return [output, program.exitCode];
      };
    }
  });

  it('lets programs start at every moment of a build', async () => {
    const starts = [await run()];
    await scratch.write('src/programs/late.ts', late(6));
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
    expect(new Set(starts.map(({ stdout }) => stdout))).toEqual(new Set(['started version 5', 'started version 6']));
  });
});

describe('the bundle', () => {
  const programs = forAllTests(() => BuiltPrograms.open());
  const inputs = async (): Promise<readonly string[]> => [...(await programs.contents()).values()].flat();
  const text = (file: string): Promise<string> => readFile(path.join(programs.directory, 'dist', file), 'utf8');

  it('has one copy of graphql, in one form', async () => {
    const files = (await inputs()).filter((file) => file.includes('node_modules/graphql/'));
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => !/^node_modules\/graphql\/.*\.mjs$/.test(file))).toEqual([]);
    expect(new Set(files).size).toBe(files.length);
  });

  it('goes with the licence of each package in it', async () => {
    const packages = (await inputs()).flatMap((file) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
    expect(packages).toEqual(expect.arrayContaining(['koa', '@aws-sdk/client-s3']));
    const headings = [...(await text('licences.txt')).matchAll(/^(\S+) \d\S*, licence \S/gm)].map(([, name]) => name);
    expect(new Set(headings)).toEqual(new Set(packages));
  });
});

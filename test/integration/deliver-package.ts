import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/built-programs.js';

const run = promisify(execFile);

/** The dependencies of the package and theirs in turn; installed from here, because tests ask no registry. */
const NEEDED = ['openapi-fetch', 'openapi-typescript-helpers', 'undici', 'uuid'];

const TYPES = path.join(ROOT, 'node_modules/@types');

/** A project of another team, which contains nothing of the gateway but the installed package. */
export type ConsumerProject = Awaited<ReturnType<typeof installDeliverPackage>>;

/** Packs `deliver` and installs it into a project that was empty before. */
export async function installDeliverPackage() {
  const directory = await mkdtemp(path.join(tmpdir(), 'deliver-consumer-'));
  const script = path.join(ROOT, 'deploy/deliver-package/pack.ts');
  const packed = await run(process.execPath, ['--import', 'tsx', script, directory], { cwd: ROOT });
  await writeFile(path.join(directory, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  const needed = NEEDED.map((name) => path.join(ROOT, 'node_modules', name));
  const quietly = ['--offline', '--install-links', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...quietly, path.resolve(ROOT, packed.stdout.trim()), ...needed], { cwd: directory });
  return {
    directory,
    /**
     * Compiles files of the project. @returns what the compiler complains about
     *
     * @param onNode whether they use the declarations of Node.js; those of libraries are not checked then
     */
    async compile(files: readonly string[], { onNode = false } = {}): Promise<string> {
      const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
      const settings = ['--module', 'node16', '--moduleResolution', 'node16', '--target', 'es2022', '--strict'];
      const types = onNode ? ['--types', 'node', '--typeRoots', TYPES, '--skipLibCheck'] : ['--skipDefaultLibCheck'];
      const checks = ['--exactOptionalPropertyTypes', ...types];
      const args = [compiler, ...settings, ...checks, ...files];
      return new Promise((resolve) => {
        execFile(process.execPath, args, { cwd: directory }, (_error, stdout) => resolve(stdout));
      });
    },
    close: () => rm(directory, { recursive: true }),
  };
}

/** Makes a library of the gateway's own be found in a project that uses it as well. */
export async function lendLibrary({ directory }: ConsumerProject, name: string): Promise<void> {
  await mkdir(path.join(directory, 'node_modules'), { recursive: true });
  await symlink(path.join(ROOT, 'node_modules', name), path.join(directory, 'node_modules', name));
}

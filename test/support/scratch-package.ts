import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from './built-programs.js';

/**
 * Makes a package of its own to build and change, with the scripts, settings and installed packages of this one.
 *
 * @param copied what it has of this package besides, relative to it
 */
export async function scratchPackage(copied: readonly string[] = []) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gateway-scratch-'));
  for (const name of ['.ci', 'package.json', 'tsconfig.json', ...copied])
    // The packages of Node.js 24 may lie in there.
    await cp(path.join(ROOT, name), path.join(directory, name), {
      recursive: true,
      filter: (file) => path.basename(file) !== 'node_modules',
    });
  await symlink(path.join(ROOT, 'node_modules'), path.join(directory, 'node_modules'));
  return {
    directory,
    /** Writes a file. @param file relative to the package */
    write: async (file: string, text: string) => {
      const target = path.join(directory, file);
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, text);
    },
    remove: () => rm(directory, { recursive: true }),
  };
}

import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { BuiltPrograms, ROOT } from './built-programs.js';

/**
 * The programs as they were last released, with what they read: `package.json`, `schema`, `openapi`, `generated` and
 * `dist` without source maps. `npm run release:keep -- --programs` writes it.
 */
export const RELEASED_PROGRAMS = path.join(ROOT, 'test/contract/released/programs.tar.gz');

/** Unpacks the programs that were last released, and has them use the packages of this state. */
export async function openReleasedPrograms(): Promise<BuiltPrograms> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gateway-released-'));
  await promisify(execFile)('tar', ['-xzf', RELEASED_PROGRAMS, '-C', directory]);
  await symlink(path.join(ROOT, 'node_modules'), path.join(directory, 'node_modules'));
  const programs = await BuiltPrograms.open(directory);
  const close = programs.close.bind(programs);
  return Object.assign(programs, {
    close: async () => {
      await close();
      await rm(directory, { recursive: true });
    },
  });
}

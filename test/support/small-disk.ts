import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { mkdtemp, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe } from '@jest/globals';
import { hasCode } from '../../src/base/errors.js';
import { leftOut } from './system-tools.js';

/** Users other than root mount by `sudo`, if that asks for no password. */
const AS_ROOT: readonly [string, ...string[]] = process.getuid?.() === 0 ? ['env'] : ['sudo', '-n'];

/** A suite that needs a small disk; left out, with a line that says so, where none can be made. */
export function describeOnSmallDisk(name: string, suite: () => void): void {
  (canBeMade() ? describe : describe.skip)(name, suite);
}

function canBeMade(): boolean {
  const mountPoint = mkdtempSync(path.join(tmpdir(), 'small-disk-'));
  const isMade = asRoot('mount', '-t', 'tmpfs', 'none', mountPoint) && asRoot('umount', mountPoint);
  rmdirSync(mountPoint);
  return isMade || leftOut('a file system of their own', 'be root, or allow sudo mount');
}

/** Makes a small file system of a test's own, that can be full. @param mebibytes its size */
export async function makeSmallDisk(mebibytes: number) {
  const directory = await mkdtemp(path.join(tmpdir(), 'small-disk-'));
  const options = `size=${mebibytes}m,mode=0777`;
  if (!asRoot('mount', '-t', 'tmpfs', '-o', options, 'none', directory)) {
    throw new Error(`No file system can be mounted at ${directory}.`);
  }
  const filler = path.join(directory, 'filler');

  return {
    directory,
    /** Leaves no space: after ever smaller pieces, less than a byte is left. */
    async fill() {
      for (const bytes of [1_048_576, 4_096, 1]) await appendUntilFull(filler, Buffer.alloc(bytes));
    },
    makeRoom: () => rm(filler, { force: true }),
    async close() {
      // Lazily, as a connection that has just been closed may still be let go of.
      if (!asRoot('umount', '--lazy', directory)) throw new Error(`${directory} cannot be unmounted.`);
      await rmdir(directory);
    },
  };
}

function asRoot(...command: readonly string[]): boolean {
  const [program, ...args] = AS_ROOT;
  return spawnSync(program, [...args, ...command], { stdio: 'ignore' }).status === 0;
}

async function appendUntilFull(file: string, piece: Buffer): Promise<void> {
  for (;;) {
    try {
      await writeFile(file, piece, { flag: 'a' });
    } catch (error) {
      if (hasCode(error, 'ENOSPC')) return;
      throw error;
    }
  }
}

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe } from '@jest/globals';
import { errnoOf } from '../../src/objects/files/errno.js';

/** A small file system of a test's own, that can be full. */
export interface SmallDisk {
  /** Its root, for this process and those that it starts. */
  readonly directory: string;
  /** Leaves no room on it. */
  fill(): Promise<void>;
  /** Gives back the room. */
  makeRoom(): Promise<void>;
  /** Removes it, with what lies on it. */
  close(): Promise<void>;
}

/** In a user namespace of its own, so that nobody needs the right to mount. */
const IN_NAMESPACE = ['--user', '--map-root-user', '--mount', 'sh', '-c'];

/** A suite that needs a {@link SmallDisk}; left out, with a line that says so, where none can be made. */
export function describeOnSmallDisk(name: string, suite: () => void): void {
  (canBeMade() ? describe : describe.skip)(name, suite);
}

function canBeMade(): boolean {
  const { status } = spawnSync('unshare', [...IN_NAMESPACE, 'mount -t tmpfs none /mnt'], { stdio: 'ignore' });
  if (status === 0) return true;
  const line = 'Left out: tests that need a file system of their own. To run them: allow user namespaces (unshare)';
  if (process.env['CI'] === 'true') throw new Error(line);
  process.stderr.write(`${line}\n`);
  return false;
}

/** Makes one. @param mebibytes its size */
export async function makeSmallDisk(mebibytes: number): Promise<SmallDisk> {
  const mountPoint = await mkdtemp(path.join(tmpdir(), 'small-disk-'));
  // It is there for as long as the process, which ends with its input.
  const script = `mount -t tmpfs -o size=${mebibytes}m none "${mountPoint}" && echo mounted && exec cat`;
  const holder = spawn('unshare', [...IN_NAMESPACE, script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const said: readonly unknown[] = await Promise.race([
    once(createInterface(holder.stdout), 'line'),
    once(holder, 'exit'),
  ]);
  if (said[0] !== 'mounted') throw new Error(`No file system of its own can be made at ${mountPoint}.`);
  const directory = `/proc/${holder.pid}/root${mountPoint}`;
  const filler = path.join(directory, 'filler');

  return {
    directory,
    async fill() {
      // What is left is less than a byte, after ever smaller pieces.
      for (const bytes of [1_048_576, 4_096, 1]) await appendUntilFull(filler, Buffer.alloc(bytes));
    },
    makeRoom: () => rm(filler, { force: true }),
    async close() {
      holder.stdin.end();
      await once(holder, 'exit');
      await rmdir(mountPoint);
    },
  };
}

async function appendUntilFull(file: string, piece: Buffer): Promise<void> {
  for (;;) {
    try {
      await writeFile(file, piece, { flag: 'a' });
    } catch (error) {
      if (errnoOf(error) === 'ENOSPC') return;
      throw error;
    }
  }
}

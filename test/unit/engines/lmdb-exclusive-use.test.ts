import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openLmdbEngine } from '../../../src/engines/lmdb/open-lmdb.js';
import type { JobEngine } from '../../../src/engines/job-engine.js';
import { createLogger } from '../../../src/logging/logger.js';

const IN_USE = /^Another gateway uses .*\. There can be one .*\(REDIS_URL\)/;

describe('A directory of embedded jobs', () => {
  let parent: string;
  let directory: string;
  const engines: JobEngine[] = [];
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'exclusive-'));
    directory = join(parent, 'jobs');
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const engine of engines.splice(0)) await engine.close();
    await rm(parent, { recursive: true });
  });

  async function open(exclusive = true): Promise<JobEngine> {
    const logger = createLogger({ level: 'silent', pretty: false });
    const engine = await openLmdbEngine({ directory, logger, maxAttempts: 3, exclusive });
    engines.push(engine);
    return engine;
  }

  /** Another process that has the directory. */
  async function startHolder(): Promise<ChildProcess> {
    const script = fileURLToPath(new URL('processes/hold-directory.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', script, directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    await once(child.stdout, 'data');
    return child;
  }

  const sockets = async (): Promise<string[]> => (await readdir(directory)).filter((name) => name.endsWith('.sock'));

  it('is refused to a second gateway with a sentence that says what to do', async () => {
    await open();
    await expect(open()).rejects.toThrow(IN_USE);
    expect(await sockets()).toHaveLength(1);
  });

  it('is still open to other programs, before and after', async () => {
    const before = await open(false);
    const gateway = await open();
    const after = await open(false);
    for (const engine of [before, gateway, after]) await expect(engine.jobStore.ping()).resolves.toBeUndefined();
  });

  it('is free again when the gateway has ended, and nothing is left of it', async () => {
    await (await open()).close();
    expect(await sockets()).toEqual([]);
    await open();
  });

  it('is refused while another process has it, even one that is stopped, and taken over when that was killed', async () => {
    const holder = await startHolder();
    await expect(open()).rejects.toThrow(IN_USE);
    holder.kill('SIGSTOP');
    await expect(open()).rejects.toThrow(IN_USE);
    const ended = once(holder, 'exit');
    holder.kill('SIGKILL');
    await ended;
    expect(await sockets()).toHaveLength(1);
    await open();
    expect(await sockets()).toHaveLength(1);
    await expect(open()).rejects.toThrow(IN_USE);
  });

  it.each([
    ['a free directory', false],
    ['one whose gateway was killed', true],
  ])('goes to one of several that ask for %s at once', async (_what, killed) => {
    if (killed) {
      const holder = await startHolder();
      const ended = once(holder, 'exit');
      holder.kill('SIGKILL');
      await ended;
    }
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => open()));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await sockets()).toHaveLength(1);
  });

  it('may have a path that is too long for the address of a socket', async () => {
    directory = join(parent, 'a'.repeat(100), 'jobs');
    await mkdir(directory, { recursive: true });
    const gateway = await open();
    await expect(open()).rejects.toThrow(IN_USE);
    expect(await sockets()).toHaveLength(1);
    await gateway.close();
    expect(await sockets()).toEqual([]);
    await open();
  });
});

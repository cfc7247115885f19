import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../../src/base/config/load-config.js';
import { openKeyRing } from '../../../src/base/config/open-key-ring.js';
import { forEachTest, temporaryDirectory } from '../../support/resources.js';

describe('The key that is kept in the data directory', () => {
  const directory = forEachTest(temporaryDirectory);
  let dataDir: string;
  beforeEach(() => {
    dataDir = join(directory.path, 'new');
  });

  const open = async (): Promise<string> => {
    const [{ kid }] = (await openKeyRing(loadConfig({ DATA_DIR: dataDir }), undefined)).for('queue-payload');
    return kid;
  };

  it('is one for several processes that start for the first time at once', async () => {
    const script = fileURLToPath(new URL('processes/open-key-ring.ts', import.meta.url));
    const processes = Array.from({ length: 3 }, () => {
      const child = spawn(process.execPath, ['--import', 'tsx', script], { stdio: ['pipe', 'pipe', 'inherit'] });
      return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
    });
    try {
      const answers = (): Promise<unknown[]> =>
        Promise.all(processes.map(async ({ lines }) => (await lines.next()).value as unknown));
      expect(await answers()).toEqual(['ready', 'ready', 'ready']);
      for (let round = 0; round < 10; round += 1) {
        dataDir = join(directory.path, `round-${round}`);
        for (const { child } of processes) child.stdin.write(`${dataDir}\n`);
        const kids = await answers();
        expect(kids).toEqual(Array(3).fill(await open()));
      }
    } finally {
      await Promise.all(
        processes.map(async ({ child }) => {
          const gone = once(child, 'exit');
          child.stdin.end();
          await gone;
        }),
      );
    }
  });

  it('is there as a whole as soon as it is there', async () => {
    for (let round = 0; round < 5; round += 1) {
      dataDir = join(directory.path, `round-${round}`);
      const opening = open();
      let found: string | undefined;
      while (found === undefined) {
        await new Promise(setImmediate);
        const path = join(dataDir, 'job-encryption-key');
        if (existsSync(path)) found = readFileSync(path, 'utf8');
      }
      expect(found).toMatch(/^[\w-]{43}$/);
      await opening;
    }
  });

  it('is readable by its owner alone, and nothing else is left beside it', async () => {
    await open();
    expect(await readdir(dataDir)).toEqual(['job-encryption-key']);
    expect((await stat(join(dataDir, 'job-encryption-key'))).mode & 0o777).toBe(0o600);
  });

  it('is not replaced when the file holds something else, which is named', async () => {
    await open();
    const path = join(dataDir, 'job-encryption-key');
    await writeFile(path, 'half a key');
    await expect(open()).rejects.toThrow(`${path} does not hold a key of 32 bytes`);
    expect(await readFile(path, 'utf8')).toBe('half a key');
  });
});

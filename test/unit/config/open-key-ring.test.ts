import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../../src/config/config.js';
import { openKeyRing } from '../../../src/config/open-key-ring.js';

describe('The key that is kept in the data directory', () => {
  let directory: string;
  let dataDir: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'key-ring-'));
    dataDir = join(directory, 'new');
  });

  afterEach(() => rm(directory, { recursive: true }));

  const open = async (): Promise<string> => {
    const [{ kid }] = (await openKeyRing(loadConfig({ DATA_DIR: dataDir }))).for('queue-payload');
    return kid;
  };

  it('is one for all who start for the first time at once', async () => {
    const kids = await Promise.all(Array.from({ length: 40 }, open));
    expect(new Set(kids).size).toBe(1);
    expect(await open()).toBe(kids[0]);
  });

  it('is there as a whole as soon as it is there', async () => {
    for (let round = 0; round < 20; round += 1) {
      dataDir = join(directory, `round-${round}`);
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

  it('stays what it is', async () => {
    const kid = await open();
    const key = await readFile(join(dataDir, 'job-encryption-key'), 'utf8');
    expect(await open()).toBe(kid);
    expect(await readFile(join(dataDir, 'job-encryption-key'), 'utf8')).toBe(key);
  });

  it('is not replaced when the file holds something else, which is named', async () => {
    await open();
    const path = join(dataDir, 'job-encryption-key');
    await writeFile(path, 'half a key');
    await expect(open()).rejects.toThrow(`${path} does not hold a key of 32 bytes`);
    expect(await readFile(path, 'utf8')).toBe('half a key');
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from 'lmdb';

import { ServiceUnavailableError } from '../../../src/errors.js';
import { fitKey, LmdbDatabase } from '../../../src/engines/lmdb/database.js';
import { openJobStoreAt } from '../../contract/embedded.js';
import { captureLog, type CapturedLog } from '../../support/captured-log.js';
import { describeOnSmallDisk, makeSmallDisk } from '../../support/small-disk.js';

const script = (name: string): string => fileURLToPath(new URL(`processes/${name}`, import.meta.url));

describe('The LMDB database', () => {
  let directory: string;
  let database: LmdbDatabase;
  let table: Database<string, string>;
  let log: CapturedLog;

  beforeEach(async () => {
    log = captureLog();
    directory = await mkdtemp(join(tmpdir(), 'lmdb-'));
    database = await LmdbDatabase.open({ directory: join(directory, 'new', 'directory'), logger: log.logger });
    table = database.table('texts');
  });

  afterEach(async () => {
    await database.close();
    await rm(directory, { recursive: true });
  });

  it('returns what an action returned once it is written', async () => {
    const answer = await database.transact(() => {
      table.putSync('a', '1');
      return 42;
    });
    expect(answer).toBe(42);
    expect(await database.read(() => table.get('a'))).toBe('1');
  });

  it('writes nothing of an action that throws, and everything of those beside it', async () => {
    const write = (key: string, fails: boolean): Promise<string> =>
      database.transact(() => {
        table.putSync(key, 'written');
        if (fails) throw new Error(`${key} failed`);
        return key;
      });
    const outcomes = await Promise.allSettled([write('a', false), write('b', true), write('c', false)]);
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: 'a' },
      { status: 'rejected', reason: new Error('b failed') },
      { status: 'fulfilled', value: 'c' },
    ]);
    const values = await database.read(() => ['a', 'b', 'c'].map((key) => table.get(key)));
    expect(values).toEqual(['written', undefined, 'written']);
  });

  it('lets an action see what those before it in the same group wrote', async () => {
    const increment = (): Promise<number> =>
      database.transact(() => {
        const next = Number(table.get('n') ?? '0') + 1;
        table.putSync('n', String(next));
        return next;
      });
    expect(await Promise.all([increment(), increment(), increment()])).toEqual([1, 2, 3]);
  });

  it('writes what waits when it is closed, and refuses everything afterwards', async () => {
    const waiting = database.transact(() => 'written');
    await database.close();
    await expect(waiting).resolves.toBe('written');
    await expect(database.transact(() => 1)).rejects.toThrow(ServiceUnavailableError);
    await expect(database.read(() => 1)).rejects.toThrow(ServiceUnavailableError);
    await expect(database.close()).resolves.toBeUndefined();
  });

  it('names the directory that it cannot use', async () => {
    const file = join(directory, 'file');
    await writeFile(file, '');
    await expect(LmdbDatabase.open({ directory: file, logger: log.logger })).rejects.toThrow(
      `Jobs cannot be kept in ${file}: `,
    );
  });

  it('loses nothing it acknowledged when the process is killed, and hinders nobody', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', script('write-until-killed.ts'), directory]);
    const acknowledged: string[] = [];
    const lines = createInterface(child.stdout);
    lines.on('line', (line) => {
      acknowledged.push(line);
      if (acknowledged.length === 500) child.kill('SIGKILL');
    });
    await Promise.all([once(lines, 'close'), once(child, 'exit')]);
    expect(acknowledged.length).toBeGreaterThanOrEqual(500);

    const other = await openJobStoreAt(directory);
    const { store } = other;
    const records = await Promise.all(acknowledged.map((jobId) => store.read({ kind: 'mobiles', org: 'acme', jobId })));
    expect(records.filter((record) => record?.state !== 'running')).toEqual([]);
    const outcome = await store.claim(
      { kind: 'mobiles', org: 'acme', jobId: 'next' },
      { fingerprints: ['print'], total: 1, leaseMs: 60_000, retentionMs: 60_000, nonce: 'n' },
    );
    expect(outcome.outcome).toBe('claimed');
    await other.close();
  });
});

describeOnSmallDisk('The LMDB database on a full disk', () => {
  it('refuses what does not fit, says why, and goes on with all it has when there is room', async () => {
    const log = captureLog();
    const disk = await makeSmallDisk(64);
    const database = await LmdbDatabase.open({ directory: join(disk.directory, 'jobs'), logger: log.logger });
    try {
      const table = database.table<string, string>('texts');
      const write = (key: string): Promise<void> => database.transact(() => table.putSync(key, key.padEnd(100_000)));
      const written = Array.from({ length: 10 }, (_, index) => String(index));
      for (const key of written) await write(key);
      await disk.fill();
      await expect(write('too many')).rejects.toThrow(ServiceUnavailableError);
      await expect(database.probeWrite(0)).rejects.toThrow(ServiceUnavailableError);
      expect(log.complaints()).toEqual([
        expect.stringMatching(
          /^Jobs cannot be kept in \S+ \(of 32 MiB that must be free \d+ are\)\. Make room on its disk/,
        ),
      ]);
      expect(await database.read(() => written.filter((key) => table.get(key)?.trimEnd() !== key))).toEqual([]);

      await disk.makeRoom();
      await database.probeWrite(1);
      await write('afterwards');
      expect(log.text()).toContain('"event":"dependency.recovered"');
      expect(await database.read(() => table.getCount())).toBe(written.length + 1);
    } finally {
      await database.close();
      await disk.close();
    }
  });
});

describe('A key for LMDB', () => {
  it('stays as it is when it fits', () => {
    expect(fitKey('job:{mobiles:acme:1}')).toBe('job:{mobiles:acme:1}');
    expect(fitKey('x'.repeat(1_900))).toBe('x'.repeat(1_900));
  });

  it('is cut and told apart by its hash when it is too long', () => {
    const [one, other] = [fitKey(`${'x'.repeat(5_000)}1`), fitKey(`${'x'.repeat(5_000)}2`)];
    expect(one).not.toBe(other);
    expect(one).toBe(fitKey(`${'x'.repeat(5_000)}1`));
    expect(one.length).toBeLessThan(1_978 - 20);
    expect(one.length).toBeGreaterThan(1_900);
  });
});

import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { KeyRing } from '../../../src/base/config/key-ring.js';
import { hasCode } from '../../../src/base/errors.js';
import { startFileSweeper } from '../../../src/objects/files/sweeper.js';
import { openObjects } from '../../../src/objects/open-objects.js';
import { captureLog } from '../../support/captured-log.js';
import { closeAfterTest, forEachTest, temporaryDirectory } from '../../support/resources.js';
import { waitFor } from '../../support/wait-for.js';

const NOW = 1_800_000_000_000;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** As the law requires of some reports. */
const RETENTION_DAYS = 366;
const TABLES = 'objects/text%2Fcsv%3B%20charset%3Dutf-8/driving-reports/org/acme';
const ORG = 'objects/application%2Fpdf/driving-reports/org/acme';

describe('The sweeper of files', () => {
  const directory = forEachTest(temporaryDirectory);
  const log = forEachTest(captureLog);
  const start = (onLargest?: (org: string, bytes: number) => void): ReturnType<typeof startFileSweeper> =>
    closeAfterTest(
      startFileSweeper({
        directory: directory.path,
        retentionDays: RETENTION_DAYS,
        logger: log.logger,
        onLargest,
        clock: () => NOW,
        firstMs: 1,
        everyMs: 1,
      }),
    );

  /** The newest time that the store has seen, in a directory below. */
  async function keepSeen(seenAt: number, root = ''): Promise<void> {
    await mkdir(join(directory.path, root), { recursive: true });
    await writeFile(join(directory.path, root, 'clock.json'), JSON.stringify({ seenAt, aheadAt: 0, ranMs: 0 }));
  }
  beforeEach(() => keepSeen(NOW));

  /** Makes a file that was written so long ago, and directories as old. */
  async function write(path: string, ageMs: number): Promise<void> {
    const file = join(directory.path, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '%PDF');
    const writtenAt = (NOW - ageMs) / 1000;
    await utimes(file, writtenAt, writtenAt);
    await utimes(dirname(file), writtenAt, writtenAt);
  }

  /** The files in the directory; `undefined` when the sweeper removed a directory while it was being read. */
  async function paths(): Promise<string[] | undefined> {
    try {
      const entries = await readdir(directory.path, { recursive: true, withFileTypes: true });
      return entries.map((entry) => join(entry.parentPath, entry.name).slice(directory.path.length + 1)).sort();
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  /** Until no path contains these characters. */
  async function waitUntilGone(what: string, characters: string): Promise<void> {
    await waitFor(`${what} to go`, async () => (await paths())?.every((path) => !path.includes(characters)));
  }

  it('removes reports and left bodies after the configured time, with directories that become empty, and no others', async () => {
    await write('objects/application%2Fjose/job-bodies/old', RETENTION_DAYS * DAY_MS + HOUR_MS);
    await write(`${ORG}/2026-11-01/old.pdf`, RETENTION_DAYS * DAY_MS + HOUR_MS);
    await write(`${ORG}/2026-11-19/old.pdf`, RETENTION_DAYS * DAY_MS + HOUR_MS);
    await write(`${TABLES}/2026-11-01/old.csv`, RETENTION_DAYS * DAY_MS + HOUR_MS);
    await write(`${TABLES}/2026-11-19/young.csv`, RETENTION_DAYS * DAY_MS - HOUR_MS);
    await write(`${ORG}/2026-11-19/young.pdf`, RETENTION_DAYS * DAY_MS - HOUR_MS);
    start();
    await waitUntilGone('the old ones', 'old');
    await waitUntilGone('the empty directory', '2026-11-01');
    expect(await paths()).toEqual(
      expect.arrayContaining([`${ORG}/2026-11-19/young.pdf`, `${TABLES}/2026-11-19/young.csv`]),
    );
  });

  it('removes the reports of a gateway after the time that is set', async () => {
    await write(`objects/${ORG}/2026-11-19/old.pdf`, RETENTION_DAYS * DAY_MS + HOUR_MS);
    await write(`objects/${ORG}/2026-11-19/young.pdf`, RETENTION_DAYS * DAY_MS - HOUR_MS);
    await keepSeen(NOW, 'objects');
    const config = { kind: 'files', dataDir: directory.path, retentionDays: RETENTION_DAYS } as const;
    const objects = await openObjects(config, log.logger);
    jest.useFakeTimers({ now: NOW, doNotFake: ['nextTick', 'performance', 'queueMicrotask', 'setImmediate'] });
    closeAfterTest(
      objects.openReports({ keyRing: new KeyRing([new Uint8Array(32)]), linkBase: () => '', onLargest: undefined }),
    );
    jest.advanceTimersByTime(60_000);
    jest.useRealTimers();
    await waitUntilGone('the old one', 'old');
    expect(await paths()).toContain(`objects/${ORG}/2026-11-19/young.pdf`);
  });

  it('removes what a crash left behind half-written a day ago', async () => {
    await write('tmp/left', DAY_MS + HOUR_MS);
    await write('tmp/being-written', DAY_MS - HOUR_MS);
    start();
    await waitUntilGone('the left one', 'tmp/left');
    expect(await paths()).toEqual(['clock.json', 'tmp', 'tmp/being-written']);
  });

  it('sweeps again, and goes on after a sweep that failed', async () => {
    await writeFile(join(directory.path, 'objects'), 'a file where a directory should be');
    start();
    await waitFor('the failure', () => log.complaints().includes('objects.sweep_failed'));
    // Written aside: directories are older than this clock, and would be swept while they are still empty.
    await write(`aside/${ORG}/2026-11-01/old.pdf`, 2 * RETENTION_DAYS * DAY_MS);
    await rm(join(directory.path, 'objects'));
    await rename(join(directory.path, 'aside/objects'), join(directory.path, 'objects'));
    await waitUntilGone('the old one', 'old');
  });

  it('tells the organisation whose reports take most of the disk', async () => {
    const organisations = { acme: 1, [encodeURIComponent('株式会社')]: 3, globex: 2 };
    for (const [org, files] of Object.entries(organisations)) {
      for (let file = 0; file < files; file += 1) await write(`${ORG}/../${org}/2026-11-19/${file}.pdf`, HOUR_MS);
    }
    for (let file = 0; file < 5; file += 1) await write(`${ORG}/../../no-org/2026-11-19/${file}.pdf`, HOUR_MS);
    const told: unknown[] = [];
    start((...largest) => told.push(largest));
    await waitFor('a sweep', () => told.length > 0);
    expect(told[0]).toEqual(['株式会社', 12]);
  });

  it.each([
    [
      'the clock is 400 days ahead of what the store has seen',
      () => keepSeen(NOW - 400 * DAY_MS),
      ['store.clock_ahead'],
    ],
    ['the store rested for a weekend', () => keepSeen(NOW - 3 * DAY_MS), []],
    ['its newest report shows no newer time', () => rm(join(directory.path, 'clock.json')), ['store.clock_ahead']],
  ])('removes nothing while %s', async (_, prepare, told) => {
    await prepare();
    const ageMs = RETENTION_DAYS * DAY_MS + HOUR_MS;
    await write(`${ORG}/2026-11-01/old.pdf`, ageMs);
    start();
    await waitFor('the time to be kept', async () => {
      const kept = await readFile(join(directory.path, 'clock.json'), 'utf8').catch(() => '');
      return kept.includes(`"aheadAt":${NOW}`);
    });
    expect(await paths()).toContain(`${ORG}/2026-11-01/old.pdf`);
    expect(log.complaints()).toEqual(told);
  });

  it('has nothing to do where nothing was stored', async () => {
    await start().close();
    expect(log.text()).toBe('');
  });
});

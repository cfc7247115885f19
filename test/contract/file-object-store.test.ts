import { randomBytes } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { KeyRing } from '../../src/base/config/key-ring.js';
import { fileFaultOf } from '../../src/objects/files/durable-files.js';
import { FileObjectStore } from '../../src/objects/files/file-object-store.js';
import { captureLog } from '../support/captured-log.js';
import { forEachTest, temporaryDirectory } from '../support/resources.js';
import { succeeds } from '../support/wait-for.js';
import { filesBelow } from './embedded.js';
import { objectStoreContract, type ObjectStoreUnderTest } from './object-store-contract.js';

const NOW = 1_800_000_000_000;
const OBSTACLE = /Something else lies below DATA_DIR/;
const LINK = { expiresInMs: 300_000, downloadName: 'report.pdf' };

/** The parts of a link, as the endpoint reads them. */
function partsOf(link: string): [key: string, exp: string, sig: string] {
  const { pathname, searchParams } = new URL(link, 'http://gateway.test');
  const key = pathname.slice('/vehicles/files/'.length).split('/').map(decodeURIComponent).join('/');
  return [key, searchParams.get('exp') ?? '', searchParams.get('sig') ?? ''];
}

async function openAnywhere(): Promise<ObjectStoreUnderTest> {
  const { path: directory, close } = await temporaryDirectory();
  let ahead = 0;
  const store = new FileObjectStore({
    directory,
    linkBase: () => '/vehicles',
    keyRing: new KeyRing([randomBytes(32)]),
    logger: captureLog().logger,
    clock: () => Date.now() + ahead,
  });
  return {
    store,
    async download(link) {
      const found = await store.openSigned(...partsOf(link));
      if (found.kind !== 'found') return undefined;
      const { downloadName, contentType, stream } = found;
      return { contentType, downloadName, body: await buffer(stream) };
    },
    contents: () => filesBelow(directory),
    passTime: (ms) => {
      ahead += ms;
      return Promise.resolve();
    },
    close,
  };
}

describe('The object store in files', () => objectStoreContract(openAnywhere));

describe('Objects in files', () => {
  const directory = forEachTest(temporaryDirectory);
  const log = forEachTest(captureLog);
  const keyRing = new KeyRing([randomBytes(32)]);

  function open(now = NOW): FileObjectStore {
    const { logger } = log;
    const clock = (): number => now;
    return new FileObjectStore({ directory: directory.path, linkBase: () => '/vehicles', keyRing, logger, clock });
  }

  it('links to the gateway itself, with the key percent-encoded once more', async () => {
    const link = await open().downloadUrl('org/a%2Eb/運.pdf', LINK);
    expect(link).toMatch(/^\/vehicles\/files\/org\/a%252Eb\/%E9%81%8B\.pdf\?exp=1800000300000&sig=[\w-]+\.[\w-]{43}$/);
  });

  it('keeps objects as plain files', async () => {
    await open().put('a/b.pdf', Readable.from([Buffer.from('%PDF')]));
    expect(await readFile(join(directory.path, 'objects/application%2Fpdf/a/b.pdf'), 'utf8')).toBe('%PDF');
    expect(await readdir(join(directory.path, 'tmp'))).toEqual([]);
  });

  it('opens a link until the moment it expires', async () => {
    await open().put('a.pdf', Readable.from([Buffer.from('%PDF')]));
    const parts = partsOf(await open().downloadUrl('a.pdf', LINK));
    const found = await open(NOW + 299_999).openSigned(...parts);
    if (found.kind !== 'found') throw new Error(found.kind);
    expect(found).toMatchObject({ size: 4, downloadName: 'report.pdf' });
    expect(await text(found.stream)).toBe('%PDF');
    expect(await open(NOW + 300_000).openSigned(...parts)).toEqual({ kind: 'refused' });
  });

  it('tells a link to nothing from one that it did not make', async () => {
    const [key, exp, sig] = partsOf(await open().downloadUrl('gone.pdf', LINK));
    expect(await open().openSigned(key, exp, sig)).toEqual({ kind: 'missing' });
    const others = [
      ...['other.pdf', '../gone.pdf', ''].map((other) => [other, exp, sig] as const),
      ...['1800000300001', '', `0${exp}`, `${exp} `, 'Infinity', '1e12'].map((other) => [key, other, sig] as const),
      ...['', '.', `x${sig}`, `${sig}x`, `${sig}.x`, sig.replace('.', '')].map((other) => [key, exp, other] as const),
    ];
    for (const other of others) expect(await open().openSigned(...other)).toEqual({ kind: 'refused' });
  });

  it('refuses, and the log says what to change, when something else lies where reports have to go', async () => {
    await writeFile(join(directory.path, 'objects'), 'a file where a directory should be');
    const body = Readable.from([Buffer.from('x'), Buffer.from('y')]);
    const failure = open().put('a.pdf', body);
    await expect(failure).rejects.toMatchObject({ status: 503, cause: { message: expect.stringMatching(OBSTACLE) } });
    expect(log.complaints()).toEqual([expect.stringMatching(OBSTACLE)]);
    expect(await readdir(join(directory.path, 'tmp'))).toEqual([]);
    expect(body.destroyed).toBe(true);
  });

  it('leaves no listener with the signal of an upload', async () => {
    const { signal } = new AbortController();
    await open().put('a.pdf', Readable.from([Buffer.from('%PDF')]), signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('stores an object although its directory is removed while that is empty', async () => {
    const store = open();
    const parent = join(directory.path, 'objects/application%2Fpdf/a');
    let removals = 0;
    for (let number = 0; number < 50; number += 1) {
      const storing = new AbortController();
      const putting = store.put('a/b.pdf', Readable.from([Buffer.from('%PDF')])).finally(() => storing.abort());
      // As soon as it is there; that the file is quicker is the other possibility.
      const removed = (async () => {
        while (!storing.signal.aborted) {
          if (await succeeds(rmdir(parent))) return 1;
        }
        return 0;
      })();
      await putting;
      removals += await removed;
      await rm(parent, { recursive: true });
    }
    expect(removals).toBeGreaterThan(0);
  });
});

it.each([
  ['EACCES', /right to write/],
  ['EPERM', /right to write/],
  ['EROFS', /read-only/],
  ['ENOTDIR', OBSTACLE],
  ['EISDIR', OBSTACLE],
  ['ENOSPC', /Make room/],
  ['EDQUOT', /Make room/],
  ['EMFILE', /ulimit/],
  ['EIO', /Check it/],
])('A fault of the files %s is logged with its cure', (code, text) => {
  expect(fileFaultOf(Object.assign(new Error(`${code}: no`), { code }))).toMatch(text);
});

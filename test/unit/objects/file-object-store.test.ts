import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { ServiceUnavailableError } from '../../../src/errors.js';
import { KeyRing } from '../../../src/config/key-ring.js';
import { createFileObjectStore, type FileObjectStore } from '../../../src/objects/files/file-object-store.js';
import { waitFor } from '../../support/wait-for.js';

const PDF = { contentType: 'application/pdf' };
const NOW = 1_800_000_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const LINK = { expiresInMs: 300_000, downloadName: 'report.pdf' };

describe('The object store in files', () => {
  let directory: string;
  const firstKey = randomBytes(32);

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'objects-'));
  });

  afterEach(() => rm(directory, { recursive: true }));

  function open(keyRing = new KeyRing([firstKey]), now = NOW): FileObjectStore {
    return createFileObjectStore({ directory, basePath: '/vehicles', keyRing, clock: () => now });
  }

  function partsOf(link: string): [key: string, exp: string, sig: string] {
    const { pathname, searchParams } = new URL(link, 'http://gateway.test');
    const key = pathname.slice('/vehicles/files/'.length).split('/').map(decodeURIComponent).join('/');
    return [key, searchParams.get('exp') ?? '', searchParams.get('sig') ?? ''];
  }

  it('links to the gateway itself, with the key percent-encoded once more', async () => {
    const link = await open().downloadUrl('org/a%2Eb/運.pdf', LINK);
    expect(link).toMatch(/^\/vehicles\/files\/org\/a%252Eb\/%E9%81%8B\.pdf\?exp=1800000300000&sig=[\w-]+\.[\w-]{43}$/);
  });

  it('keeps objects as plain files', async () => {
    await open().put('a/b.pdf', Readable.from([Buffer.from('%PDF')]), PDF);
    expect(await readFile(join(directory, 'objects/application%2Fpdf/a/b.pdf'), 'utf8')).toBe('%PDF');
    expect(await readdir(join(directory, 'tmp'))).toEqual([]);
  });

  it('opens a link until the moment it expires', async () => {
    await open().put('a.pdf', Readable.from([Buffer.from('%PDF')]), PDF);
    const parts = partsOf(await open().downloadUrl('a.pdf', LINK));
    const found = await open(undefined, NOW + 299_999).openSigned(...parts);
    if (found.kind !== 'found') throw new Error(found.kind);
    expect(found).toMatchObject({ size: 4, contentType: 'application/pdf', downloadName: 'report.pdf' });
    expect(await text(found.stream)).toBe('%PDF');
    expect(await open(undefined, NOW + 300_000).openSigned(...parts)).toEqual({ kind: 'refused' });
  });

  it('tells a link to nothing from one that it did not make', async () => {
    const [key, exp, sig] = partsOf(await open().downloadUrl('gone.pdf', LINK));
    expect(await open().openSigned(key, exp, sig)).toEqual({ kind: 'missing' });
    for (const [otherKey, otherExp, otherSig] of [
      ['other.pdf', exp, sig],
      ['../gone.pdf', exp, sig],
      ['', exp, sig],
      [key, '1800000300001', sig],
      [key, '', sig],
      [key, `0${exp}`, sig],
      [key, `${exp} `, sig],
      [key, 'Infinity', sig],
      [key, exp, ''],
      [key, exp, '.'],
      [key, exp, `x${sig}`],
      [key, exp, `${sig}x`],
      [key, exp, `${sig}.x`],
      [key, exp, sig.replace('.', '')],
    ] as const) {
      expect(await open().openSigned(otherKey, otherExp, otherSig)).toEqual({ kind: 'refused' });
    }
  });

  it('accepts links made with the former key while keys are rotated, and not afterwards', async () => {
    const parts = partsOf(await open().downloadUrl('gone.pdf', LINK));
    const next = randomBytes(32);
    expect(await open(new KeyRing([next, firstKey])).openSigned(...parts)).toEqual({ kind: 'missing' });
    expect(await open(new KeyRing([next])).openSigned(...parts)).toEqual({ kind: 'refused' });
  });

  it('removes at its start what crashes left behind more than a day ago', async () => {
    const temporary = join(directory, 'tmp');
    await mkdir(temporary);
    for (const [name, ageMs] of [
      ['old', DAY_MS + 1_000],
      ['young', DAY_MS - 1_000],
    ] as const) {
      await writeFile(join(temporary, name), 'half an object');
      const writtenAt = (NOW - ageMs) / 1000;
      await utimes(join(temporary, name), writtenAt, writtenAt);
    }
    open();
    expect(
      await waitFor('the old one to go', async () => {
        const names = await readdir(temporary);
        return names.length < 2 && names;
      }),
    ).toEqual(['young']);
  });

  it('says that it is unavailable when the disk fails, and ends the stream', async () => {
    await writeFile(join(directory, 'objects'), 'a file where a directory should be');
    const body = Readable.from([Buffer.from('x'), Buffer.from('y')]);
    await expect(open().put('a.pdf', body, PDF)).rejects.toThrow(ServiceUnavailableError);
    expect(await readdir(join(directory, 'tmp'))).toEqual([]);
    expect(body.destroyed).toBe(true);
  });
});

import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { makeDirectory } from '../../../src/base/config/make-directory.js';
import { forAllTests, temporaryDirectory } from '../../support/resources.js';

const directory = forAllTests(temporaryDirectory);

describe('a directory that is made', () => {
  it('comes with those above it, all with its mode, and stays what it is', async () => {
    const [parent, child] = [path.join(directory.path, 'a'), path.join(directory.path, 'a/b/c')];
    await makeDirectory(child, 0o700);
    for (const each of [parent, child]) expect((await stat(each)).mode & 0o777).toBe(0o700);
    await makeDirectory(child);
    expect((await stat(child)).mode & 0o777).toBe(0o700);
  });

  it('can be made by several at once', async () => {
    const place = path.join(directory.path, 'at-once/a/b/c');
    await Promise.all(Array.from({ length: 5 }, () => makeDirectory(place)));
    expect((await stat(place)).isDirectory()).toBe(true);
  });

  it('is refused below a file, and where the system has none, instead of being tried for ever', async () => {
    const file = path.join(directory.path, 'file');
    await writeFile(file, '');
    await expect(makeDirectory(path.join(file, 'a/b'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(makeDirectory('/proc/nowhere/a')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

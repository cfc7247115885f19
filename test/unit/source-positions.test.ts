/** Positions in our sources, in place of those in bundled modules. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import { inSources } from '../../src/base/logging/source-positions.js';
import { closeAfterTest, temporaryDirectory } from '../support/resources.js';

it('A file that the text of an error names, and that is no module of ours, is not read', async () => {
  const directory = closeAfterTest(await temporaryDirectory());
  const file = path.join(directory.path, 'named.js');
  await writeFile(`${file}.map`, JSON.stringify({ version: 3, sources: ['read.ts'], mappings: 'AAAA', names: [] }));
  const stack = `Error: cannot load ${pathToFileURL(file).href}:1:1`;
  expect(inSources(stack)).toBe(stack);
});

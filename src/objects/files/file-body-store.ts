import { readFile, rm } from 'node:fs/promises';
import type { Logger } from '../../logging/logger.js';
import { makeDirectory } from '../../config/make-directory.js';
import { writeProbeFile, WatchedStore } from '../store-probe.js';
import { BODY_CONTENT_TYPE, type BodyStore } from '../object-store.js';
import { ifExists, placesIn, writeDurably } from './durable-files.js';
import { fileFaultOf } from './file-faults.js';
import { ObjectFiles } from './object-files.js';

/** Stores large bodies as files among the objects of the directory, so that the sweeper removes leftovers. */
export function createFileBodyStore(options: { readonly directory: string; readonly logger: Logger }): BodyStore {
  const { root, objects, temporary } = placesIn(options.directory);
  const files = new ObjectFiles(objects, BODY_CONTENT_TYPE);
  const store = new WatchedStore(options.logger, fileFaultOf);

  return {
    put: (key, text) =>
      store.ask('writing', async () => {
        const file = files.path(key);
        await writeDurably(oneChunk(text), { root, temporary, file });
      }),
    get: (key) => store.ask('reading', () => ifExists(readFile(files.path(key), 'utf8'))),
    remove: (key) => store.ask('reading', () => rm(files.path(key), { force: true })),
    check: () =>
      store.check(async () => {
        await makeDirectory(temporary);
        await writeProbeFile(temporary);
        return [];
      }),
    close: () => undefined,
  };
}

async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

import { readFile, rm } from 'node:fs/promises';
import type { Logger } from '../../base/logging/logger.js';
import { makeDirectory } from '../../base/config/make-directory.js';
import { writeProbeFile, WatchedStore } from '../store-probe.js';
import { BODY_CONTENT_TYPE, type BodyStore } from '../object-store.js';
import { ifExists, placesIn, writeDurably, fileFaultOf, objectFile } from './durable-files.js';

/** Stores large bodies as files among the objects of the directory, so that the sweeper removes leftovers. */
export function createFileBodyStore(options: { readonly directory: string; readonly logger: Logger }): BodyStore {
  const { root, objects, temporary } = placesIn(options.directory);
  const fileOf = (key: string): string => objectFile(objects, BODY_CONTENT_TYPE, key);
  const store = new WatchedStore(options.logger, fileFaultOf);

  return {
    put: (key, text) =>
      store.ask('writing', async () => {
        await writeDurably([Buffer.from(text)], { root, temporary, file: fileOf(key) });
      }),
    get: (key) => store.ask('reading', () => ifExists(readFile(fileOf(key), 'utf8'))),
    remove: (key) => store.ask('reading', () => rm(fileOf(key), { force: true })),
    check: () =>
      store.check(async () => {
        await makeDirectory(temporary);
        await writeProbeFile(temporary);
        return [];
      }),
    close: () => undefined,
  };
}

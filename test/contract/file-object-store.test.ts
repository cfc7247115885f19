import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe } from '@jest/globals';
import { KeyRing } from '../../src/config/key-ring.js';
import { createFileObjectStore } from '../../src/objects/files/file-object-store.js';
import { REPORT_CONTENT_TYPE } from '../../src/objects/object-store.js';
import { captureLog } from '../support/captured-log.js';
import { temporaryDirectory } from '../support/resources.js';
import { filesBelow } from './embedded.js';
import { objectStoreContract, type ObjectStoreUnderTest } from './object-store-contract.js';

async function open(): Promise<ObjectStoreUnderTest> {
  const { path: directory, close } = await temporaryDirectory();
  let ahead = 0;
  const store = createFileObjectStore({
    directory,
    linkBase: () => '/base',
    keyRing: new KeyRing([randomBytes(32)]),
    logger: captureLog().logger,
    clock: () => Date.now() + ahead,
  });
  return {
    store,
    async download(link) {
      const { pathname, searchParams } = new URL(link, 'http://gateway.test');
      const key = pathname
        .replace(/^\/base\/files\//, '')
        .split('/')
        .map(decodeURIComponent)
        .join('/');
      const found = await store.openSigned(key, searchParams.get('exp') ?? '', searchParams.get('sig') ?? '');
      if (found.kind !== 'found') return undefined;
      const { downloadName, stream } = found;
      return { contentType: REPORT_CONTENT_TYPE, downloadName, body: await buffer(stream) };
    },
    contents: () => filesBelow(directory),
    passTime: (ms) => {
      ahead += ms;
      return Promise.resolve();
    },
    close,
  };
}

describe('The object store in files', () => objectStoreContract(open));

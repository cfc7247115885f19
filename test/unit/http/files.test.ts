import { Readable } from 'node:stream';
import { beforeEach, expect, it } from '@jest/globals';
import Koa from 'koa';
import { files } from '../../../src/gateway/http/endpoints/files.js';
import { errorHandler } from '../../../src/gateway/http/error-handler.js';
import type { SignedObjects } from '../../../src/objects/files/file-object-store.js';
import { serveOnLoopback } from '../../support/loopback.js';
import { forEachTest } from '../../support/resources.js';
import { waitFor } from '../../support/wait-for.js';

let opened: Readable[];
beforeEach(() => {
  opened = [];
});

/** A store of files without an end; those whose name says so are none. */
const store: SignedObjects = {
  openSigned: (key) => {
    if (key === 'broken') return Promise.reject(new Error('the disk'));
    if (key === 'missing') return Promise.resolve({ kind: 'missing' });
    const stream = new Readable({ read: () => undefined });
    opened.push(stream);
    stream.push('begins');
    return Promise.resolve({ kind: 'found', stream, size: 1_000, downloadName: 'a.pdf' });
  },
};

const server = forEachTest(() => {
  const app = new Koa();
  app.silent = true;
  app.use((ctx, next) => {
    ctx.state['log'] = { event: () => undefined };
    return next();
  });
  app.use(errorHandler());
  app.use(files(store, '/files/', 2));
  const answer = app.callback();
  return serveOnLoopback((request, response) => void answer(request, response));
});

const download = (name: string): Promise<Response> => fetch(`${server.url}/files/${name}?exp=1&sig=1`);

it('no more files are open at the same time than may be, and none that is not there takes a place', async () => {
  for (const name of ['missing', 'broken', 'missing', 'broken']) {
    expect((await download(name)).status).toBe(name === 'missing' ? 404 : 500);
  }
  expect([(await download('one')).status, (await download('two')).status]).toEqual([200, 200]);
  const refused = await download('three');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(opened).toHaveLength(2);
});

it('a client that goes away leaves its place to the next one', async () => {
  const [one] = await Promise.all([download('one'), download('two')]);
  await one.body?.cancel();
  await waitFor('the file to be closed', () => opened.some(({ destroyed }) => destroyed));
  await waitFor('a place', async () => (await download('three')).status === 200);
});

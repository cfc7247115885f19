import { once } from 'node:events';
import { createServer, request, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import Koa from 'koa';
import { files } from '../../../src/http/endpoints/files.js';
import { errorHandler } from '../../../src/http/error-handler.js';
import type { FileObjectStore } from '../../../src/objects/files/file-object-store.js';
import { listenOnLoopback } from '../../support/loopback.js';
import { waitFor } from '../../support/wait-for.js';

let opened: Readable[];
/** A store of files without an end; those whose name says so are none. */
const store = {
  openSigned: (key: string) => {
    if (key === 'broken') return Promise.reject(new Error('the disk'));
    if (key === 'missing') return Promise.resolve({ kind: 'missing' });
    const stream = new Readable({ read: () => undefined });
    opened.push(stream);
    stream.push('begins');
    return Promise.resolve({ kind: 'found', stream, size: 1_000, downloadName: 'a.pdf' });
  },
} as unknown as FileObjectStore; // what downloading touches

const server = createServer();
let requests: ClientRequest[];
beforeEach(async () => {
  opened = [];
  requests = [];
  const app = new Koa();
  app.silent = true;
  app.use((ctx, next) => {
    ctx.state['log'] = { event: () => undefined };
    return next();
  });
  app.use(errorHandler());
  app.use(files(store, '/files/', 2));
  const answer = app.callback();
  server.removeAllListeners('request').on('request', (asked, response) => void answer(asked, response));
  await listenOnLoopback(server);
});
afterEach(async () => {
  for (const each of requests) each.destroy();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

async function download(name: string): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo; // it listens
  const asked = request({ port, host: '127.0.0.1', path: `/files/${name}?exp=1&sig=1` }).end();
  asked.on('error', () => undefined);
  requests.push(asked);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
}

it('no more files are open at the same time than may be, and none that is not there takes a place', async () => {
  for (const name of ['missing', 'broken', 'missing', 'broken']) {
    const { statusCode } = await download(name);
    expect(statusCode).toBe(name === 'missing' ? 404 : 500);
  }
  expect((await download('one')).statusCode).toBe(200);
  expect((await download('two')).statusCode).toBe(200);
  const refused = await download('three');
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
  expect(opened).toHaveLength(2);
});

it('a client that goes away leaves its place to the next one', async () => {
  await Promise.all([download('one'), download('two')]);
  requests[0]?.destroy();
  await waitFor('the file to be closed', () => opened.some(({ destroyed }) => destroyed));
  await waitFor('a place', async () => (await download('three')).statusCode === 200);
});

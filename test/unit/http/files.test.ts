import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { beforeEach, expect, it, jest } from '@jest/globals';
import Koa from 'koa';
import { files } from '../../../src/gateway/http/endpoints/files.js';
import { errorHandler } from '../../../src/gateway/http/error-handler.js';
import type { SignedObject, SignedObjects } from '../../../src/objects/files/file-object-store.js';
import { serveOnLoopback } from '../../support/loopback.js';
import { closeAfterTest, forEachTest } from '../../support/resources.js';
import { waitFor } from '../../support/wait-for.js';

let opened: Readable[];
/** Bytes that were read from each of the large ones. */
let read: number[];
let answerDisk: (() => void) | undefined;
/** Targets of the requests whose replies have closed. */
let closed: Set<string | undefined>;
beforeEach(() => {
  opened = [];
  read = [];
  answerDisk = undefined;
  closed = new Set();
});

/** More than the buffers of two sockets hold. */
const LARGE = 32 * 1024 * 1024;
const RATE_MS = 200;

/** Chunks of a large file, as they are read from a disk. */
function* chunks(index: number): Generator<Buffer> {
  for (let sent = 0; sent < LARGE; sent += 65_536) {
    read[index] = sent;
    yield Buffer.alloc(65_536);
  }
}

/** A store of files without an end, or large ones; those whose name says so are none. */
const store: SignedObjects = {
  openSigned: (key) => {
    if (key === 'broken') return Promise.reject(new Error('the disk'));
    if (key === 'missing') return Promise.resolve({ kind: 'missing' });
    if (key === 'slow disk') return new Promise((resolve) => (answerDisk = () => resolve(found(key))));
    return Promise.resolve(found(key));
  },
};

function found(key: string): SignedObject {
  const isLarge = key.endsWith('large');
  const stream = isLarge ? Readable.from(chunks(opened.length)) : new Readable({ read: () => undefined });
  opened.push(stream);
  if (!isLarge) stream.push('begins');
  return {
    kind: 'found',
    stream,
    size: isLarge ? LARGE : 1_000,
    downloadName: 'a.pdf',
    contentType: 'application/pdf',
  };
}

const MAX_OPEN = 8;

function serve(rateMs: number) {
  const app = new Koa();
  app.silent = true;
  app.use((ctx, next) => {
    ctx.state['log'] = { event: () => undefined };
    return next();
  });
  app.use(errorHandler());
  app.use(files(store, '/files/', { maxOpen: MAX_OPEN, rateMs }));
  const answer = app.callback();
  return serveOnLoopback((request, response) => {
    response.on('close', () => closed.add(request.url));
    void answer(request, response);
  });
}

/** A busy machine may read as slowly as a client that is to be ended, so only some tests have that end. */
const server = forEachTest(() => serve(3_600_000));
const strict = forEachTest(() => serve(RATE_MS));

/** The status of a download, of which nothing more is read. @param host last part of the client's address */
async function download(key: string, host = 1, { url } = server): Promise<IncomingMessage> {
  const asked = request(`${url}/files/${key}?exp=1&sig=1`, { localAddress: `127.0.0.${host}`, agent: false });
  const [reply] = (await once(asked.end(), 'response')) as [IncomingMessage];
  reply.on('error', () => undefined);
  closeAfterTest(reply, (opened) => opened.destroy());
  return reply;
}

/** How many of some downloads one after another are served. */
async function served(count: number, key: (index: number) => string, host: (index: number) => number): Promise<number> {
  const statuses: (number | undefined)[] = [];
  for (let index = 0; index < count; index += 1) {
    statuses.push((await download(key(index), host(index))).statusCode);
  }
  return statuses.filter((status) => status === 200).length;
}

it.each([
  ['an organisation', (index: number) => `reports/acme/${index}`, (index: number) => index + 1],
  ['an object', () => 'reports/acme/one', (index: number) => index + 1],
  ['a client', (index: number) => `reports/org-${index}/${index}`, () => 1],
])('%s gets half of the places for downloads, the next one half of the rest', async (_what, key, host) => {
  expect(await served(MAX_OPEN, key, host)).toBe(MAX_OPEN / 2);
  expect(
    await served(
      MAX_OPEN,
      () => 'reports/globex/1',
      () => 99,
    ),
  ).toBe(MAX_OPEN / 4);
  expect(opened).toHaveLength((MAX_OPEN * 3) / 4);
});

it('none that is not there takes a place, and a refused download says when to try again', async () => {
  for (const name of ['missing', 'broken', 'missing', 'broken']) {
    expect((await download(name)).statusCode).toBe(name === 'missing' ? 404 : 500);
  }
  expect(
    await served(
      MAX_OPEN,
      () => 'one',
      () => 1,
    ),
  ).toBe(MAX_OPEN / 2);
  const refused = await download('one');
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
});

it('a client that goes away leaves its place to the next one', async () => {
  const replies = await Promise.all(Array.from({ length: MAX_OPEN / 2 }, () => download('one')));
  expect((await download('one')).statusCode).toBe(503);
  replies[0]?.destroy();
  await waitFor('the file to be closed', () => opened.some(({ destroyed }) => destroyed));
  await waitFor('a place', async () => (await download('one')).statusCode === 200);
});

it('a client that goes away before its file is open leaves no timer', async () => {
  const started = jest.spyOn(globalThis, 'setInterval');
  closeAfterTest(started, (spy) => spy.mockRestore());
  const target = '/files/slow%20disk?exp=1&sig=1';
  const asked = request(`${strict.url}${target}`, { agent: false });
  asked.on('error', () => undefined).end();
  await waitFor('the request', () => answerDisk !== undefined);
  asked.destroy();
  await waitFor('the connection to close', () => closed.has(target));
  answerDisk?.();
  await waitFor('the file to be closed', () => opened[0]?.destroyed === true);
  expect(started.mock.calls.filter(([, everyMs]) => everyMs === RATE_MS)).toEqual([]);
});

it('a client that takes nearly nothing keeps its place only while half of them are free', async () => {
  const compare: (() => void)[] = [];
  const every = setInterval;
  const spied = jest.spyOn(globalThis, 'setInterval').mockImplementation((run: () => void, ms?: number) => {
    if (ms === RATE_MS) compare.push(run);
    return every(ms === RATE_MS ? () => undefined : run, ms);
  });
  closeAfterTest(spied, (spy) => spy.mockRestore());
  await download('reports/acme/large', 1, strict);
  const steady = await download('reports/globex/large', 2, strict);
  /** Lets the steady one take far more than the rate, and more than is on its way, before the rates are compared. */
  const compareRates = async (): Promise<void> => {
    const before = read[1] ?? 0;
    while ((read[1] ?? 0) < before + 1024 * 1024) {
      steady.read();
      await new Promise(setImmediate);
    }
    for (const run of compare) run();
  };
  for (let time = 0; time < 3; time += 1) await compareRates();
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  for (const host of [3, 4, 5]) await download(`reports/other-${host}/large`, host, strict);
  await waitFor('the end of the slow one', async () => {
    await compareRates();
    return opened[0]?.destroyed === true;
  });
  expect(opened[1]?.destroyed).toBe(false);
});

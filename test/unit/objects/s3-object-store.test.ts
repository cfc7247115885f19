/** The store on S3 against servers whose answers a test decides; the contract tests use a real one. */
import { getEventListeners } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ServiceUnavailableError } from '../../../src/base/errors.js';
import type { ReportStore } from '../../../src/objects/object-store.js';
import { S3ObjectStore } from '../../../src/objects/s3/s3-object-store.js';
import { captureLog, type CapturedLog } from '../../support/captured-log.js';
import { listenOnLoopback, serveOnLoopback } from '../../support/loopback.js';
import { closeAfterTest } from '../../support/resources.js';
import { waitFor } from '../../support/wait-for.js';

const MEBIBYTE = 1024 * 1024;

let log: CapturedLog;
let store: ReportStore;

function open(port: number): ReportStore {
  return new S3ObjectStore({
    bucket: 'reports',
    retentionDays: 8,
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    forcePathStyle: true,
    // Longer than a test may take.
    requestTimeoutMs: 3_600_000,
    logger: log.logger,
    credentials: { accessKeyId: 'AK', secretAccessKey: 'secret' },
  });
}

async function* bytes(count: number): AsyncGenerator<Uint8Array> {
  for (let left = count; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536));
  await new Promise(setImmediate);
}

beforeEach(() => {
  log = captureLog();
});

describe('A bucket that never answers', () => {
  const sockets = new Set<Socket>();

  beforeEach(async () => {
    sockets.clear();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).resume();
    });
    store = closeAfterTest(open(await listenOnLoopback(closeAfterTest(server))));
  });

  it.each([
    ['small', 10],
    ['of several parts', 12 * MEBIBYTE],
  ])('is left at once when the upload, which is %s, is aborted', async (_size, count) => {
    const stopping = new AbortController();
    const putting = store.put('a.pdf', bytes(count), stopping.signal);
    putting.catch(() => undefined);
    await waitFor('the upload to begin', () => sockets.size > 0);
    stopping.abort(new Error('the service is shutting down'));
    await expect(putting).rejects.toThrow('the service is shutting down');
    await waitFor('the connections to be closed', () => [...sockets].every((socket) => socket.closed));
    expect(log.complaints()).toEqual([]);
  });
});

describe('An upload', () => {
  let answer: RequestListener;

  beforeEach(async () => {
    answer = (_request, response) => response.writeHead(200, { etag: '"tag"' }).end();
    const { port } = closeAfterTest(
      await serveOnLoopback((request, response) => {
        request.resume().on('end', () => answer(request, response));
      }),
    );
    store = closeAfterTest(open(port));
  });

  function answerFault(status: number, code: string): void {
    answer = (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
    };
  }

  it('leaves no listener with its signal when the object is stored', async () => {
    const { signal } = new AbortController();
    await store.put('a.pdf', bytes(10), signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('leaves none either when the store fails while the body is silent', async () => {
    answer = (_request, response) => response.writeHead(403).end();
    const { signal } = new AbortController();
    async function* silent(): AsyncGenerator<Uint8Array> {
      yield* bytes(12 * MEBIBYTE);
      await new Promise(() => undefined);
    }
    await expect(store.put('a.pdf', silent(), signal)).rejects.toThrow();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('whose parts are not answered ends after five seconds, and does not wait for their removal', async () => {
    answer = ({ url = '' }, response) => {
      if (/[?&]uploads/.test(url)) response.end('<R><UploadId>1</UploadId></R>');
    };
    // Without its own limit, the removal would take five more seconds.
    const limit = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
    const begunAt = performance.now();
    await expect(store.put('a.pdf', bytes(12 * MEBIBYTE))).rejects.toThrow(ServiceUnavailableError);
    expect(performance.now() - begunAt).toBeLessThan(9_500);
    expect(limit).toHaveBeenCalledTimes(1);
    limit.mockRestore();
  });

  it('is turned away while writing fails and another one tries', async () => {
    answerFault(403, 'AccessDenied');
    const failure = await store.put('a.pdf', bytes(10)).catch((error: unknown) => error);
    answer = () => undefined;
    const stopping = new AbortController();
    const tries = store.put('a.pdf', bytes(10), stopping.signal).catch(() => 'stopped');
    await expect(store.put('b.pdf', bytes(10))).rejects.toBe(failure);
    stopping.abort();
    expect(await tries).toBe('stopped');
  });

  it('goes on beside another one when only reading fails, after a failure of writing that is over', async () => {
    let writing = 403;
    answer = ({ method }, response) => response.writeHead(method === 'PUT' ? writing : 403, { etag: '"tag"' }).end();
    await expect(store.put('a.pdf', bytes(10))).rejects.toThrow(ServiceUnavailableError);
    writing = 200;
    await store.put('a.pdf', bytes(10));
    await expect(store.probe.ping()).rejects.toThrow(ServiceUnavailableError);
    const both = ['b.pdf', 'c.pdf'].map((key) => store.put(key, bytes(10)));
    expect(await Promise.all(both)).toEqual([{ size: 10 }, { size: 10 }]);
  });

  it.each<[string, read: number, write: number, list: number]>([
    ['the object that is read is missing and may not be written', 404, 403, 200],
    ['the bucket goes away while it is read', 500, 500, 500],
  ])('is not said to be unreadable alone when %s', async (_when, read, write, list) => {
    let lists = 0;
    answer = ({ method, url = '' }, response) => {
      const isList = url.includes('list-type');
      if (isList) lists += 1;
      const status = isList ? (lists === 1 ? 200 : list) : method === 'PUT' ? write : read;
      response.writeHead(status, { 'content-type': 'application/xml' });
      const code = status === 404 ? 'NoSuchKey' : 'AccessDenied';
      response.end(status === 200 ? '<R></R>' : `<Error><Code>${code}</Code></Error>`);
    };
    await store.probe.ping();
    await waitFor('the failure to be told', () => log.complaints().length > 0);
    expect(log.text()).not.toMatch(/unreadable|not read/);
  });

  it.each([
    ['AccessDenied', 403, /Grant s3:PutObject/],
    ['ExpiredToken', 400, /Correct AWS_ACCESS_KEY_ID/],
    ['PermanentRedirect', 301, /Set S3_REGION/],
    ['NotImplemented', 501, /Use one that has them/],
    ['WhatNobodyKnows', 405, /HTTP 405.*Check S3_ENDPOINT/],
  ])('that is answered %s waits until the setting that the log names is changed', async (code, status, cure) => {
    answerFault(status, code);
    await expect(store.put('a.pdf', bytes(10))).rejects.toMatchObject({
      code: 'ServiceUnavailable',
      status: 503,
      cause: expect.objectContaining({ message: expect.stringMatching(cure) }),
    });
    expect(log.complaints()).toEqual([expect.stringMatching(cure)]);
  });

  it.each([
    ['SlowDown', 503],
    ['InternalError', 500],
    ['QuotaExceeded', 403],
    ['RequestTimeTooSkewed', 403],
    ['RequestTimeout', 400],
    ['NoSuchUpload', 404],
    ['OperationAborted', 409],
  ])('that is answered %s, which passes, may be tried again', async (code, status) => {
    answerFault(status, code);
    await expect(store.put('a.pdf', bytes(10))).rejects.toBeInstanceOf(ServiceUnavailableError);
  });

  it.each([
    ['AccessDenied', 403],
    ['NotImplemented', 501],
    ['MethodNotAllowed', 405],
  ])('is not said to lack a lifecycle rule by a server that answers %s to the question', async (code, status) => {
    answer = (request, response) => {
      const asked = request.url?.includes('lifecycle');
      response.writeHead(asked ? status : 200, { 'content-type': 'application/xml' });
      response.end(asked ? `<Error><Code>${code}</Code></Error>` : '<R><UploadId>1</UploadId></R>');
    };
    expect(await store.check()).toEqual([]);
  });
});

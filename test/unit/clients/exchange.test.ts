import { getEventListeners } from 'node:events';
import type { RequestListener } from 'node:http';
import net from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { inOwnWords, isRefusal, type CallName } from '../../../src/clients/call-error.js';
import { Connections, type ConnectionsOptions } from '../../../src/clients/connections.js';
import { exchange, sending, type Route } from '../../../src/clients/exchange.js';
import { PlainRequest } from '../../../src/clients/plain-exchange.js';
import { shownFailure } from '../../../src/jobs/kinds/item-error.js';
import { refusalError } from '../../support/failed-calls.js';
import { listenOnLoopback, serveOnLoopback } from '../../support/loopback.js';
import { closeAfterTest } from '../../support/resources.js';
import { waitFor } from '../../support/wait-for.js';

async function listen(handler: RequestListener): Promise<string> {
  return closeAfterTest(await serveOnLoopback(handler)).url;
}

function connect(options: Partial<ConnectionsOptions> = {}): Connections {
  return closeAfterTest(
    new Connections({ backend: 'backend-api', connections: 4, maxWaiting: 4, fair: false, ...options }),
  );
}

const ROUTE = { backend: 'backend-api', party: ['acme'], timeoutMs: 5_000 } as const;

/** Asks a server, over connections of its own by default. */
async function ask(
  url: string,
  { call = 'getMobile', ...route }: Partial<Route> & { readonly call?: CallName } = {},
  headers: Record<string, string> = {},
): Promise<unknown> {
  return exchange(
    { call, send: sending(new PlainRequest(url, { headers })), reply: (text) => JSON.parse(text) as unknown },
    { ...ROUTE, connections: route.connections ?? connect(), ...route },
  );
}

const thrown = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'nothing',
    (error: unknown) => error,
  );

it('a reply of more than 16 MiB breaks the contract; one of as much is read', async () => {
  const origin = await listen(({ url }, response) => {
    const bytes = 16 * 1024 * 1024 + (url === '/more' ? 1 : 0);
    response.end(`"${'x'.repeat(bytes - 2)}"`);
  });
  const connections = connect();
  const patient = { connections, timeoutMs: 60_000 };
  await expect(ask(`${origin}/more`, patient)).rejects.toMatchObject({ end: 'unreadable' });
  expect(await ask(`${origin}/as-much`, patient)).toHaveLength(16 * 1024 * 1024 - 2);
});

describe('an outage', () => {
  it('is a status of 500 or more, with the pause that is asked for', async () => {
    const origin = await listen((_request, response) => response.writeHead(503, { 'retry-after': '7' }).end('{}'));
    const details = { httpStatus: 503, retryAfterMs: 7_000 };
    await expect(ask(origin)).rejects.toMatchObject({ end: 'failed', details, dependency: 'backend-api' });
  });

  it('is a status that does not exist', async () => {
    const origin = await listen((_request, response) => response.writeHead(999).end('{}'));
    await expect(ask(origin)).rejects.toMatchObject({ end: 'failed' });
  });

  it('is a connection that is refused, or cut in the middle of the reply', async () => {
    const origin = await listen((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      setImmediate(() => response.destroy());
    });
    await expect(ask(origin)).rejects.toMatchObject({ end: 'failed' });
    const refused = { end: 'unsent', details: {}, cause: { code: 'ECONNREFUSED' } };
    await expect(ask('http://127.0.0.1:1/')).rejects.toMatchObject(refused);
  });

  it('is an answer that does not come in time, whatever part of it is late', async () => {
    const origin = await listen(({ url }, response) => {
      if (url !== '/status') response.writeHead(200).write('{');
      if (url !== '/drops') return;
      const drops = setInterval(() => response.write('x'), 5);
      response.on('close', () => clearInterval(drops));
    });
    for (const path of ['/status', '/body', '/drops']) {
      const error = await thrown(ask(`${origin}${path}`, { timeoutMs: 100 }));
      expect(error).toMatchObject({ end: 'failed' });
    }
  });

  it('is a connection that does not come about in time, and the limit holds nevertheless', async () => {
    // A handshake that is never answered; the pool cannot be made to stop waiting for it.
    const silent = closeAfterTest(net.createServer());
    const port = await listenOnLoopback(silent);
    const sockets: net.Socket[] = [];
    silent.on('connection', (socket) => sockets.push(socket));
    const error = await thrown(ask(`https://127.0.0.1:${port}/`, { timeoutMs: 200 }));
    expect(error).toMatchObject({ end: 'unsent' });
    for (const socket of sockets) socket.destroy();
  });
});

describe('what is no outage', () => {
  const inUserWords = (error: unknown): Error | undefined => (isRefusal(error) ? inOwnWords(error) : undefined);

  it.each([
    ['no\u0000 such\u202e\r\nuser\u202a', 'No such user.'],
    ['\u2067name\u2069 and \u2066\u2068open', '\u2067name\u2069 and \u2066\u2068open\u2069\u2069.'],
  ])('has words %j that disturb no other text', (answer, shown) => {
    const refusal = refusalError(404, answer);
    expect([inUserWords(refusal)?.message, shownFailure(refusal).message]).toEqual([
      shown,
      expect.stringContaining(shown.slice(1, -1)),
    ]);
  });

  it.each([
    [400, 'BadInput'],
    [403, 'Forbidden'],
    [404, 'NotFound'],
    [404, 'NotFound', 'sendOtp'],
    [404, 'NotFound', 'sendTestOtp'],
    [413, 'BadInput'],
    [429, 'TooManyRequests'],
    [431, 'BadInput'],
  ] as readonly [number, string, CallName?][])(
    'a status of %d is a refusal, %s',
    async (status, code, call = 'getMobile') => {
      const origin = await listen((_request, response) => response.writeHead(status).end('{"message":"no"}'));
      const error = await thrown(ask(origin, { call }));
      expect(error).toMatchObject({ details: { httpStatus: status, answer: 'no' } });
      expect(inUserWords(error)).toMatchObject({ code, message: 'No.' });
    },
  );

  /** A body as the contract has it. */
  const words = '{"message":"no"}';
  it.each([
    ['HTML', 403, '<html>'],
    ['JSON without a message', 422, '{"error":"no"}'],
    ['a message that is no text', 422, '{"message":{"text":"no"}}'],
    ['no body at all', 451, ''],
    ['no body at all', 404, ''],
    ['a message, but the contract has no such status for the call', 404, words, 'listMobiles'],
    ['a message, but the contract has no such status for the call', 405, words, 'getMobile'],
    ['HTML', 408, '<html>'],
    ['HTML, to our key', 403, '<html>', 'getMobile', { 'x-api-key': 'key' }],
  ] as readonly [string, number, string, CallName?, Record<string, string>?][])(
    '%s with %d is foreign, and an outage',
    async (_what, status, body, call = 'getMobile', headers = {}) => {
      const origin = await listen((_request, response) => {
        response.writeHead(status, { 'content-type': 'text/html', server: 'nginx', 'retry-after': '3' }).end(body);
      });
      const error = await thrown(ask(origin, { call }, headers));
      const details = {
        httpStatus: status,
        sender: { contentType: 'text/html', server: 'nginx' },
        retryAfterMs: 3_000,
      };
      expect(error).toMatchObject({ end: status === 408 ? 'foreign busy' : 'foreign', details });
    },
  );

  it.each([400, 401, 403, 409, 422])('no body with %d is a refusal', async (status) => {
    const origin = await listen((_request, response) => response.writeHead(status).end());
    await expect(ask(origin)).rejects.toMatchObject({ end: 'refused', details: { httpStatus: status } });
  });

  it('401 to our key refuses that key, in any form', async () => {
    const origin = await listen((_request, response) => {
      response.writeHead(401, { 'content-type': 'text/html' }).end('<html>');
    });
    await expect(ask(origin, {}, { 'x-api-key': 'key' })).rejects.toMatchObject({ end: 'key refused' });
    await expect(ask(origin, {}, { authorization: 'token' })).rejects.toMatchObject({ end: 'foreign' });
  });

  it.each([
    [words, 'key refused'],
    ['<html>', 'foreign'],
  ])('401 to the key of another backend with %s is taken by its form', async (body, end) => {
    const origin = await listen((_request, response) => response.writeHead(401).end(body));
    const route = { backend: 'geo-api', call: 'reverseGeocode' } as const;
    await expect(ask(origin, route, { 'x-api-key': 'key' })).rejects.toMatchObject({ end });
  });

  it('a redirect is a breach of the contract and is not followed', async () => {
    const seen: unknown[] = [];
    const origin = await listen(({ url }, response) => {
      seen.push(url);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    await expect(ask(origin)).rejects.toMatchObject({ end: 'redirected' });
    expect(seen).toEqual(['/']);
  });

  it.each([
    ['head', 20_000, 0],
    ['body', 0, 3 * 1024 * 1024],
  ])('a backend that hangs up on a request with a large %s took it for too large', async (_part, head, body) => {
    const port = await hangUp();
    const request = (size: number): PlainRequest =>
      new PlainRequest(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: { authorization: 'x'.repeat(head * size) },
        body: 'x'.repeat(body * size),
      });
    const send = (size: number): Promise<unknown> =>
      thrown(
        exchange(
          { call: 'getMobile', send: sending(request(size)), reply: () => undefined },
          { ...ROUTE, connections: connect() },
        ),
      );
    expect(await send(1)).toMatchObject({ end: 'hung up' });
    expect(await send(0)).toMatchObject({ end: 'failed' });
  });

  /** A server that closes every connection as soon as something is sent. @returns its port */
  async function hangUp(): Promise<number> {
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.resetAndDestroy());
    });
    return listenOnLoopback(closeAfterTest(server));
  }

  it('a mistake of ours stays what it is', async () => {
    const connections = connect();
    const mistake = exchange(
      { call: 'getMobile', send: () => Promise.reject(new URIError('URI malformed')), reply: () => undefined },
      { ...ROUTE, connections },
    );
    await expect(mistake).rejects.toThrow(URIError);
    // It is never sent, because no request can look like that.
    const header = { 'transfer-encoding': 'chunked' };
    await expect(ask('http://127.0.0.1:1/', { connections }, header)).rejects.toMatchObject({
      code: 'UND_ERR_INVALID_ARG',
    });
  });

  it('a call that is not wanted any more is cut off at once, and leaves nothing on the signal', async () => {
    const origin = await listen(() => undefined);
    const operation = new AbortController();
    const calling = thrown(ask(origin, { signal: operation.signal, timeoutMs: 60_000 }));
    await waitFor('the call', () => getEventListeners(operation.signal, 'abort').length === 1);
    operation.abort();
    expect(await calling).toMatchObject({ end: 'cut off' });
    expect(getEventListeners(operation.signal, 'abort')).toEqual([]);
  });
});

describe('a call for which there is no connection', () => {
  it('obeys its limit while it waits, and was never sent', async () => {
    let seen = 0;
    const origin = await listen(() => {
      seen += 1;
    });
    const connections = connect({ connections: 1 });
    const operation = new AbortController();
    const hanging = thrown(ask(origin, { connections, timeoutMs: 60_000, signal: operation.signal }));
    await waitFor('the first call', () => seen === 1);
    await expect(ask(origin, { connections, timeoutMs: 100 })).rejects.toMatchObject({ end: 'held back' });
    operation.abort();
    expect(await hanging).toMatchObject({ end: 'cut off' });
    expect(seen).toBe(1);
  });

  it('is refused at once when too many wait', async () => {
    const origin = await listen(() => undefined);
    const connections = connect({ connections: 1, maxWaiting: 2 });
    const operation = new AbortController();
    const route = { connections, timeoutMs: 60_000, signal: operation.signal };
    const waiting = [1, 2, 3].map(() => thrown(ask(origin, route)));
    const error = await thrown(ask(origin, route));
    expect(error).toMatchObject({ end: 'held back' });
    expect(error).toMatchObject({
      message: 'Vehicles and accounts cannot be reached at the moment. Try again later.',
      cause: { message: 'backend-api was not asked: 2 calls wait for a connection already' },
    });
    operation.abort();
    expect(await Promise.all(waiting)).toEqual([1, 2, 3].map(() => expect.objectContaining({ end: 'cut off' })));
  });

  it('gets the one of a call that failed', async () => {
    let calls = 0;
    const origin = await listen((_request, response) => {
      calls += 1;
      if (calls === 1) response.destroy();
      else response.end('"served"');
    });
    const connections = connect({ connections: 1 });
    const replies = await Promise.all([thrown(ask(origin, { connections })), ask(origin, { connections })]);
    expect(replies).toEqual([expect.objectContaining({ end: 'failed' }), 'served']);
  });
});

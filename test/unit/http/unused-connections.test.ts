import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { createHttpListener, type HttpListener } from '../../../src/http/http-listener.js';
import { deferred } from '../../support/wait-for.js';

/** Shorter than anything else here; Node adds a second to how long it keeps a connection. */
const KEEP_ALIVE_MS = 1;
const WHOLE = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

let listener: HttpListener | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener?.close(0);
});

async function open(answer: RequestListener, requestTimeoutMs: number, onConnection?: () => void): Promise<Socket> {
  listener = createHttpListener(answer, {
    host: '127.0.0.1',
    port: 0,
    requestTimeoutMs,
    keepAliveMs: KEEP_ALIVE_MS,
    headers: [],
    onConnection,
  });
  await listener.listen();
  const socket = connect(Number(new URL(listener.ownUrl).port), '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** All that comes until the connection is closed. */
async function textOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
  await once(socket, 'close');
  return text;
}

it('a connection that is left unused after a reply is closed', async () => {
  const socket = await open((_request, response) => response.end('done'), 60_000);
  socket.write(WHOLE);
  expect(await textOf(socket)).toContain('done');
});

it('a connection that was accepted before the server closes has its first request answered, and is closed without one', async () => {
  for (const request of [WHOLE, '']) {
    const accepted = deferred();
    const socket = await open((_request, response) => response.end('done'), 60_000, accepted.resolve);
    await accepted.promise;
    const closed = listener?.close(60_000);
    socket.write(request);
    expect(await textOf(socket)).toContain(request === '' ? '' : 'done');
    await closed;
  }
});

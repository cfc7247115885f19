import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createHttpListener, type HttpListener } from '../../../src/http/http-listener.js';

/** Shorter than anything else here; Node adds a second to how long it keeps a connection. */
const KEEP_ALIVE_MS = 1;
const WHOLE = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

let listener: HttpListener | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener?.close(0);
});

async function open(answer: RequestListener, requestTimeoutMs: number): Promise<Socket> {
  listener = createHttpListener(answer, {
    host: '127.0.0.1',
    port: 0,
    requestTimeoutMs,
    keepAliveMs: KEEP_ALIVE_MS,
    headers: [],
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

describe('a connection', () => {
  it('that is left unused after a reply is closed', async () => {
    const socket = await open((_request, response) => response.end('done'), 60_000);
    socket.write(WHOLE);
    expect(await textOf(socket)).toContain('done');
  });

  it('whose reply takes longer than the time-out, and longer than an unused one is kept, gets it', async () => {
    const timeoutMs = 10;
    let timeouts = 0;
    const socket = await open((request, response) => {
      // Twice in a row: once could be chance.
      request.socket.on('timeout', () => {
        timeouts += 1;
        if (timeouts === 2) response.end('done');
        else request.socket.setTimeout(timeoutMs);
      });
    }, timeoutMs);
    socket.write(WHOLE);
    expect(await textOf(socket)).toContain('done');
    expect(timeouts).toBeGreaterThanOrEqual(2);
  });

  it('that sent half a request beyond the time-out is told so', async () => {
    const socket = await open((_request, response) => response.end('done'), 10);
    socket.write(WHOLE.slice(0, -2));
    expect(await textOf(socket)).toContain('HTTP/1.1 408 ');
  });
});

import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { createHttpListener, type HttpListener } from '../../../src/gateway/http/http-listener.js';
import { closeAfterTest } from '../../support/resources.js';
import { deferred } from '../../support/wait-for.js';

const WHOLE = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** The bytes that Node.js reads from a connection at a time, before anything else is done. */
const READ_BYTES = 64 * 1024;

async function open(answer: RequestListener, onConnection?: () => void): Promise<[Socket, HttpListener]> {
  const listener = createHttpListener(answer, {
    host: '127.0.0.1',
    port: 0,
    requestTimeoutMs: 60_000,
    // Shorter than anything else here; Node adds a second to how long it keeps a connection.
    keepAliveMs: 1,
    headers: [],
    onRefused: undefined,
    onConnection,
  });
  await listener.listen();
  closeAfterTest(listener, () => listener.close(0));
  const socket = closeAfterTest(connect(Number(new URL(listener.ownUrl).port), '127.0.0.1'));
  socket.on('error', () => undefined); // the server may close while there is more
  await once(socket, 'connect');
  return [socket, listener];
}

/** All that comes until the connection is closed. */
async function textOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
  await once(socket, 'close');
  return text;
}

it('a connection that is left unused after a reply is closed', async () => {
  const [socket] = await open((_request, response) => response.end('done'));
  socket.write(WHOLE);
  expect(await textOf(socket)).toContain('done');
});

it.each([WHOLE, ''])(
  'a connection that was accepted before the server closes is answered %j, and closed',
  async (sent) => {
    const accepted = deferred();
    const [socket, listener] = await open((_request, response) => response.end('done'), accepted.resolve);
    await accepted.promise;
    const closed = listener.close(60_000);
    socket.write(sent);
    expect((await textOf(socket)).endsWith('done')).toBe(sent === WHOLE);
    await closed;
  },
);

it('a connection that closes behind a reply has nothing done that comes behind it, although it has been read', async () => {
  const seen: (string | undefined)[] = [];
  const [socket] = await open((request, response) => {
    seen.push(request.url);
    request.resume();
    request.on('end', () => {
      response.writeHead(200, { connection: 'close', 'content-length': 4 });
      // Written at once, so that the connection closes while more of what it brought is read.
      response.socket?.cork();
      response.write('done');
      response.socket?.uncork();
      response.end();
    });
  });
  const get = (target: string, padding = ''): string =>
    `GET ${target} HTTP/1.1\r\nHost: x\r\nPadding: ${padding}\r\n\r\n`;
  const waiting = get('/waiting', 'x'.repeat(READ_BYTES / 50)).repeat(50);
  socket.write(get('/first') + waiting + get('/late').repeat(5));
  await textOf(socket);
  expect(seen).toEqual(['/first']);
});

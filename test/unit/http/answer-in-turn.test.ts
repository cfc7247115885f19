import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { answerInTurn } from '../../../src/http/http-listener.js';

/** The bytes that Node.js reads from a connection at a time, before anything else is done. */
const READ_BYTES = 64 * 1024;

let server: Server | undefined;
afterEach(() => {
  server?.close();
});

/** Sends bytes at once, to a server that notes which requests it was asked to answer. */
async function answered(bytes: string, answer: RequestListener): Promise<readonly (string | undefined)[]> {
  const seen: (string | undefined)[] = [];
  server = createServer();
  answerInTurn(
    server,
    (request, response) => {
      seen.push(request.url);
      answer(request, response);
    },
    10_000,
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => undefined); // the server may close while there is more
  socket.once('connect', () => socket.write(bytes));
  socket.resume();
  await once(socket, 'close');
  return seen;
}

function get(target: string, padding = ''): string {
  return `GET ${target} HTTP/1.1\r\nHost: x\r\nPadding: ${padding}\r\n\r\n`;
}

it('a connection that closes behind a reply has nothing done that comes behind it, although it has been read', async () => {
  const waiting = get('/waiting', 'x'.repeat(READ_BYTES / 50)).repeat(50);
  const seen = await answered(get('/first') + waiting + get('/late').repeat(5), (request, response) => {
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
  expect(seen).toEqual(['/first']);
});

/** Replies that their clients do not take are counted for these, and beyond a share their connections end. */
import { once } from 'node:events';
import net from 'node:net';
import { expect, it } from '@jest/globals';
import { countWaitingReplies } from '../../../src/gateway/http/slow-readers.js';
import { serveOnLoopback } from '../../support/loopback.js';
import { closeAfterTest, forEachTest } from '../../support/resources.js';
import { waitFor } from '../../support/wait-for.js';

const RATE_MS = 500;
/** More than the buffers of two sockets hold, and a quarter of the share of a client. */
const REPLY = Buffer.alloc(15 * 1024 * 1024);

let answered: number;
const server = forEachTest(() => {
  const countWaiting = countWaitingReplies(RATE_MS);
  answered = 0;
  return serveOnLoopback((request, response) => {
    answered += 1;
    response.end(REPLY);
    countWaiting(response, () => request.socket.remoteAddress ?? '');
  });
});

/** Connections that ask for a reply each and read nothing. */
async function ask(count: number, host: number): Promise<readonly net.Socket[]> {
  const sockets = Array.from({ length: count }, () =>
    net.connect({ port: server.port, host: '127.0.0.1', localAddress: `127.0.0.${host}` }),
  );
  for (const socket of sockets) {
    closeAfterTest(socket, (opened) => opened.destroy());
    socket.on('error', () => undefined).pause();
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  }
  return sockets;
}

async function open(): Promise<number> {
  return new Promise((resolve, reject) => {
    server.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

it('a client keeps as many as its share, and what is beyond ends unless it is read steadily', async () => {
  await ask(10, 1);
  await waitFor('those beyond the share to end', async () => answered === 10 && (await open()) === 4);
  await ask(2, 2);
  await new Promise((resolve) => setTimeout(resolve, 3 * RATE_MS));
  expect(await open()).toBe(4 + 2);
  const [steady] = await ask(1, 1);
  steady?.on('data', () => {
    steady.pause();
    setTimeout(() => steady.resume(), 5);
  });
  steady?.resume();
  await new Promise((resolve) => setTimeout(resolve, 3 * RATE_MS));
  expect(await open()).toBe(4 + 2 + 1);
});

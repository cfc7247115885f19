import type { ServerResponse } from 'node:http';
import { expect, it } from '@jest/globals';
import { DirectKoa } from '../../../src/gateway/http/koa-app.js';
import { serveOnLoopback } from '../../support/loopback.js';
import { closeAfterTest } from '../../support/resources.js';

/** How many hear that a response is sent, or that its connection is gone. */
function listenersTo(reply: ServerResponse): readonly number[] {
  return [reply.listenerCount('finish'), reply.socket?.listenerCount('close') ?? 0];
}

it('An application adds no listener to a response that its middleware answers by itself', async () => {
  const app = new DirectKoa();
  const errors: unknown[] = [];
  app.on('error', (error) => errors.push(error));
  const listeners: (readonly number[])[] = [];
  app.use((ctx) => {
    ctx.respond = false;
    listeners.push(listenersTo(ctx.res));
    ctx.res.writeHead(201, { 'content-type': 'text/plain' }).end('made');
  });
  const answer = app.callback();
  const server = await serveOnLoopback((request, reply) => {
    // Node.js has these itself.
    listeners.push(listenersTo(reply));
    void answer(request, reply);
  });
  const reply = await fetch(closeAfterTest(server).url);
  expect([reply.status, await reply.text(), errors]).toEqual([201, 'made', []]);
  expect(listeners[1]).toEqual(listeners[0]);
});

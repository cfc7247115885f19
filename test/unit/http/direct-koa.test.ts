/** Koa, but for what is answered without it. */
import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Middleware } from 'koa';
import { DirectKoa } from '../../../src/http/koa-app.js';
import { serveOnLoopback } from '../../support/loopback.js';
import { closeAfterTest } from '../../support/resources.js';

let origin: string;
let middleware: Middleware;
let errors: unknown[];
/** The last response. */
let response: ServerResponse | undefined;
/** Those to it that Node.js has itself. */
let listenersBefore: readonly number[];

/** How many hear that a response is sent, or that its connection is gone. */
function listenersTo(reply: ServerResponse): readonly number[] {
  return [reply.listenerCount('finish'), reply.socket?.listenerCount('close') ?? 0];
}

beforeEach(async () => {
  errors = [];
  const app = new DirectKoa();
  app.use(async (ctx, next) => {
    response = ctx.res;
    await middleware(ctx, next);
  });
  app.on('error', (error) => errors.push(error));
  const answer = app.callback();
  const server = await serveOnLoopback((request, reply) => {
    listenersBefore = listenersTo(reply);
    void answer(request, reply);
  });
  origin = closeAfterTest(server).url;
});

describe('an application', () => {
  it('adds no listener to a response that its middleware answers by itself', async () => {
    let listeners: readonly number[] = [];
    middleware = (ctx) => {
      ctx.respond = false;
      listeners = listenersTo(ctx.res);
      ctx.res.writeHead(201, { 'content-type': 'text/plain' }).end('made');
    };
    const reply = await fetch(origin);

    expect([reply.status, await reply.text(), listeners]).toEqual([201, 'made', listenersBefore]);
    expect(errors).toEqual([]);
  });

  it('answers an error of its middleware without its text, and passes it to its listeners', async () => {
    const error = new Error('a secret');
    middleware = () => Promise.reject(error);
    const reply = await fetch(origin);

    expect([reply.status, await reply.text()]).toEqual([500, 'Internal Server Error']);
    expect(errors).toEqual([error]);
    expect(response?.writableFinished).toBe(true);
  });
});

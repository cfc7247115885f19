/** What nobody foresaw is 500 without a word about the inside, wherever in the HTTP layer it is thrown. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import Koa from 'koa';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { GraphQLServer } from '../../src/graphql/server.js';
import { graphqlMount } from '../../src/http/endpoints/graphql.js';
import { errorHandler } from '../../src/http/error-handler.js';
import { requestLog, type GatewayState } from '../../src/http/request-log.js';
import { captureLog, type CapturedLog } from '../support/captured-log.js';
import { listenOnLoopback } from '../support/loopback.js';

const SECRET = 'password=hunter2';

let server: Server | undefined;
afterEach(async () => {
  server?.close();
  if (server) await once(server, 'close');
});

/** An application of one GraphQL server, which is none. */
async function start(broken: GraphQLServer): Promise<[string, CapturedLog]> {
  const log = captureLog();
  const app = new Koa<GatewayState>();
  app.use(requestLog(log.logger));
  app.use(errorHandler());
  app.use(graphqlMount(broken));
  const answer = app.callback();
  server = createServer((request, response) => void answer(request, response));
  return [`http://127.0.0.1:${await listenOnLoopback(server)}`, log];
}

describe('an error that the GraphQL server itself throws', () => {
  it.each([
    [
      'at once',
      () => {
        throw new TypeError(SECRET);
      },
    ],
    ['later', () => Promise.reject(new TypeError(SECRET))],
  ])('%s is 500 with a masked text, and the log has all of it', async (_when, answer) => {
    const [url, log] = await start({ answer });
    const reply = await fetch(`${url}/graphql`, { headers: { connection: 'close' } });
    expect([reply.status, await reply.text()]).toEqual([
      500,
      '{"message":"Something went wrong on our side. Try again later."}',
    ]);
    expect(log.complaints()).toEqual(['request.failed']);
    expect(log.text()).toContain(SECRET);
  });
});

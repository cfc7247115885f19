import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { LoadShedding } from '../../src/graphql/load-shedding.js';
import { createGraphQLServer } from '../../src/graphql/server.js';
import type { Services } from '../../src/graphql/context.js';
import { OperationNotes } from '../../src/graphql/operation-notes.js';
import { captureLog } from '../support/captured-log.js';
import { listenOnLoopback } from '../support/loopback.js';
import { waitFor } from '../support/wait-for.js';
import { OPERATION_LIMITS } from '../support/operation-limits.js';

const MAX_DELAY_MS = 20;

let shedding: LoadShedding | undefined;
afterEach(() => shedding?.close());

/** Does nothing else for a while. */
function block(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

describe('load shedding', () => {
  it('refuses while the event loop is late, and says once in a while how much', async () => {
    const log = captureLog();
    const current = (shedding = new LoadShedding(MAX_DELAY_MS, log.logger));
    expect(current.refuses()).toBe(false);
    block(200);
    expect([current.refuses(), current.refuses()]).toEqual([true, true]);
    await waitFor('the event loop to be in time', () => !current.refuses());
    await waitFor('a log entry', () => log.text() !== '');
    const entry = JSON.parse(log.text()) as unknown;
    expect(entry).toMatchObject({ level: 'warn', event: 'graphql.load_shed', delayMs: expect.any(Number) });
  });

  it('answers 503 with a pause and one error, before the body is read', async () => {
    const server = createGraphQLServer({
      schema: buildSchema(`
        directive @isAuthenticated on FIELD_DEFINITION
        directive @bounds(maxLength: Int, maxItems: Int, min: Int) on ARGUMENT_DEFINITION
        type Query { field: String }
      `),
      services: {} as Services, // Nothing is asked of them.
      authenticate: () => Promise.reject(new Error('Nobody is asked who they are.')),
      endpoint: '/graphql',
      limits: OPERATION_LIMITS,
      timeoutMs: 5_000,
      load: { refuses: () => true },
      privateSchema: false,
    });
    const { logger: log } = captureLog();
    const notes = new OperationNotes();
    const http = createServer((request, response) => {
      const client = { requestId: 'request-1', log, notes, authorization: null, address: () => '127.0.0.1' };
      void server.answer(request, response, client).then((reply) => {
        response.writeHead(reply.status, [...reply.headers]).end(reply.body);
      });
    });
    const url = `http://127.0.0.1:${await listenOnLoopback(http)}/graphql`;
    const reply = await fetch(url, { method: 'POST', headers: { connection: 'close' }, body: '{"query":"{field}"}' });
    http.close();
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await reply.json()).toEqual({
      errors: [
        {
          message: 'The gateway is busy. Try again in a second.',
          path: [],
          extensions: { code: 'ServiceUnavailable', status: 503, path: [] },
        },
      ],
    });
  });
});

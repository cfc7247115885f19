import { Agent, createServer, request as send, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createSchema } from 'graphql-yoga';
import { LoadShedding } from '../../src/graphql/load-shedding.js';
import { createGraphQLServer, type GraphQLServer } from '../../src/graphql/server.js';
import type { Services } from '../../src/graphql/context.js';
import { OperationNotes } from '../../src/graphql/operation-notes.js';
import { captureLog } from '../support/captured-log.js';
import { listenOnLoopback } from '../support/loopback.js';
import { waitFor } from '../support/wait-for.js';
import { OPERATION_LIMITS } from '../support/operation-limits.js';

const MAX_DELAY_MS = 20;
/** Longer than operations run before the event loop turns. */
const WHOLE_SLICE_MS = 5;

let shedding: LoadShedding | undefined;
let http: Server | undefined;
afterEach(() => {
  shedding?.close();
  http?.close();
  http?.closeAllConnections();
});

/** Does nothing else for a while. */
function block(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

/** A GraphQL server whose one field does something; whatever is not asked of it is answered with nothing. */
async function serve(
  load: Pick<LoadShedding, 'refuses' | 'turn'>,
  field: () => string,
  onAnswered?: () => void,
): Promise<string> {
  const graphql = createGraphQLServer({
    schema: createSchema({
      typeDefs: `
        directive @isAuthenticated on FIELD_DEFINITION
        directive @bounds(maxLength: Int, maxItems: Int, min: Int) on ARGUMENT_DEFINITION
        type Query { field: String }
      `,
      resolvers: { Query: { field } },
    }),
    services: {} as Services, // Nothing is asked of them.
    authenticate: () => Promise.reject(new Error('Nobody is asked who they are.')),
    endpoint: '/graphql',
    limits: OPERATION_LIMITS,
    timeoutMs: 60_000,
    load,
    privateSchema: false,
  });
  http = createServer((request, response) => {
    if (request.url?.startsWith('/graphql')) void answer(graphql, request).then((reply) => response.end(reply));
    else response.end();
    async function answer(by: GraphQLServer, asked: IncomingMessage): Promise<string> {
      const { logger: log } = captureLog();
      const notes = new OperationNotes();
      const client = { requestId: 'request-1', log, notes, authorization: null, address: () => '127.0.0.1' };
      const { status, headers, body } = await by.answer(asked, response, client);
      response.writeHead(status, [...headers]);
      onAnswered?.();
      return body;
    }
  });
  return `http://127.0.0.1:${await listenOnLoopback(http)}`;
}

/** Sends an operation on a connection of its own, as every client of a crowd does. */
async function ask(origin: string, method: 'GET' | 'POST', agent: Agent): Promise<{ status?: number; body: string }> {
  const body = JSON.stringify({ query: '{ field }' });
  const asked =
    method === 'GET'
      ? send(`${origin}/graphql?query=${encodeURIComponent('{ field }')}`, { agent }).end()
      : send(`${origin}/graphql`, {
          agent,
          method,
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        }).end(body);
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk as Buffer);
  return {
    ...(reply.statusCode !== undefined && { status: reply.statusCode }),
    body: Buffer.concat(chunks).toString(),
  };
}

describe('load shedding', () => {
  it('refuses while the event loop is late, and says once in a while how much', async () => {
    const log = captureLog();
    const current = (shedding = new LoadShedding(MAX_DELAY_MS, log.logger));
    expect(current.refuses()).toBe(false);
    block(200);
    expect([current.refuses(), current.turn()]).toEqual([true, false]);
    await waitFor('the event loop to be in time', () => !current.refuses());
    await waitFor('a log entry', () => log.text() !== '');
    const entry = JSON.parse(log.text()) as unknown;
    expect(entry).toMatchObject({ level: 'warn', event: 'graphql.load_shed', delayMs: expect.any(Number) });
  });

  it('lets operations begin in the order in which they came, and the event loop turn between slices of them', async () => {
    const current = (shedding = new LoadShedding(60_000, captureLog().logger));
    expect(current.turn()).toBe(true);
    block(WHOLE_SLICE_MS);
    const seen: string[] = [];
    const operations = [1, 2, 3].map(async (number) => {
      seen.push(`${number} comes`);
      expect(await current.turn()).toBe(true);
      seen.push(`${number} begins`);
      setImmediate(() => seen.push(`a turn after ${number}`));
      block(WHOLE_SLICE_MS);
    });
    await Promise.all(operations);
    const came = ['1 comes', '2 comes', '3 comes'];
    expect(seen).toEqual([...came, '1 begins', 'a turn after 1', '2 begins', 'a turn after 2', '3 begins']);
    await waitFor('a turn in which nothing waits', () => current.turn() === true);
  });

  it('refuses what has waited too long behind others, and what comes while it waits', async () => {
    // Long enough for a busy machine to do nothing for us in a short while.
    const maxDelayMs = 300;
    const log = captureLog();
    const current = (shedding = new LoadShedding(maxDelayMs, log.logger));
    expect(current.turn()).toBe(true);
    block(WHOLE_SLICE_MS);
    const waits = current.turn();
    const waitsToo = current.turn();
    block(2 * maxDelayMs);
    expect(current.turn()).toBe(false);
    expect(await Promise.all([waits, waitsToo])).toEqual([false, false]);
    await waitFor('a log entry', () => log.text() !== '');
    const entry = JSON.parse(log.text()) as unknown;
    expect(entry).toMatchObject({ event: 'graphql.load_shed', delayMs: expect.any(Number) });
  });

  it('answers 503 with a pause and one error, before the body is read', async () => {
    const origin = await serve({ refuses: () => true, turn: () => false }, () => '');
    const reply = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { connection: 'close' },
      body: '{"query":"{field}"}',
    });
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

  it.each(['POST', 'GET'] as const)('hears a new client behind a crowd (%s)', async (method) => {
    const CROWD = 40;
    shedding = new LoadShedding(60_000, captureLog().logger);
    let done = 0;
    let doneWhenHeard: number | undefined;
    const agent = new Agent({ keepAlive: true, maxSockets: CROWD });
    const origin = await serve(shedding, () => {
      done += 1;
      if (done > CROWD) block(WHOLE_SLICE_MS);
      // All of the second time were sent together, so they are here.
      if (done === CROWD + 1) {
        send(`${origin}/health`, { agent: false }, (reply) => {
          doneWhenHeard = done;
          reply.resume();
        }).end();
      }
      return 'done';
    });
    await Promise.all(Array.from({ length: CROWD }, () => ask(origin, method, agent)));
    const replies = await Promise.all(Array.from({ length: CROWD }, () => ask(origin, method, agent)));
    agent.destroy();
    expect(new Set(replies.map(({ status, body }) => `${status} ${body}`))).toEqual(
      new Set(['200 {"data":{"field":"done"}}']),
    );
    expect(doneWhenHeard).toBeLessThan(CROWD + CROWD / 2);
  });

  it.each(['POST', 'chunked POST', 'GET'] as const)(
    'runs nothing for whoever has gone while waiting (%s)',
    async (kind) => {
      let decide: ((mayRun: boolean) => void) | undefined;
      let ran = 0;
      let answered = 0;
      const turn = (): Promise<boolean> => new Promise((resolve) => (decide = resolve));
      const origin = await serve(
        { refuses: () => false, turn },
        () => String((ran += 1)),
        () => (answered += 1),
      );
      const socket = connect(Number(new URL(origin).port), '127.0.0.1');
      const head = 'host: gateway\r\ncontent-type: application/json\r\n';
      const heads = {
        POST: `POST /graphql HTTP/1.1\r\n${head}content-length: 19\r\n\r\n{"query":"{field}"}`,
        // Not read before its turn has come.
        'chunked POST': `POST /graphql HTTP/1.1\r\n${head}transfer-encoding: chunked\r\n\r\n`,
        GET: `GET /graphql?query=%7Bfield%7D HTTP/1.1\r\n${head}\r\n`,
      };
      socket.write(heads[kind]);
      await waitFor('the request to wait', () => decide !== undefined);
      socket.destroy();
      const open = (): Promise<number> =>
        new Promise((resolve, reject) =>
          http?.getConnections((error, count) => (error ? reject(error) : resolve(count))),
        );
      await waitFor('the connection to be gone', async () => (await open()) === 0);
      decide?.(true);
      await waitFor('its end', () => answered === 1);
      expect(ran).toBe(0);
    },
  );
});

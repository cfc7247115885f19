import { Agent, createServer, request as send, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createSchema } from 'graphql-yoga';
import { LoadShedding } from '../../../src/gateway/graphql/limits/load-shedding.js';
import { PipelineServer, type GraphQLServer } from '../../../src/gateway/graphql/server.js';
import type { Services } from '../../../src/gateway/graphql/context.js';
import { OperationLog } from '../../../src/gateway/graphql/operation-log.js';
import { block, WHOLE_SLICE_MS } from '../../support/blocking.js';
import { captureLog } from '../../support/captured-log.js';
import { HANDLERS as WAYS } from '../../support/graphql-handlers.js';
import { listenOnLoopback } from '../../support/loopback.js';
import { waitFor } from '../../support/wait-for.js';
import { ONE_FIELD } from '../../support/one-field.js';
import { OPERATION_LIMITS } from '../../support/operation-limits.js';

/** Ways of a request to the one pipeline. */
const HANDLERS = ['POST', 'chunked POST', 'GET'] as const;
type Handler = (typeof HANDLERS)[number];

const BODY = JSON.stringify({ query: '{ field }' });

const NEVER_LATE_MS = 60_000;

const CROWD_ADDRESS = '192.0.2.1';

let shedding: LoadShedding | undefined;
let http: Server | undefined;
afterEach(() => {
  shedding?.close();
  http?.close();
  http?.closeAllConnections();
});

/** A GraphQL server whose one field does something; whatever is not asked of it is answered with nothing. */
async function serve(
  load: Pick<LoadShedding, 'refuses' | 'turn'> | LoadShedding,
  field: () => string,
  onAnswered?: () => void,
): Promise<string> {
  const graphql = new PipelineServer({
    schema: createSchema({ typeDefs: ONE_FIELD, resolvers: { Query: { field } } }),
    services: {} as Services, // Nothing is asked of them.
    authenticate: () => Promise.reject(new Error('No operation needs a user here.')),
    endpoint: '/graphql',
    limits: OPERATION_LIMITS,
    requestTimeoutMs: 60_000,
    load: load instanceof LoadShedding ? load : { began: () => () => undefined, ...load },
    privateSchema: false,
  });
  http = createServer((request, response) => {
    if (request.url?.startsWith('/graphql')) void answer(graphql, request).then((reply) => response.end(reply));
    else response.end();
    async function answer(by: GraphQLServer, asked: IncomingMessage): Promise<string> {
      const { logger: log } = captureLog();
      const operationLog = new OperationLog();
      const address = (): string => String(asked.headers['x-forwarded-for'] ?? CROWD_ADDRESS);
      const client = { requestId: 'request-1', log, operationLog, authorization: null, address };
      const { status, headers, body } = await by.answer(asked, response, client);
      response.writeHead(status, [...headers]);
      onAnswered?.();
      return body;
    }
  });
  return `http://127.0.0.1:${await listenOnLoopback(http)}`;
}

interface Asking {
  readonly agent: Agent | false;
  readonly from?: string;
  /** Resolves when a chunked body may end. */
  readonly mayEnd?: () => Promise<unknown>;
  readonly signal?: AbortSignal;
}

async function ask(origin: string, handler: Handler, asking: Asking): Promise<string> {
  const { agent, from = CROWD_ADDRESS, mayEnd, ...signal } = asking;
  const path = handler === 'GET' ? `/graphql?query=${encodeURIComponent('{ field }')}` : '/graphql';
  const length = handler === 'POST' ? { 'content-length': BODY.length } : {};
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': from, ...length };
  const asked = send(`${origin}${path}`, { agent, ...signal, method: handler === 'GET' ? 'GET' : 'POST', headers });
  if (handler === 'chunked POST') {
    asked.write(BODY.slice(0, 1));
    await mayEnd?.();
    asked.end(BODY.slice(1));
  } else asked.end(handler === 'GET' ? undefined : BODY);
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  return `${reply.statusCode} ${await text(reply)}`;
}

describe('load shedding of both handlers', () => {
  it.each(
    HANDLERS.flatMap((handler) => [
      [handler, { refuses: () => false, turn: () => Promise.resolve(false) }] as const,
      [handler, { refuses: () => true, turn: () => true }] as const,
    ]),
  )('answers the same to a %s that is refused at once and that has waited too long', async (handler, load) => {
    const origin = await serve(load, () => '');
    const asked = { query: '{ field }' };
    const accept = 'application/graphql-response+json';
    const typed = await WAYS[handler](origin, asked, { connection: 'close', accept });
    expect([typed.status, typed.headers.get('content-type')]).toEqual([503, `${accept}; charset=utf-8`]);
    const reply = await WAYS[handler](origin, asked, { connection: 'close' });
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
    const extensions = { code: 'ServiceUnavailable', reason: 'Busy', values: {}, status: 503, path: [] };
    expect(JSON.parse(reply.text)).toEqual({
      errors: [{ message: 'The gateway is busy. Try again in a second.', path: [], extensions }],
    });
  });

  it.each(HANDLERS)('hears a new client behind a crowd, and runs its operation before theirs (%s)', async (handler) => {
    const CROWD = 40;
    shedding = new LoadShedding(NEVER_LATE_MS, captureLog().logger);
    let done = 0;
    let doneWhenHeard: number | undefined;
    let doneWhenAnswered: number | undefined;
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
        void ask(origin, handler, { agent: false, from: '192.0.2.2' }).then(() => (doneWhenAnswered = done));
      }
      return 'done';
    });
    let requests = 0;
    http?.on('request', () => (requests += 1));
    const crowd = (size: number): Promise<string[]> => {
      const isHere = (): Promise<unknown> => waitFor('the whole crowd', () => requests === size);
      return Promise.all(Array.from({ length: CROWD }, () => ask(origin, handler, { agent, mayEnd: isHere })));
    };
    await crowd(CROWD);
    const replies = await crowd(2 * CROWD);
    agent.destroy();
    expect(new Set(replies)).toEqual(new Set(['200 {"data":{"field":"done"}}']));
    expect(doneWhenHeard).toBeLessThan(CROWD + CROWD / 2);
    expect(doneWhenAnswered).toBeLessThan(CROWD + CROWD / 2);
  });

  it.each(HANDLERS)('runs nothing for a client that has gone while waiting (%s)', async (handler) => {
    let decide: ((mayRun: boolean) => void) | undefined;
    let ran = 0;
    let answered = 0;
    const turn = (): Promise<boolean> => new Promise((resolve) => (decide = resolve));
    const field = (): string => String((ran += 1));
    const origin = await serve({ refuses: () => false, turn }, field, () => (answered += 1));
    const client = new AbortController();
    const asked = ask(origin, handler, { agent: false, signal: client.signal });
    await waitFor('the request to wait', () => decide !== undefined);
    client.abort();
    await expect(asked).rejects.toThrow();
    const open = (): Promise<number> =>
      new Promise((resolve, reject) => http?.getConnections((error, open) => (error ? reject(error) : resolve(open))));
    await waitFor('the connection to be gone', async () => (await open()) === 0);
    decide?.(true);
    await waitFor('its end', () => answered === 1);
    expect(ran).toBe(0);
  });
});

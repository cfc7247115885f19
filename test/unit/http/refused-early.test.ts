import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createSchema } from 'graphql-yoga';
import type { Services } from '../../../src/graphql/context.js';
import type { EndedOperation, OperationObserver } from '../../../src/graphql/operation-observer.js';
import { createGraphQLServer, type GraphQLServer } from '../../../src/graphql/server.js';
import { createHttpApp, type HttpAppOptions } from '../../../src/http/http-app.js';
import type { EndedRequest, RequestObserver } from '../../../src/http/request-observer.js';
import { captureLog, type CapturedLog } from '../../support/captured-log.js';
import { failingApp } from '../../support/failing-app.js';
import { listenOnLoopback } from '../../support/loopback.js';
import { ONE_FIELD } from '../../support/one-field.js';
import { OPERATION_LIMITS } from '../../support/operation-limits.js';
import { waitFor } from '../../support/wait-for.js';

const FRONT_END = 'https://front.example.com';
const ANY_ORIGIN = { origins: [FRONT_END], loopback: false };
const NO_ORIGIN = { origins: [], loopback: false };
const UNFORESEEN = new Error('Nobody should have got as far as that.');

/** Refused before Koa makes anything of it, and what is the same to everybody but Koa. */
const EARLY = '/base/graphql';
const LATER = '/base/graphql?';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** What becomes known of a request that has been answered. */
interface Seen {
  readonly status: number | undefined;
  /** Without those that are different each time. */
  readonly headers: readonly string[];
  readonly body: string;
  readonly logged: unknown;
  readonly observed: unknown;
}

/** A GraphQL server that has no time. */
function busyGraphQL(refuses: GraphQLServer['refuses'], observer?: OperationObserver): GraphQLServer {
  return createGraphQLServer({
    schema: createSchema({ typeDefs: ONE_FIELD }),
    services: {} as Services, // Nothing is asked of them.
    authenticate: () => Promise.reject(UNFORESEEN),
    endpoint: '/base/graphql',
    limits: OPERATION_LIMITS,
    timeoutMs: 60_000,
    load: { refuses, turn: () => Promise.reject(UNFORESEEN) },
    privateSchema: false,
    observer,
  });
}

/** What is different about the application. */
type Changes = Partial<HttpAppOptions> & { readonly refuses?: GraphQLServer['refuses'] };

/** Sends one request to an application that has no time, and waits until it is logged. */
async function ask(path: string, headers: Readonly<Record<string, string>>, changes: Changes = {}): Promise<Seen> {
  const { refuses = () => true, ...others } = changes;
  const log = captureLog();
  const ended: (EndedOperation | EndedRequest)[] = [];
  const watching = <End extends EndedOperation | EndedRequest>(): { started: () => Watched<End> } => ({
    started: () => ({ within: (work) => work(), finish: (end) => void ended.push(end) }),
  });
  const operations: OperationObserver = watching<EndedOperation>();
  const requestObserver: RequestObserver = watching<EndedRequest>();
  const app = createHttpApp(
    failingApp(log.logger, UNFORESEEN, {
      headers: [['x-content-type-options', 'nosniff']],
      graphql: busyGraphQL(refuses, operations),
      requestObserver,
      ...others,
    }),
  );
  const server = createServer({ requireHostHeader: false }, app);
  servers.push(server);
  const port = await listenOnLoopback(server);
  const sent = send({
    port,
    path,
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', ...headers },
  });
  sent.end(JSON.stringify({ query: '{ field }' }));
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk as Buffer);
  const line = await waitFor('the line of the request', () => lineOf(log));
  const written = log
    .text()
    .split('\n')
    .find((each) => each.includes('"request.handled"'));
  for (const field of Object.keys(line)) expect(written?.split(`"${field}":`)).toHaveLength(2);
  const { requestId: _own, time: _now, durationMs: _some, ...logged } = line;
  const head = Object.entries(reply.headers).map(([name, value]) => `${name}: ${String(value)}`);
  const own = [/^date: /, /^x-request-id: [0-9a-f-]{36}$/];
  return {
    status: reply.statusCode,
    headers: head.filter((line) => !own.some((pattern) => pattern.test(line))).toSorted(),
    body: Buffer.concat(chunks).toString(),
    logged,
    observed: ended,
  };
}

interface Watched<End> {
  within: <T>(work: () => T) => T;
  finish: (end: End) => void;
}

function lineOf(log: CapturedLog): Readonly<Record<string, unknown>> | undefined {
  return log.entries().find(({ event }) => event === 'request.handled');
}

describe('a request that is refused because of the load before Koa makes anything of it', () => {
  it.each<[string, Readonly<Record<string, string>>, Changes]>([
    ['a program', {}, {}],
    ['a program with an id of its own', { 'x-request-id': 'order-17' }, {}],
    ['a program with an id that is none', { 'x-request-id': 'one two' }, {}],
    ['a program, where no page of another origin may call', {}, { allowedOrigins: NO_ORIGIN }],
    [
      'a page of this origin, where no other may call',
      { origin: 'https://here.example' },
      { allowedOrigins: NO_ORIGIN },
    ],
    ['a page of the front end', { origin: FRONT_END }, { allowedOrigins: ANY_ORIGIN }],
    ['a page of somebody else', { origin: 'https://elsewhere.example' }, { allowedOrigins: ANY_ORIGIN }],
    ['somebody whose turn comes later', {}, { refuses: () => Promise.resolve(true) }],
    ['somebody on a connection that is to be closed', {}, { isDraining: () => true }],
  ])('is answered, logged and counted as one of Koa is: %s', async (_who, headers, changes) => {
    const early = await ask(EARLY, headers, changes);
    const later = await ask(LATER, headers, changes);
    expect(early).toEqual(later);
    expect([early.status, early.logged, early.observed]).toMatchObject([
      503,
      { method: 'POST', path: '/base/graphql', status: 503, errors: 1, codes: ['ServiceUnavailable'] },
      [
        { shed: true, codes: ['ServiceUnavailable'] },
        { route: '/graphql', status: 503 },
      ],
    ]);
    expect(early.headers).toEqual(expect.arrayContaining(['retry-after: 1', 'x-content-type-options: nosniff']));
  });

  it('is none of Koa', async () => {
    const { body } = await ask(EARLY, {});
    const refused = busyGraphQL(() => true);
    const graphql = { ...refused, answer: () => Promise.reject(UNFORESEEN) };
    expect(await ask(EARLY, {}, { graphql })).toMatchObject({ status: 503, body });
    expect(await ask(LATER, {}, { graphql })).toMatchObject({ status: 500 });
  });

  it('is asked about by the address that the trusted proxies tell', async () => {
    const addresses: string[] = [];
    const refuses = (address: () => string): true => {
      addresses.push(address());
      return true;
    };
    const headers = { 'x-forwarded-for': '198.51.100.1, 192.0.2.1' };
    for (const path of [EARLY, LATER]) {
      for (const trustedProxies of [0, 1]) await ask(path, headers, { refuses, trustedProxies });
    }
    expect(addresses).toEqual(['127.0.0.1', '192.0.2.1', '127.0.0.1', '192.0.2.1']);
  });

  it.each([
    ['names no host', { host: '' }, 503],
    ['names one that is none', { host: 'a b' }, 400],
  ])('is judged by its host before: one that %s', async (_which, headers, status) => {
    expect(await ask(EARLY, headers)).toMatchObject({ status });
  });
});

/** What nobody foresaw is 500 without a word about the inside, wherever in the HTTP layer it is thrown. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import Koa from 'koa';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { GraphQLServer } from '../../src/graphql/server.js';
import { AnswerHeaders } from '../../src/http/answer-headers.js';
import { createHttpApp, type HttpAppOptions } from '../../src/http/http-app.js';
import { graphqlMount } from '../../src/http/endpoints/graphql.js';
import { errorHandler } from '../../src/http/error-handler.js';
import { RequestLog, requestLog, type GatewayState } from '../../src/http/request-log.js';
import { CALLBACK_PATHS, JOB_KINDS } from '../../src/job-record/job-kinds.js';
import { captureLog, type CapturedLog } from '../support/captured-log.js';
import { failingApp, FAILING_APP_KEY, failingGraphQL, failingJob } from '../support/failing-app.js';
import { MOBILES } from '../support/job-requests.js';
import { listenOnLoopback } from '../support/loopback.js';

const SECRET = 'password=hunter2';
const ERROR = new TypeError(SECRET);
const thrown = (): never => {
  throw ERROR;
};
const MASKED = '{"message":"Something went wrong on our side. Try again later."}';

let server: Server | undefined;
afterEach(async () => {
  server?.close();
  if (server) await once(server, 'close');
});

/** An application of one GraphQL server, which is none. */
async function start(answer: GraphQLServer['answer']): Promise<[string, CapturedLog]> {
  const log = captureLog();
  const app = new Koa<GatewayState>();
  app.use(requestLog(new RequestLog(log.logger)));
  app.use(errorHandler());
  app.use(graphqlMount({ ...failingGraphQL(ERROR), answer }, new AnswerHeaders([], () => false)));
  const handle = app.callback();
  server = createServer((request, response) => void handle(request, response));
  return [`http://127.0.0.1:${await listenOnLoopback(server)}`, log];
}

describe('an error that the GraphQL server itself throws', () => {
  it.each([
    ['at once', thrown],
    ['later', () => Promise.reject(ERROR)],
  ])('%s is 500 with a masked text, and the log has all of it', async (_when, answer) => {
    const [url, log] = await start(answer);
    const reply = await fetch(`${url}/graphql`, { headers: { connection: 'close' } });
    expect([reply.status, await reply.text()]).toEqual([500, MASKED]);
    expect(log.complaints()).toEqual(['request.failed']);
    expect(log.text()).toContain(SECRET);
  });
});

describe('an error that nobody foresaw behind a route', () => {
  /** Asked by this route alone, and again when its answer is complete. */
  function throwsTheFirstTime(): boolean {
    asked += 1;
    return asked === 1 ? thrown() : false;
  }
  let asked = 0;

  const refusing = JOB_KINDS.map((kind) => failingJob(kind, ERROR, { accept: thrown }));
  const busy = { ...failingGraphQL(ERROR), refuses: () => true };
  const ROUTES: readonly (readonly [string, string, string, Partial<HttpAppOptions>?])[] = [
    ...JOB_KINDS.map((kind) => [`the run of a job: ${kind}`, 'POST', CALLBACK_PATHS[kind]] as const),
    ['the look at a body', 'POST', MOBILES, { jobs: refusing }],
    ['the public keys', 'GET', '/.well-known/jwks.json'],
    ['readiness', 'GET', '/health/ready', { isDraining: throwsTheFirstTime }],
    ['readiness, asked strictly', 'GET', '/health/ready?strict=true', { isDraining: throwsTheFirstTime }],
    ['a report', 'GET', '/files/driving-reports/a.pdf?exp=1&sig=a'],
    ['GraphQL', 'POST', '/graphql'],
    ['the look at the load', 'POST', '/graphql', { graphql: { ...busy, refuses: thrown } }],
    ['a refusal because of the load', 'POST', '/graphql', { graphql: { ...busy, refuse: thrown } }],
    ['one that has waited for its turn', 'POST', '/graphql', { graphql: busy }],
  ];

  it.each(ROUTES)('(%s) is 500 with a masked text in %s %s', async (_what, method, path, changes = {}) => {
    asked = 0;
    const log = captureLog();
    server = createServer(createHttpApp(failingApp(log.logger, ERROR, changes)));
    const reply = await fetch(`http://127.0.0.1:${await listenOnLoopback(server)}/base${path}`, {
      method,
      headers: { connection: 'close', 'x-api-key': FAILING_APP_KEY, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: '[]' }),
    });
    expect([reply.status, await reply.text()]).toEqual([500, MASKED]);
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
    expect(JSON.stringify([...reply.headers])).not.toMatch(/hunter2|TypeError|\.[jt]s/);
    expect(log.complaints()).toEqual(['request.failed']);
    expect(log.text()).toContain(SECRET);
    expect(log.text()).toContain('unexpected-errors.test');
  });
});

/** What nobody foresaw is 500 without a word about the inside, wherever in the HTTP layer it is thrown. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import Koa from 'koa';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { GraphQLServer } from '../../src/graphql/server.js';
import { DependencyChecks } from '../../src/http/dependency-checks.js';
import { AnswerHeaders } from '../../src/http/answer-headers.js';
import { createHttpApp, type HttpAppOptions } from '../../src/http/http-app.js';
import { graphqlMount } from '../../src/http/endpoints/graphql.js';
import { errorHandler } from '../../src/http/error-handler.js';
import { requestLog, type GatewayState } from '../../src/http/request-log.js';
import type { Job } from '../../src/jobs/job.js';
import { CALLBACK_PATHS, JOB_KINDS, type JobKind } from '../../src/job-record/job-kinds.js';
import { captureLog, type CapturedLog } from '../support/captured-log.js';
import { MOBILES } from '../support/job-requests.js';
import { listenOnLoopback } from '../support/loopback.js';

const SECRET = 'password=hunter2';
const MASKED = '{"message":"Something went wrong on our side. Try again later."}';

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
  app.use(graphqlMount(broken, new AnswerHeaders([], () => false)));
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
    expect([reply.status, await reply.text()]).toEqual([500, MASKED]);
    expect(log.complaints()).toEqual(['request.failed']);
    expect(log.text()).toContain(SECRET);
  });
});

describe('an error that nobody foresaw behind a route', () => {
  const broken = (): Promise<never> => Promise.reject(new TypeError(SECRET));
  const thrown = (): never => {
    throw new TypeError(SECRET);
  };
  const KEY = 'callback-key-of-the-tests';
  const WELL = { ping: () => Promise.resolve(), write: () => Promise.resolve(), isInDoubt: () => false };
  const jobOf = (kind: JobKind, changes: Partial<Job> = {}): Job => ({
    kind,
    accept: () => ({ kind: 'work', work: { total: 0, resumes: false, run: broken } }),
    ...changes,
  });

  /** Everything works, but for what is changed. */
  const options = (log: CapturedLog, changes: Partial<HttpAppOptions>): HttpAppOptions => ({
    logger: log.logger,
    trustedProxies: 0,
    headers: [],
    basePath: '/base',
    graphql: { answer: broken },
    allowedOrigins: { origins: ['https://front.example.com'], loopback: false },
    publishesSchema: false,
    keys: { fetchKeys: broken, candidates: broken },
    jobs: JOB_KINDS.map((kind) => jobOf(kind)),
    runner: {
      waitMs: () => Promise.resolve(0),
      handle: broken,
      running: 0,
      progressedAt: 0,
      drain: () => Promise.resolve(),
    },
    callbackKeys: [KEY],
    callbackSigning: undefined,
    callbackBodyLimit: { variable: 'CALLBACK_MAX_BODY_BYTES', bytes: 1_000 },
    dependencies: new DependencyChecks({
      probes: {
        'geo-api': () => Promise.resolve(),
        'backend-api': () => Promise.resolve(),
        'voip-api': () => Promise.resolve(),
      },
      storeProbes: { 'job-store': WELL, queue: WELL, 'object-store': WELL },
      sharedMs: 0,
    }),
    isDraining: () => false,
    sharedAnswerMs: 0,
    signedObjects: {
      openSigned: broken,
      put: broken,
      downloadUrl: broken,
      ping: broken,
      probe: { ping: broken, write: broken, isInDoubt: () => false },
      check: broken,
    },
    playground: undefined,
    ...changes,
  });

  /** Asked by this route alone, and again when its answer is complete. */
  function throwsTheFirstTime(): boolean {
    asked += 1;
    return asked === 1 ? thrown() : false;
  }
  let asked = 0;

  const refusing = (kind: JobKind): Job => jobOf(kind, { accept: thrown });
  const ROUTES: readonly (readonly [string, string, string, Partial<HttpAppOptions>?])[] = [
    ...JOB_KINDS.map((kind) => [`the run of a job: ${kind}`, 'POST', CALLBACK_PATHS[kind]] as const),
    ['the look at a body', 'POST', MOBILES, { jobs: JOB_KINDS.map(refusing) }],
    ['the public keys', 'GET', '/.well-known/jwks.json'],
    ['readiness', 'GET', '/health/ready', { isDraining: throwsTheFirstTime }],
    ['readiness, asked strictly', 'GET', '/health/ready?strict=true', { isDraining: throwsTheFirstTime }],
    ['a report', 'GET', '/files/driving-reports/a.pdf?exp=1&sig=a'],
    ['GraphQL', 'POST', '/graphql'],
  ];

  it.each(ROUTES)('(%s) is 500 with a masked text in %s %s', async (_what, method, path, changes = {}) => {
    asked = 0;
    const log = captureLog();
    const answer = createHttpApp(options(log, changes)).callback();
    server = createServer((request, response) => void answer(request, response));
    const reply = await fetch(`http://127.0.0.1:${await listenOnLoopback(server)}/base${path}`, {
      method,
      headers: { connection: 'close', 'x-api-key': KEY, 'content-type': 'application/json' },
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

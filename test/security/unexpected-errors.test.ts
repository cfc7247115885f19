/** Unexpected errors are 500 without a word about the inside, wherever they are thrown. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../src/base/errors.js';
import type { Services } from '../../src/gateway/graphql/context.js';
import { answerTexts } from '../../src/gateway/graphql/limits/answer-text.js';
import { OperationLog } from '../../src/gateway/graphql/operation-log.js';
import { createGatewaySchema } from '../../src/gateway/graphql/schema.js';
import { PipelineServer } from '../../src/gateway/graphql/server.js';
import { createHttpApp } from '../../src/gateway/http/koa-app.js';
import type { RouteParts } from '../../src/programs/app/routes.js';
import { CALLBACK_PATHS, JOB_KINDS } from '../../src/jobs/record/job-kinds.js';
import { captureLog } from '../support/captured-log.js';
import { failingApp, FAILING_APP_KEY, failingJob } from '../support/failing-app.js';
import { HANDLERS } from '../support/graphql-handlers.js';
import { MOBILES } from '../support/job-requests.js';
import { JOBS } from '../support/job-table.js';
import { listenOnLoopback } from '../support/loopback.js';
import { OPERATION_LIMITS } from '../support/operation-limits.js';

const SECRET = 'password=hunter2';
const ERROR = new TypeError(SECRET);
const thrown = (): never => {
  throw ERROR;
};
const CLOSING = { connection: 'close' };
const MASKED = '{"message":"Something went wrong on our side. Try again later."}';

let server: Server | undefined;
afterEach(async () => {
  server?.close();
  if (server) await once(server, 'close');
});

describe('an unexpected error behind a route', () => {
  /** Asked by this route alone, and again when its answer is complete. */
  function throwsTheFirstTime(): 'OK' {
    asked += 1;
    return asked === 1 ? thrown() : 'OK';
  }
  let asked = 0;

  const refusing = JOB_KINDS.map((kind) => failingJob(kind, ERROR, { accept: thrown }));
  const ROUTES: readonly (readonly [string, string, string, Partial<RouteParts>?])[] = [
    ...JOB_KINDS.map((kind) => [`the run of a job: ${kind}`, 'POST', CALLBACK_PATHS[kind]] as const),
    ['the look at a body', 'POST', MOBILES, { jobs: refusing }],
    ['the public keys', 'GET', '/.well-known/jwks.json'],
    ['readiness', 'GET', '/health/ready', { phase: throwsTheFirstTime }],
    ['readiness, asked strictly', 'GET', '/health/ready?strict=true', { phase: throwsTheFirstTime }],
    ['a report', 'GET', '/files/driving-reports/a.pdf?exp=1&sig=a'],
    ['GraphQL, later', 'POST', '/graphql'],
    ['GraphQL, at once', 'POST', '/graphql', { graphql: { answer: thrown } }],
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

describe('an unexpected error in a resolver', () => {
  const MASK = 'Something went wrong on our side. Try again later.';
  const shown = (field: string): object => ({
    message: MASK,
    path: [field],
    locations: [expect.anything()],
    extensions: { code: 'InternalError', reason: 'InternalError', values: {}, status: 500, path: [field] },
  });

  /** A GraphQL server whose services fail with the given error wherever they are touched. */
  function failingServer(failure: unknown): {
    readonly ask: (query: string) => Promise<unknown>;
    readonly logged: () => string;
  } {
    const log = captureLog();
    const fail = (): never => {
      throw failure;
    };
    const failing = new Proxy({}, { get: fail });
    const services = {
      version: '1',
      allowTestOtp: true,
      jobs: JOBS,
      jobStore: failing,
      jobStarter: failing,
      objectStore: failing,
      attemptLimits: failing,
      answerTextOf: answerTexts(1),
      geoApi: failing,
      voipApi: failing,
      backendApi: { public: failing, asUser: () => failing },
    } as unknown as Services; // Everything that is touched fails on purpose.
    const graphql = new PipelineServer({
      schema: createGatewaySchema(services),
      services,
      authenticate: (authorization) =>
        authorization === null
          ? Promise.reject(new GatewayError('AuthorizationMissing'))
          : Promise.resolve({ BackendUser: 'u', Org: 'o', Issuser: 'i', Region: 'r', IsAdmin: true }),
      endpoint: '/graphql',
      limits: OPERATION_LIMITS,
      requestTimeoutMs: 5_000,
      load: { refuses: () => false, turn: () => true, began: () => () => undefined },
      privateSchema: false,
    });
    return {
      logged: () => log.text(),
      ask: async (query) => {
        server = createServer((request, response) => {
          const known = {
            requestId: 'request-1',
            log: log.logger.child({ requestId: 'request-1' }),
            operationLog: new OperationLog(),
          };
          const client = { ...known, authorization: 'Bearer x', address: () => '127.0.0.1' };
          void Promise.resolve(graphql.answer(request, response, client)).then(({ body }) => response.end(body));
        });
        const { text } = await HANDLERS.POST(`http://127.0.0.1:${await listenOnLoopback(server)}`, { query }, CLOSING);
        return JSON.parse(text) as unknown;
      },
    };
  }

  it.each([
    ['a query', '{ serviceVersion here: fetchBulkUpdateMobileStatus(jobId: "1") { state } }'],
    ['a protected list', '{ serviceVersion here: tags { id } }'],
  ])('in %s is InternalError with a masked text, and the log has all of it', async (_what, query) => {
    const failing = failingServer(new TypeError(SECRET));
    expect(await failing.ask(query)).toEqual({ data: { serviceVersion: '1', here: null }, errors: [shown('here')] });
    const [entry = ''] = failing
      .logged()
      .split('\n')
      .filter((line) => line.includes(SECRET));
    expect(JSON.parse(entry)).toMatchObject({
      level: 'error',
      requestId: 'request-1',
      path: ['here'],
      err: { type: 'TypeError', message: SECRET, stack: expect.any(String) },
    });
  });

  it('in a mutation leaves the others', async () => {
    const query = 'mutation { a: sendOtp(loginId: "x") { sentTo } b: sendOtp(loginId: "y") { sentTo } }';
    expect(await failingServer(new Error(SECRET)).ask(query)).toEqual({
      data: { a: null, b: null },
      errors: [shown('a'), shown('b')],
    });
  });

  it.each([['a text'], [undefined], [{ message: SECRET }]])('that is no Error but %j is masked, too', async (what) => {
    const reply = await failingServer(what).ask('{ here: tags { id } }');
    expect(reply).toMatchObject({ errors: [{ extensions: { code: 'InternalError', status: 500, path: ['here'] } }] });
    expect(JSON.stringify(reply)).not.toContain('hunter2');
  });
});

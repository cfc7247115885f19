/** What the GraphQL side answers to operations that cannot be run: always a code, a status and a path. */
import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { unauthenticated } from '../../src/errors.js';
import { createGatewaySchema } from '../../src/graphql/schema.js';
import { createGraphQLServer } from '../../src/graphql/server.js';
import type { Services } from '../../src/graphql/context.js';
import { OperationNotes } from '../../src/graphql/operation-notes.js';
import { captureLog } from '../support/captured-log.js';
import { listenOnLoopback } from '../support/loopback.js';
import { startTestGateway, type GraphQLReply, type ShownError, type TestGateway } from '../support/gateway.js';
import { JOBS } from '../support/job-table.js';
import { OPERATION_LIMITS } from '../support/operation-limits.js';

let gateway: TestGateway;
let bearer: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  bearer = await gateway.bearer();
});
afterEach(() => gateway.sandbox.faults.clear());
afterAll(() => gateway.close());

/** The shape every error has. */
function shown(code: string, status: number, message: unknown, path: readonly (string | number)[] = []): unknown {
  return {
    message,
    path,
    extensions: { code, status, path },
    ...(path.length === 0 ? {} : { locations: expect.anything() }),
  };
}

/** Of a request error: no path, and a location when there is a document to point into. */
function badRequest(message: unknown): unknown {
  return expect.objectContaining({ message, path: [], extensions: { code: 'BadInput', status: 400, path: [] } });
}

async function send(
  body: string,
  headers: Record<string, string> = {},
  method = 'POST',
): Promise<{ status: number; errors: readonly ShownError[] | undefined; text: string; headers: Headers }> {
  const reply = await fetch(`${gateway.url}/graphql`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await reply.text();
  const { errors } = JSON.parse(text) as { errors?: ShownError[] };
  return { status: reply.status, errors, text, headers: reply.headers };
}

/** Runs an operation and fails unless no resolver reached a backend for it. */
async function refusedBeforehand(query: string, variables?: object): Promise<GraphQLReply> {
  gateway.sandbox.journal.clear();
  const reply = await gateway.graphql(query, variables, bearer);
  // Variables are looked at after the token.
  const operations = gateway.sandbox.journal.requests().map(({ operation }) => operation);
  expect(operations.filter((operation) => operation !== 'getPublicKeys')).toEqual([]);
  expect(reply.data).toBeUndefined();
  return reply;
}

describe('an operation that is not valid', () => {
  const MOBILE = 'query($id: Int!) { mobile(id: $id) { id } }';
  const START = 'mutation($items: [MobileUpdateInput!]!) { startBulkUpdateMobile(items: $items) { jobId } }';

  it.each([
    ['a syntax error', '{', {}, /^Syntax Error: Expected Name, found <EOF>\.$/],
    ['an unknown field', '{ nothing }', {}, /^Cannot query field "nothing" on type "Query"/],
    ['an unknown argument', '{ mobile(id: 1, x: 2) { id } }', {}, /^Unknown argument "x"/],
    ['a missing argument', '{ mobile { id } }', {}, /argument "id" of type "Int!" is required/],
    ['no selection of fields', '{ me }', {}, /must have a selection of subfields/],
    ['a missing variable', MOBILE, {}, /^Variable "\$id" of required type "Int!" was not provided\.$/],
    [
      'null for a required variable',
      MOBILE,
      { id: null },
      /^Variable "\$id" of non-null type "Int!" must not be null\.$/,
    ],
    [
      'a variable of the wrong type',
      MOBILE,
      { id: '1' },
      /^Variable "\$id" got invalid value "1"; Int cannot represent/,
    ],
    ['a variable that is a fraction', MOBILE, { id: 1.5 }, /Int cannot represent non-integer value: 1\.5/],
    [
      'a variable beyond 32 bits',
      MOBILE,
      { id: 2 ** 31 },
      /Int cannot represent non 32-bit signed integer value: 2147483648/,
    ],
    ['a literal beyond 32 bits', '{ mobile(id: 2147483648) { id } }', {}, /non 32-bit signed integer value/],
    [
      'an unknown field of an input',
      START,
      { items: [{ id: 1, speed: 3 }] },
      /at "items\[0\]"; Field "speed" is not defined/,
    ],
    [
      'a missing field of an input',
      START,
      { items: [{ num: 'x' }] },
      /Field "id" of required type "Int!" was not provided/,
    ],
    ['a wrong type inside an input', START, { items: [{ id: 1, tagIds: ['a'] }] }, /at "items\[0\]\.tagIds\[0\]"/],
    ['a variable that nobody declared', '{ mobile(id: $id) { id } }', {}, /^Variable "\$id" is not defined/],
    ['fragments in a circle', '{ ...A } fragment A on Query { ...A }', {}, /^Cannot spread fragment "A" within itself/],
    ['an unknown fragment', '{ ...A }', {}, /^Unknown fragment "A"\.$/],
    ['a subscription', 'subscription { anything }', {}, /subscription/],
    ['nothing at all', '# nothing', {}, /^Syntax Error/],
  ])('because of %s is BadInput with an empty path', async (_fault, query, variables, message) => {
    const { errors, text } = await refusedBeforehand(query, variables);
    expect(errors?.[0]).toEqual(badRequest(expect.stringMatching(message)));
    expect(text).not.toContain('stacktrace');
  });

  it('has a location for every error', async () => {
    const { errors } = await refusedBeforehand('{ anything\n nothing }');
    expect(errors).toEqual([
      { ...badRequestShape('Cannot query field "anything" on type "Query".'), locations: [{ line: 1, column: 3 }] },
      { ...badRequestShape('Cannot query field "nothing" on type "Query".'), locations: [{ line: 2, column: 2 }] },
    ]);
  });

  it.each([
    ['application/json', 200],
    ['application/graphql-response+json', 400],
  ])('is told with %s as status %d', async (accept, status) => {
    const reply = await send(JSON.stringify({ query: '{ nothing }' }), { accept });
    expect(reply.status).toBe(status);
    expect(reply.errors).toEqual([badRequest(expect.any(String))]);
  });
});

function badRequestShape(message: string): object {
  return { message, path: [], extensions: { code: 'BadInput', status: 400, path: [] } };
}

describe('a request that holds no operation', () => {
  it.each([
    ['no JSON', '{', /^POST body sent invalid JSON\.$/],
    ['empty', '', /^POST body sent invalid JSON\.$/],
    ['an array', '[{"query":"{ serviceVersion }"}]', /^Batching is not supported\.$/],
    ['a text', '"x"', /expected to be object/],
    ['null', 'null', /expected to be object/],
    ['without a query', '{}', /^Must provide query string\.$/],
    ['with a query of another type', '{"query":1}', /Expected "query" param to be a string/],
    ['with variables of another type', '{"query":"{ serviceVersion }","variables":"x"}', /Expected "variables" param/],
    ['with an unknown parameter', '{"query":"{ serviceVersion }","x":1}', /Unexpected parameter "x"/],
    [
      'with an unknown operation name',
      '{"query":"query A { serviceVersion }","operationName":"B"}',
      /what operation to execute/,
    ],
    [
      'with two operations and no name',
      '{"query":"query A { serviceVersion } query B { serviceVersion }"}',
      /what operation to execute/,
    ],
  ])('because the body is %s is 400 in the same shape', async (_fault, body, message) => {
    const { status, errors } = await send(body);
    expect([status, errors]).toEqual([400, [badRequest(expect.stringMatching(message))]]);
  });

  it.each([
    ['a form', 'application/x-www-form-urlencoded', 'query=%7BserviceVersion%7D'],
    ['plain text', 'text/plain', '{"query":"{ serviceVersion }"}'],
    ['a bare document', 'application/graphql', '{ serviceVersion }'],
    ['no content type', '', '{"query":"{ serviceVersion }"}'],
    ['multipart', 'multipart/form-data; boundary=x', '--x--'],
  ])('because it is %s is 415 in the same shape', async (_type, type, body) => {
    const { status, errors } = await send(body, { 'content-type': type });
    expect([status, errors]).toEqual([
      415,
      [badRequest('Content-Type must be application/json, without Content-Encoding.')],
    ]);
  });

  it.each(['PUT', 'DELETE', 'PATCH'])('because its method is %s is 405 with Allow', async (method) => {
    const { status, errors, headers } = await send('{"query":"{ serviceVersion }"}', {}, method);
    expect([status, errors, headers.get('allow')]).toEqual([405, [badRequest(expect.any(String))], 'GET, POST']);
  });

  it.each([
    ['without a query', '', 400],
    ['with broken variables', '?query={serviceVersion}&variables={', 400],
    ['with broken extensions', '?query={serviceVersion}&extensions=[', 400],
    ['with a mutation', '?query=mutation{refreshUserToken(refreshToken:"x"){expiresIn}}', 405],
  ])('because it is a GET %s is refused in the same shape', async (_fault, search, status) => {
    const reply = await fetch(`${gateway.url}/graphql${search}`);
    expect([reply.status, await reply.json()]).toEqual([status, { errors: [badRequest(expect.any(String))] }]);
  });

  it('because it accepts no JSON is 406 in the same shape', async () => {
    const { status, errors } = await send('{"query":"{ serviceVersion }"}', { accept: 'image/png' });
    expect([status, errors]).toEqual([406, [badRequest(expect.stringMatching(/^Accept must allow/))]]);
  });
});

describe('an argument that is refused while the operation runs', () => {
  it('is BadInput at the path of its field, and the other fields return their data', async () => {
    const { data, errors } = await gateway.graphql(
      'query($id: Int = 1) { mobile(id: $id) { id } serviceVersion }',
      { id: null },
      bearer,
    );
    expect(data).toEqual({ mobile: null, serviceVersion: '0.0.0-test' });
    expect(errors).toEqual([
      shown('BadInput', 400, 'Argument "id" of non-null type "Int!" must not be null.', ['mobile']),
    ]);
  });
});

describe('a refusal', () => {
  const accounts = (items: string): string =>
    `mutation { here: startBulkOperationUserAccount(items: [${items}]) { jobId } }`;

  it.each([
    ['of a page size', '{ here: mobiles(first: 201) { edges { node { id } } } }', 'demo', 'BadInput', 400],
    ['of a page size below 1', '{ here: userAccounts(first: 0) { edges { node { id } } } }', 'demo', 'BadInput', 400],
    [
      'of a date',
      'mutation { here: startDrivingReports(input: { date: "2026-13-01T00:00:00Z", drivers: [] }) { jobId } }',
      'demo',
      'BadInput',
      400,
    ],
    ['of an operation type', accounts('{ type: 3, userAccountInput: { loginId: "x" } }'), 'demo', 'BadInput', 400],
    ['of an empty login id', accounts('{ type: 2, userAccountInput: { loginId: "" } }'), 'demo', 'BadInput', 400],
    [
      'of an unknown mobile',
      'mutation { here: startBulkUpdateMobile(items: [{ id: 2147483647 }]) { jobId } }',
      'demo',
      'NotFound',
      404,
    ],
    ['of an unknown job', '{ here: fetchDrivingReportsStatus(jobId: "none") { state } }', 'demo', 'NotFound', 404],
    ['of somebody who is no administrator', accounts(''), 'driver', 'Forbidden', 403],
    [
      'of somebody who may not poll',
      '{ here: fetchBulkOperationUserAccountStatus(jobId: "none") { state } }',
      'driver',
      'Forbidden',
      403,
    ],
    [
      'of a login',
      'mutation { here: userLogin(loginId: "demo", password: "wrong") { otpRequired } }',
      'demo',
      'InvalidCredentials',
      401,
    ],
    [
      'of a refresh token',
      'mutation { here: refreshUserToken(refreshToken: "wrong") { expiresIn } }',
      'demo',
      'InvalidCredentials',
      401,
    ],
    [
      'of a one-time password',
      'mutation { here: verifyOtp(loginId: "otp", code: "000000") { expiresIn } }',
      'demo',
      'InvalidCredentials',
      401,
    ],
  ])('%s carries code, status and path, which is the alias', async (_what, query, loginId, code, status) => {
    const { errors, status: transport } = await gateway.graphql(query, {}, await gateway.bearer({ loginId }));
    expect(transport).toBe(200);
    expect(errors).toEqual([shown(code, status, expect.stringMatching(/\.$/), ['here'])]);
  });
});

describe('null for an optional argument', () => {
  it('counts as absent', async () => {
    const query = `query($search: String, $tagIds: [Int!], $first: Int, $after: String) {
      mobiles(search: $search, tagIds: $tagIds, first: $first, after: $after) { edges { node { id } } }
    }`;
    const absent = await gateway.graphql(query, {}, bearer);
    const given = await gateway.graphql(query, { search: null, tagIds: null, first: null, after: null }, bearer);
    expect(given.errors).toBeUndefined();
    expect(given.text).toBe(absent.text);
    const [first, second] = gateway.sandbox.journal.requests({ operation: 'listMobiles' }).slice(-2);
    expect(second?.query).toEqual(first?.query);
  });

  it('counts as absent for every optional field of the bulk inputs', async () => {
    const nothing = {
      password: null,
      name: null,
      isAdmin: null,
      useChat: null,
      functionRestriction: null,
      useIndivFilter: null,
      indivs: null,
      useVPTGrpFilter: null,
      vptGrps: null,
      useLandmarkCategoryFilter: null,
      landmarkCategories: null,
      useConnectionLimit: null,
    };
    const { data, errors } = await gateway.graphql(
      `mutation($accounts: [UserAccountOperationInput!]!, $mobiles: [MobileUpdateInput!]!) {
        accounts: startBulkOperationUserAccount(items: $accounts) { jobId }
        mobiles: startBulkUpdateMobile(items: $mobiles) { jobId }
      }`,
      {
        accounts: [{ type: 2, userAccountInput: { loginId: 'nobody', ...nothing } }],
        mobiles: [{ id: 1, num: null, name: null, tagIds: null }],
      },
      bearer,
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({ accounts: { jobId: expect.any(String) }, mobiles: { jobId: expect.any(String) } });
  });
});

describe('an error that nobody foresaw', () => {
  const SECRET = 'password=hunter2 at 10.0.0.7:5432';

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
      jobStatus: failing,
      jobStarter: failing,
      objectStore: failing,
      attemptLimits: failing,
      geoApi: failing,
      voipApi: failing,
      backendApi: { public: failing, asUser: () => failing },
    } as unknown as Services; // Everything that is touched fails on purpose.
    const server = createGraphQLServer({
      schema: createGatewaySchema(services),
      services,
      authenticate: (authorization) =>
        authorization === null
          ? Promise.reject(unauthenticated('Authorization header not set'))
          : Promise.resolve({ BackendUser: 'u', Org: 'o', Issuser: 'i', Region: 'r', IsAdmin: true }),
      endpoint: '/graphql',
      limits: OPERATION_LIMITS,
      timeoutMs: 5_000,
      load: { refuses: () => false, turn: () => true },
      privateSchema: false,
    });
    return {
      logged: () => log.text(),
      ask: async (query) => {
        const http = createServer((request, response) => {
          const child = log.logger.child({ requestId: 'request-1' });
          const known = { requestId: 'request-1', log: child, notes: new OperationNotes() };
          const client = { ...known, authorization: 'Bearer x', address: () => '127.0.0.1' };
          void Promise.resolve(server.answer(request, response, client)).then(({ body }) => response.end(body));
        });
        const url = `http://127.0.0.1:${await listenOnLoopback(http)}/graphql`;
        const reply = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', connection: 'close' },
          body: JSON.stringify({ query }),
        });
        http.close();
        return reply.json() as Promise<unknown>;
      },
    };
  }

  it.each([
    ['a query', '{ serviceVersion here: fetchBulkUpdateMobileStatus(jobId: "1") { state } }'],
    ['a protected list', '{ serviceVersion here: tags { id } }'],
  ])('in %s is InternalError with a masked text, and the log has all of it', async (_what, query) => {
    const server = failingServer(new TypeError(SECRET));
    expect(await server.ask(query)).toEqual({
      data: { serviceVersion: '1', here: null },
      errors: [shown('InternalError', 500, 'Something went wrong on our side. Try again later.', ['here'])],
    });
    const [entry = ''] = server
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

  it('in a mutation whose result may not be null empties the data', async () => {
    expect(await failingServer(new Error(SECRET)).ask('mutation { sendOtp(loginId: "x") { sentTo } }')).toEqual({
      data: null,
      errors: [shown('InternalError', 500, 'Something went wrong on our side. Try again later.', ['sendOtp'])],
    });
  });

  it.each([['a text'], [undefined], [{ message: SECRET }]])(
    'that is no Error but %j is masked, too',
    async (thrown) => {
      const reply = await failingServer(thrown).ask('{ here: tags { id } }');
      expect(reply).toMatchObject({ errors: [{ extensions: { code: 'InternalError', status: 500, path: ['here'] } }] });
      expect(JSON.stringify(reply)).not.toContain('hunter2');
    },
  );

  it('does not hide the errors of the other fields', async () => {
    const reply = await failingServer(new Error(SECRET)).ask(
      '{ a: tags { id } b: mobiles(first: 0) { edges { node { id } } } }',
    );
    expect(reply).toMatchObject({
      errors: expect.arrayContaining([
        expect.objectContaining({ path: ['a'] }),
        expect.objectContaining({ path: ['b'] }),
      ]),
    });
  });
});

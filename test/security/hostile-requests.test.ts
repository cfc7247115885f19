/** No request, whatever its bytes, ends the process or shows its inside, in production and in development. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '../../src/logging/logger.js';
import { startSandbox, type FaultScope, type Sandbox } from '../../src/sandbox/sandbox.js';
import { BuiltPrograms, ROOT } from '../support/built-programs.js';
import { freePorts, startProgram, type ChildProgram } from '../support/child-program.js';
import { BACKEND_KEY, backendEnvironment, PRODUCTION_ENVIRONMENT } from '../support/gateway.js';
import { HostileRequests } from '../support/hostile-requests.js';
import { jobHeaders, MOBILES } from '../support/job-requests.js';
import { bodyOf, converse, type Conversation } from '../support/raw-conversation.js';
import { rawRequest } from '../support/raw-http.js';
import { randomFrom } from '../../src/sandbox/seed/random.js';
import { chooseSeed } from '../support/seed.js';
import { OPERATIONS } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';

/** Requests of the fuzz for each of the three gateways. */
const REQUESTS = 8_000;
/** Those on connections of their own, because nobody knows where they end. */
const BROKEN = 1_200;
/** Requests that share a connection. */
const PIPELINE = 40;
const CONNECTIONS = 6;
/** More, because some of those requests wait for an end. */
const BROKEN_CONNECTIONS = 24;
/** Clients that hang up in the same way. */
const HANG_UPS = 8;
/** Of the gateway that has one. */
const BASE_PATH = '/gate/way';
/** Bytes that end nowhere are waited for; whoever sent them need not wait as long. */
const WAITS_FOR_MORE_MS = 500;

const TARGET_REFUSED = {
  message: 'The request target must be a path in visible ASCII; percent-encode everything else.',
};
const HOST_REFUSED = { message: 'The Host header must be given once and name a host, with or without a port.' };

interface RunningGateway {
  readonly url: string;
  readonly program: ChildProgram;
  /** `Authorization` of somebody who has logged in. */
  readonly bearer: string;
}

/** The page that development has, as bytes. */
let playground = '';

let programs: BuiltPrograms;
let sandbox: Sandbox;
let directory: string;

beforeAll(async () => {
  programs = await BuiltPrograms.open();
  sandbox = await startSandbox({
    logger: createLogger({ level: 'silent', pretty: false }),
    backendApiKey: BACKEND_KEY,
  });
  directory = await mkdtemp(path.join(tmpdir(), 'gateway-hostile-'));
}, 240_000);
afterAll(async () => {
  await sandbox.close();
  await programs.close();
  await rm(directory, { recursive: true, force: true });
});

async function startGateway(name: string, env: NodeJS.ProcessEnv): Promise<RunningGateway> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}${env['BASE_PATH'] ?? ''}`;
  const program = await startProgram(process.execPath, {
    args: [path.join(programs.directory, 'dist/main.js')],
    logFile: path.join(directory, `${name}.log`),
    env: { NODE_OPTIONS: '', NODE_ENV: '', PORT: String(port), DATA_DIR: path.join(directory, name), ...env },
  });
  await waitFor('the gateway', async () => {
    if (!program.isRunning()) throw new Error(await program.output());
    return fetch(`${url}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return { url, program, bearer: await logIn(url) };
}

/** A stack, a place in the sources, or where they lie. */
const INSIDES = /\n\s+at |node:internal|node_modules|\.[cm]?[jt]s:\d|file:\/\/|(Type|Range|Reference)Error/;

/** Fails when a reply holds what only the inside of the process knows. */
function expectNoInsides(conversation: Conversation): void {
  const text = withoutPlayground(conversation.text);
  const at = text.includes(ROOT) ? text.indexOf(ROOT) : text.search(INSIDES);
  if (at >= 0) throw new Error(`A reply shows insides: ${text.slice(Math.max(0, at - 400), at + 400)}`);
}

/** Without the page, which shows its own insides, or as much of it as came before the connection was closed. */
function withoutPlayground(text: string): string {
  const at = playground === '' ? -1 : text.indexOf(playground.slice(0, 100));
  if (at < 0) return text;
  const rest = text.slice(at + playground.length);
  return playground.startsWith(text.slice(at, at + playground.length))
    ? text.slice(0, at) + withoutPlayground(rest)
    : text;
}

/** What the log of a gateway that nothing happened to never says. */
const ENDED_BADLY = /uncaughtException|unhandledRejection|(request|operation)\.failed/;

/** Runs an operation, below the base path. */
async function run(url: string, query: string, bearer?: string): Promise<unknown> {
  const reply = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(bearer !== undefined && { authorization: bearer }) },
    body: JSON.stringify({ query }),
  });
  return reply.json();
}

/** Somebody's `Authorization`, whichever backends the gateway has. */
async function logIn(url: string): Promise<string> {
  const query = 'mutation { userLogin(loginId: "demo", password: "demo-password") { session { accessToken } } }';
  return waitFor('the login', async () => {
    const { data } = (await run(url, query)) as { data?: { userLogin: { session: { accessToken: string } } } }; // as selected
    // A gateway that has just begun may be too busy for a moment.
    return data && `Bearer ${data.userLogin.session.accessToken}`;
  });
}

/** Random requests for a gateway, most of which has a test of its own above. */
function fuzz(name: string, gatewayOf: () => RunningGateway): void {
  it(`survives ${REQUESTS} random requests and ${BROKEN} broken ones, and answers each with 2xx, 3xx, 4xx or 503`, async () => {
    const { url, program, bearer } = gatewayOf();
    const random = randomFrom(chooseSeed(`hostile requests, ${name}`));
    const credentials = { apiKey: PRODUCTION_ENVIRONMENT.TASK_CALLBACK_API_KEY ?? '', bearer };
    const hostile = new HostileRequests(random, credentials, new URL(url).pathname.replace(/\/$/, ''));
    let answered = 0;

    /** @returns how many replies came */
    async function send(requests: readonly string[], silenceMs?: number): Promise<number> {
      const conversation = await converse(url, requests.join(''), silenceMs);
      const odd = conversation.statuses.filter((status) => status >= 500 && ![501, 503].includes(status));
      if (odd.length > 0) throw new Error(`${odd.join()} after:\n${requests.join('\n----\n')}`);
      expectNoInsides(conversation);
      return conversation.statuses.length;
    }

    let sent = 0;
    async function sendPipelines(): Promise<void> {
      while (sent < REQUESTS) {
        let rest = hostile.pipeline(PIPELINE);
        sent += rest.length;
        while (rest.length > 0) {
          const replies = await send(rest);
          answered += replies;
          // What Node's own parser refuses ends the connection.
          rest = rest.slice(Math.max(1, replies));
        }
      }
    }

    let broken = 0;
    async function sendBroken(): Promise<void> {
      while (broken < BROKEN) {
        broken += 1;
        await send([hostile.broken()], WAITS_FOR_MORE_MS);
      }
    }

    await Promise.all([
      ...Array.from({ length: CONNECTIONS }, sendPipelines),
      ...Array.from({ length: BROKEN_CONNECTIONS }, sendBroken),
    ]);
    expect(program.isRunning()).toBe(true);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    expect(answered).toBeGreaterThan(REQUESTS * 0.8);
    expect(await program.output()).not.toMatch(ENDED_BADLY);
  }, 240_000);
}

/** How many clients send the same request and hang up. */
type HangUp = readonly [times: number, bytes: (bearer: string) => string];

function graphqlRequest(query: string, bearer: string, variables?: object): string {
  return bodyRequest('/graphql', JSON.stringify({ query, variables }), { Authorization: bearer });
}

/** Of somebody who has not logged in, from an address of which nothing came before: those of the fuzz are over limits. */
function visitorRequest(query: string): string {
  visitors += 1;
  return bodyRequest('/graphql', JSON.stringify({ query }), { 'X-Forwarded-For': `192.0.2.${visitors}` });
}
let visitors = 0;

function callbackRequest(body: string): string {
  const credentials = { 'x-api-key': PRODUCTION_ENVIRONMENT.TASK_CALLBACK_API_KEY ?? '', ...jobHeaders(randomUUID()) };
  return bodyRequest(MOBILES, body, credentials);
}

function bodyRequest(target: string, body: string, headers: Readonly<Record<string, string>>): string {
  const lines = { 'Content-Type': 'application/json', 'Content-Length': body.length, ...headers };
  return rawRequest(`POST ${BASE_PATH}${target} HTTP/1.1`, lines, body);
}

const OK_HOST = 'gateway.test';
const QUERY = '/graphql?query={serviceVersion}';

function request(method: string, target: string, host = OK_HOST, more = ''): string {
  return `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`;
}

describe.each([
  ['production', () => ({ ...backendEnvironment(sandbox), ...PRODUCTION_ENVIRONMENT, TRUSTED_PROXIES: '1' })],
  ['development', () => ({ TASK_CALLBACK_API_KEY: PRODUCTION_ENVIRONMENT.TASK_CALLBACK_API_KEY })],
])('a gateway in %s', (name, environment) => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway(name, environment());
    const page = await fetch(`${gateway.url}/playground`);
    if (page.ok) playground = Buffer.from(await page.arrayBuffer()).toString('latin1');
  });
  afterAll(() => {
    playground = '';
    return gateway.program.stop();
  });

  /** The one reply to a request, after which the gateway still answers. */
  async function ask(bytes: string): Promise<{ status: number | undefined; body: unknown; text: string }> {
    const conversation = await converse(gateway.url, bytes);
    expectNoInsides(conversation);
    expect((await converse(gateway.url, request('GET', '/health/live'))).statuses).toEqual([200]);
    const [status] = conversation.statuses;
    const body = bodyOf(conversation);
    return { status, body: body.startsWith('{') ? JSON.parse(body) : body, text: conversation.text };
  }

  it.each([
    'http://[/',
    'http://',
    'http:///health/live',
    'http://a:99999/health/live',
    'http://a@b/health/live',
    'ftp://a/health/live',
    '//a@[/#',
    '/health/live#fragment',
    '/health/\u00e9',
    '/\u00a0//a@[/',
    '*',
  ])('answers 400 to the target %j', async (target) => {
    for (const method of ['GET', 'POST', 'PUT']) {
      const { status, body } = await ask(request(method, target));
      // Some are refused by Node's own parser, with no body.
      expect([status, body]).toEqual([400, body === '' ? '' : TARGET_REFUSED]);
    }
    expect((await ask(request('HEAD', target))).status).toBe(400);
  });

  it.each(['http://[/', '//a@[/#', '/health/live#fragment'])(
    'says in JSON what is wrong with the target %j',
    async (target) => {
      const { body, text } = await ask(request('GET', target));
      expect(body).toEqual(TARGET_REFUSED);
      expect(text).toMatch(/^content-type: application\/json/im);
    },
  );

  it.each([
    '[',
    'a:99999',
    '[::1',
    '[::1]]',
    '1.2.3.4.5',
    '%00',
    'a b',
    'a/b',
    'a?b',
    'a#b',
    'u@h',
    '\u00e9',
    ':',
    'a\\b',
  ])('answers 400 to the Host %j on every route', async (host) => {
    for (const target of [QUERY, '/health/live', '/.well-known/jwks.json', '/playground', '/files/x', '/none', '*']) {
      for (const method of ['GET', 'POST', 'OPTIONS', 'PROPFIND']) {
        const { status, body } = await ask(request(method, target, host));
        expect([method, target, status]).toEqual([method, target, 400]);
        expect([HOST_REFUSED, TARGET_REFUSED]).toContainEqual(body);
      }
    }
  });

  it('takes a Host of which Punycode makes nothing as far as this Node makes a URL of it', async () => {
    const { status } = await ask(request('GET', QUERY, 'xn--a'));
    expect(status).toBe(URL.canParse('http://xn--a') ? 200 : 400);
  });

  it('answers 400 to two Host headers', async () => {
    const { status, body } = await ask(request('GET', QUERY, OK_HOST, 'hOsT: gateway.test\r\n'));
    expect([status, body]).toEqual([400, HOST_REFUSED]);
  });

  it.each(['localhost', '127.0.0.1:8080', '[::1]', '[::1]:443', 'queue_function:80', 'A.example.', ''])(
    'takes the Host %j',
    async (host) => {
      for (const target of [QUERY, '/health/live']) {
        expect((await ask(request('GET', target, host))).status).toBe(200);
      }
    },
  );

  it.each([
    ['http://other.test/health/live', 'GET', 200],
    ['HTTP://other.test:8080/health/live?x=http://[/', 'GET', 200],
    ['http://other.test/graphql?query={serviceVersion}', 'GET', 200],
    ['http://other.test', 'GET', name === 'development' ? 302 : 404],
    ['http://other.test?x', 'GET', name === 'development' ? 302 : 404],
    ['*', 'OPTIONS', 404],
  ])('takes the target %s with %s as the route it names', async (target, method, status) => {
    expect((await ask(request(method, target, 'a:80'))).status).toBe(status);
  });

  it.each([
    ['CONNECT', 'gateway.test:443', []],
    ['CONNECT', '/health/live', []],
    ['FOO', '/health/live', [400]],
    ['PROPFIND', '/graphql', [405]],
    ['PROPFIND', '/health/live', [501]],
    ['TRACE', '/none', [501]],
    ['OPTIONS', '/graphql', [405]],
    ['HEAD', '/graphql', [405]],
  ])('answers %s %s with %j', async (method, target, statuses) => {
    const conversation = await converse(gateway.url, request(method, target));
    expectNoInsides(conversation);
    expect(conversation.statuses).toEqual(statuses);
  });

  it.each(['websocket', 'h2c', 'TLS/1.0, HTTP/1.1'])('takes an upgrade to %s as a plain request', async (protocol) => {
    const upgrade = (target: string): string =>
      `GET ${target} HTTP/1.1\r\nHost: x\r\nUpgrade: ${protocol}\r\nConnection: upgrade, close\r\n\r\n`;
    expect((await ask(upgrade('/health/live'))).status).toBe(200);
    expect((await ask(upgrade('http://[/'))).status).toBe(400);
  });

  it.each([
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['no Host', 'GET /health/live HTTP/1.1\r\n\r\n', 400],
    ['a NUL in a header', 'GET /health/live HTTP/1.1\r\nHost: x\r\nx-a: \0\r\n\r\n', 400],
    ['white space in the target', 'GET /health live HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['headers beyond 16 KiB', request('GET', '/health/live', OK_HOST, `x-a: ${'x'.repeat(20_000)}\r\n`), 431],
    ['an expectation nobody knows', request('GET', '/health/live', OK_HOST, 'Expect: miracles\r\n'), 417],
  ])('answers %s small and without insides', async (_what, bytes, status) => {
    const { status: given, text } = await ask(bytes);
    expect(given).toBe(status);
    expect(text.length).toBeLessThan(600);
  });

  it.each([
    ['?query=%ff', /percent-encoded UTF-8/],
    ['?query=%', /percent-encoded UTF-8/],
    ['?query={serviceVersion}&variables=%ED%A0%80', /percent-encoded UTF-8/],
    ['?query={serviceVersion}&query={me{Org}}', /^query must be given once/],
    ['?query={serviceVersion}&variables={}&variables={}', /^variables must be given once/],
    ['?query={serviceVersion}&variables=1', /variables/],
    ['?query={serviceVersion}&variables=[]', /variables/],
    ['?query={serviceVersion}&variables={"a":1e999}', /variables/],
    ['?query={serviceVersion}&extensions="x"', /extensions/],
    ['?query={serviceVersion}&operationName=x', /operation/],
    ['?&&&==?', /Must provide query string/],
    ['?query=', /Must provide query string/],
    ['?x=/health', /Must provide query string/],
  ])('answers 400 to GET /graphql%s', async (search, message) => {
    const { status, body } = await ask(request('GET', `/graphql${search}`));
    expect([status, body]).toEqual([
      400,
      {
        errors: [
          {
            message: expect.stringMatching(message),
            path: [],
            extensions: { code: 'BadInput', status: 400, path: [] },
          },
        ],
      },
    ]);
  });

  it('takes nothing of a host name for a query string', async () => {
    const { status, body } = await ask(request('GET', '/graphql', 'x&variables=('));
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'BadInput' } }] });
  });

  it('answers a route written in other letters as one that does not exist', async () => {
    const { status, body } = await ask(request('GET', '/GraphQL?query={serviceVersion}'));
    expect([status, body]).toEqual([404, { message: 'Not found' }]);
  });

  fuzz(name, () => gateway);
});

describe('a gateway below a base path, for pages of another origin', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway('base-path', {
      ...backendEnvironment(sandbox),
      ...PRODUCTION_ENVIRONMENT,
      BASE_PATH,
      CORS_ORIGINS: 'https://front.example.com',
      TRUSTED_PROXIES: '1',
      BACKEND_TIMEOUT_SECONDS: '30',
      // Every request that is to be held gets as far as that.
      MAX_EVENT_LOOP_DELAY_MS: '60000',
    });
  });
  afterAll(() => gateway.program.stop());

  fuzz('base path', () => gateway);

  it.each<[string, FaultScope, readonly HangUp[], number]>([
    [
      'backends are asked for them',
      { match: ({ operation }) => operation !== 'getPublicKeys' },
      [
        [HANG_UPS, (bearer) => graphqlRequest('{ tags { id } }', bearer)],
        [HANG_UPS, (bearer) => graphqlRequest('{ mobile(id: 1) { id position { address } } me { Org } }', bearer)],
        [HANG_UPS, (bearer) => graphqlRequest(OPERATIONS.mobiles.start, bearer, { value: [{ id: 1, name: 'x' }] })],
        [HANG_UPS, () => visitorRequest('mutation { refreshUserToken(refreshToken: "x") { expiresIn } }')],
        [HANG_UPS, () => callbackRequest('[{"id":1,"name":"x"}]')],
        [HANG_UPS, () => rawRequest(`GET ${BASE_PATH}/health/ready HTTP/1.1`, {})],
      ],
      // All but readiness, which may have been found a moment before.
      5 * HANG_UPS,
    ],
    [
      'public keys are fetched for them',
      { operation: 'getPublicKeys' },
      [
        [HANG_UPS, (bearer) => graphqlRequest('{ me { Org } }', bearer)],
        [HANG_UPS, () => rawRequest(`GET ${BASE_PATH}/.well-known/jwks.json HTTP/1.1`, {})],
      ],
      2,
    ],
  ])('survives clients that hang up while %s', async (_what, scope, requests, asked) => {
    const { url, bearer } = gateway;
    const cutShort = async (): Promise<number> =>
      (await gateway.program.output()).split('"request.cut_short"').length - 1;
    const before = await cutShort();
    const held = sandbox.faults.hold(scope);
    try {
      const sockets = requests.flatMap(([times, bytes]) => Array.from({ length: times }, () => send(bytes(bearer))));
      let areHeld = false;
      void held.held(asked).then(() => (areHeld = true));
      await waitFor('backends to be asked', async () => {
        await expectRunning();
        return areHeld;
      });
      for (const [index, socket] of sockets.entries()) {
        if (index % 2 === 0) socket.resetAndDestroy();
        else socket.destroy();
      }
      // Readiness is not logged.
      const logged = requests.reduce((sum, [times]) => sum + times, 0) - HANG_UPS;
      await waitFor('the hang-ups to be noticed', async () => {
        await expectRunning();
        return (await cutShort()) >= before + logged;
      });
    } finally {
      held.release();
    }
    expect(await run(url, '{ tags { id } }', bearer)).toMatchObject({ data: { tags: expect.any(Array) } });
    expect(gateway.program.isRunning()).toBe(true);
    expect(await gateway.program.output()).not.toMatch(ENDED_BADLY);
  });

  async function expectRunning(): Promise<void> {
    if (!gateway.program.isRunning()) throw new Error(await gateway.program.output());
  }

  function send(bytes: string): net.Socket {
    const socket = net.connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(bytes, 'latin1');
    return socket;
  }
});

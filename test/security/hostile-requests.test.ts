/** No request, whatever its bytes, ends the process or shows its inside, in production and in development. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '../../src/logger.js';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.js';
import { BuiltPrograms, ROOT } from '../support/built-programs.js';
import { freePorts, startProgram, type ChildProgram } from '../support/child-program.js';
import { BACKEND_KEY, backendEnvironment, PRODUCTION_ENVIRONMENT } from '../support/gateway.js';
import { HostileRequests } from '../support/hostile-requests.js';
import { bodyOf, converse, type Conversation } from '../support/raw-conversation.js';
import { randomFrom } from '../../src/sandbox/seed/random.js';
import { chooseSeed } from '../support/seed.js';
import { waitFor } from '../support/wait-for.js';

/** Requests of the fuzz for each of the two gateways. */
const REQUESTS = 12_000;
/** Requests that share a connection. */
const PIPELINE = 40;
const CONNECTIONS = 6;
/** Bytes that end nowhere are waited for; whoever sent them need not wait as long. */
const WAITS_FOR_MORE_MS = 500;

const TARGET_REFUSED = {
  message: 'The request target must be a path in visible ASCII; percent-encode everything else.',
};
const HOST_REFUSED = { message: 'The Host header must be given once and name a host, with or without a port.' };

interface RunningGateway {
  readonly url: string;
  readonly program: ChildProgram;
}

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
}, 120_000);
afterAll(async () => {
  await sandbox.close();
  await programs.close();
  await rm(directory, { recursive: true, force: true });
});

async function startGateway(name: string, env: NodeJS.ProcessEnv): Promise<RunningGateway> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
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
  return { url, program };
}

/** A stack, a place in the sources, or where they lie. */
const INSIDES = /\n\s+at |node:internal|node_modules|\.[cm]?[jt]s:\d|file:\/\/|(Type|Range|Reference)Error/;

/** Fails when a reply holds what only the inside of the process knows. */
function expectNoInsides({ text }: Conversation): void {
  const at = text.includes(ROOT) ? text.indexOf(ROOT) : text.search(INSIDES);
  if (at >= 0) throw new Error(`A reply shows insides: ${text.slice(Math.max(0, at - 400), at + 400)}`);
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
  });
  afterAll(() => gateway.program.stop());

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
    'xn--a',
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
    ['http://other.test', 'GET', 404],
    ['http://other.test?x', 'GET', 404],
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

  it(`survives ${REQUESTS} requests of random bytes, and answers each with 2xx, 3xx, 4xx or 503`, async () => {
    const random = randomFrom(chooseSeed(`hostile requests, ${name}`));
    const hostile = new HostileRequests(random, PRODUCTION_ENVIRONMENT.TASK_CALLBACK_API_KEY ?? '');
    let sent = 0;
    let answered = 0;
    const sendAll = async (): Promise<void> => {
      while (sent < REQUESTS) {
        const isBroken = random.next() < 0.5;
        let rest = isBroken ? [hostile.broken()] : hostile.pipeline(PIPELINE);
        sent += rest.length;
        while (rest.length > 0) {
          const conversation = await converse(gateway.url, rest.join(''), isBroken ? WAITS_FOR_MORE_MS : undefined);
          const { length } = conversation.statuses;
          const odd = conversation.statuses.filter((status) => status >= 500 && ![501, 503].includes(status));
          if (odd.length > 0) throw new Error(`${odd.join()} after:\n${rest.join('\n----\n')}`);
          expectNoInsides(conversation);
          answered += length;
          // What Node's own parser refuses ends the connection.
          rest = rest.slice(Math.max(1, length));
        }
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, sendAll));
    expect(gateway.program.isRunning()).toBe(true);
    expect((await fetch(`${gateway.url}/health/live`)).status).toBe(200);
    expect(answered).toBeGreaterThan(REQUESTS * 0.8);
    const log = await gateway.program.output();
    expect(log).not.toMatch(/uncaughtException|unhandledRejection|(request|operation)\.failed/);
  }, 180_000);
});

/**
 * Requests that cannot be used, whatever is wrong with them, and what each endpoint answers: little, in its own shape,
 * with nothing run and nothing shown.
 */
import { randomUUID } from 'node:crypto';
import net from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ROOT } from '../support/built-programs.js';
import { CALLBACK_ROUTES, CALLBACKS } from '../support/callbacks.js';
import { PRODUCTION_ENVIRONMENT, startTestGateway, type Reply, type TestGateway } from '../support/gateway.js';
import { HANDLERS, type Asked } from '../support/graphql-handlers.js';
import { DRIVING_REPORT, MOBILES, USER_ACCOUNTS } from '../support/job-requests.js';
import { converse } from '../support/raw-conversation.js';
import { rawRequest, readReply, sendRaw } from '../support/raw-http.js';
import { forAllTests } from '../support/resources.js';
import { OPERATIONS } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';

const MAX_BODY = 100_000;
const SMALL = {
  GRAPHQL_MAX_BODY_BYTES: String(MAX_BODY),
  CALLBACK_MAX_BODY_BYTES: String(MAX_BODY),
  REPORT_MAX_DRIVERS: '3',
};
/** Longest message of an error, in characters: a line of what was sent, at most. */
const LINE = 400;
const LONG = 'a'.repeat(50_000);
const INSIDES = /\n\s+at |node:internal|node_modules|\.[cm]?[jt]s:\d|file:\/\/|(Type|Range|Reference|Syntax)Error/;

/** Closes a gateway that was hurt by nothing. */
async function closeUnhurt(gateway: TestGateway): Promise<void> {
  expect((await gateway.rest('GET', '/health/live')).status).toBe(200);
  await gateway.close();
  expect(gateway.logged()).not.toContain('"level":"error"');
}
const production = forAllTests(() => startTestGateway(SMALL, { production: true }), closeUnhurt);
const development = forAllTests(() => startTestGateway({ ...SMALL, PUBLIC_URL: 'http://My.example.org' }), closeUnhurt);
const gateways: readonly TestGateway[] = [production, development];
const user = forAllTests(async () => ({ bearer: await production.bearer() }));
afterEach(() => {
  for (const gateway of gateways) gateway.sandbox.journal.clear();
});
/** An answer of a route, the router, or Node itself. */
type Answer = Pick<Reply, 'headers' | 'text'>;

/** Fails when an answer shows insides, may be kept or framed, or was not given without asking a backend. */
function expectNoMore(gateway: TestGateway, { headers, text }: Answer): void {
  expect(text).not.toMatch(INSIDES);
  expect(text).not.toContain(ROOT);
  if (gateway === production) expect(text).not.toMatch(/did you mean/i);
  for (const [, message = ''] of text.matchAll(/"message":"((?:[^"\\]|\\.)*)"/g)) {
    expect(message.length).toBeLessThan(LINE);
  }
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': expect.stringMatching(/^(private, )?no-store$/),
    ...(text !== '' && { 'content-type': expect.stringMatching(/^application\/(graphql-response\+)?json/) }),
  });
  expect(headers.get('strict-transport-security')).toBe(gateway === production ? 'max-age=31536000' : null);
  const called = gateway.sandbox.journal.requests().map(({ operation }) => operation);
  expect(called.filter((operation) => operation !== 'getPublicKeys')).toEqual([]);
}

function json({ text }: Answer): unknown {
  return text === '' ? undefined : JSON.parse(text);
}

const HOST = 'gateway.localhost';
const QUERY = '/graphql?query={serviceVersion}';

function request(method: string, target: string, host = HOST, more = ''): string {
  return `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`;
}

/** Fails unless bytes are answered once, so, and the connection is closed. */
async function expectRefused(
  bytes: string,
  status: number,
  message?: string,
  headers: object = {},
  asked = gateways,
): Promise<void> {
  for (const gateway of asked) {
    const { statuses, text } = await converse(gateway.url, bytes);
    expect(statuses).toEqual([status]);
    const reply = readReply(text);
    if (reply === undefined) throw new Error(`The answer is cut short: ${text}`);
    // A last chunk alone holds nothing.
    const answer = { headers: reply.headers, text: reply.body === '0\r\n\r\n' ? '' : reply.body };
    expectNoMore(gateway, answer);
    expect(json(answer)).toEqual(message === undefined ? undefined : { message });
    expect(Object.fromEntries(reply.headers)).toMatchObject(headers);
  }
}

const TARGET = 'The request target must be a path in visible ASCII; percent-encode everything else.';
const NAME_A_HOST = 'The Host header must be given once and name a host, with or without a port.';
const OWN_NAME = 'This name is not one of a gateway in development. Add it to PUBLIC_URL, or use localhost.';
const NO_METHOD = 'Method not implemented.';

describe('a request that is no use to any endpoint', () => {
  // oxfmt-ignore
  const TARGETS = [
    'http://[/', 'http://', 'http:///health/live', 'http://a:99999/health/live', 'http://a@b/health/live', 'ftp://a/health/live',
    '//a@[/#', '/health/live#fragment',
  ];
  /** Node's own parser takes these for no HTTP. */
  const UNREADABLE = ['/health/\u00e9', '/\u00a0//a@[/', '/health live'];

  it.each([
    ...TARGETS.flatMap((target) => ['GET', 'POST', 'PUT'].map((method) => [method, target, TARGET] as const)),
    ...UNREADABLE.flatMap((target) => ['GET', 'POST'].map((method) => [method, target, undefined] as const)),
    ...['GET', 'POST'].map((method) => [method, '*', TARGET] as const),
  ])('is answered 400: %s to the target %j', async (method, target, message) => {
    await expectRefused(request(method, target), 400, message);
  });

  // oxfmt-ignore
  const HOSTS = [
    '[', 'a:99999', '[::1', '[::1]]', '1.2.3.4.5', '%00', 'a b', 'a/b', 'a?b', 'a#b', 'u@h', '\u00e9', ':', 'a\\b',
    'gateway.localhost\r\nhOsT: gateway.localhost',
  ];
  it.each(HOSTS)('is answered 400 on every route because of its Host %j', async (host) => {
    for (const [method, target] of [
      ['GET', QUERY],
      ['POST', '/graphql'],
      ['OPTIONS', '/health/live'],
      ['PROPFIND', '/files/x'],
    ] as const) {
      await expectRefused(request(method, target, host), 400, NAME_A_HOST);
    }
  });

  it.each(['evil.example', 'localhost.evil.example', '1.2.3.4.evil.example:8080'])(
    'is answered 421 in development under the foreign name %s, so that no page elsewhere reaches it by DNS',
    async (host) => {
      await expectRefused(request('GET', QUERY, host), 421, OWN_NAME, {}, [development]);
      expect((await converse(production.url, request('GET', QUERY, host))).statuses).toEqual([200]);
    },
  );

  it.each(['localhost', 'LOCALHOST:1', 'a.localhost', '127.0.0.1', '10.1.2.3:80', '[::1]:80', 'my.example.org:80', ''])(
    'is answered in development under the own name %j',
    async (host) => {
      expect((await converse(development.url, request('GET', QUERY, host))).statuses).toEqual([200]);
    },
  );

  it('is answered 400 on every route because of two Authorization headers', async () => {
    const twice = 'Authorization: Bearer a\r\naUTHorization: Bearer a\r\n';
    for (const [method, target] of [
      ['GET', QUERY],
      ['POST', '/graphql'],
      ['GET', '/health/live'],
    ] as const) {
      await expectRefused(request(method, target, HOST, twice), 400, 'The header Authorization must be given once.');
    }
  });

  it.each(['gzip, chunked', 'deflate\r\nTransfer-Encoding: chunked', 'identity, Chunked'])(
    'is answered 501 on every route because of its Transfer-Encoding %j',
    async (coding) => {
      for (const target of ['/graphql', MOBILES, '/health/live']) {
        const bytes = `${request('POST', target, HOST, `Transfer-Encoding: ${coding}\r\n`)}0\r\n\r\n`;
        await expectRefused(bytes, 501, 'Transfer-Encoding must be chunked.', { connection: 'close' });
      }
    },
  );

  it.each<[what: string, bytes: string, status: number, message?: string, headers?: object]>([
    ...['gzip', 'identity', 'chunked, gzip', 'chunked, chunked', 'chunked;q=1'].map(
      (coding): [string, string, number] => {
        const header = `Transfer-Encoding: ${coding}\r\n`;
        return [header, request('POST', '/graphql', HOST, header), 501];
      },
    ),
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['no HTTP at all', 'HELLO\r\n\r\n', 400],
    ['no Host', 'GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n', 400, NAME_A_HOST],
    ['a NUL in a header', request('GET', '/health/live', HOST, 'x-a: \0\r\n'), 400],
    ['a header line without a colon', request('GET', '/health/live', HOST, 'nonsense\r\n'), 400],
    ['two lengths', `${request('POST', '/graphql', HOST, 'Content-Length: 1\r\nContent-Length: 2\r\n')}ab`, 400],
    ['a length and chunks', request('POST', MOBILES, HOST, 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n'), 400],
    [
      'headers beyond 16 KiB',
      request('GET', '/health/live', HOST, `x-a: ${'x'.repeat(20_000)}\r\n`),
      431,
      'The head of the request is larger than 16 KiB, often because of a token of many roles.',
      { 'access-control-allow-origin': '*', 'content-type': 'application/json; charset=utf-8' },
    ],
    ['an unknown expectation', request('GET', '/health/live', HOST, 'Expect: miracles\r\n'), 417],
    ['a method that is none', request('FOO', '/health/live'), 400],
    ['a method of no route', request('PROPFIND', '/health/live'), 501, NO_METHOD],
    ['TRACE', request('TRACE', '/none'), 501, NO_METHOD],
    ...[
      ...['/health/live', '/health/ready', '/.well-known/jwks.json'].map((to) => ['POST', to, 'HEAD, GET'] as const),
      ...CALLBACK_ROUTES.flatMap((to) => ['GET', 'PUT', 'DELETE', 'PATCH'].map((how) => [how, to, 'POST'] as const)),
    ].map(([method, path, allow]): [string, string, number, string, object] => [
      `${method} ${path}`,
      request(method, path),
      405,
      'Method not allowed.',
      { allow },
    ]),
    // oxfmt-ignore
    ...[
      '/nothing', '/api/v2/Mobile/BulkUpdateCallback', '/api/v1/mobile/none', '/health', '/.well-known/', '/%E0%A4%A',
      '//nothing', '/GraphQL?query={serviceVersion}', '/none', '/health/live/', '/HEALTH/live', '/HEALTH/LIVE/', '/health/ready/',
      '/.well-known/JWKS.json', '/API/V1/Mobile/BulkUpdateCallback', '/api/v1/Mobile/BulkUpdateCallback/', '/graphql/',
    ].map((path): [string, string, number, string] => [`GET ${path}`, request('GET', path), 404, 'Not found.']),
    ['OPTIONS *', request('OPTIONS', '*'), 404, 'Not found.'],
    [
      'a download without a link',
      request('GET', '/files/a.pdf?exp=1&sig=1'),
      403,
      'This download link has expired or is not valid. Ask for a new one.',
    ],
  ])('is refused in few words: %s', async (...[, bytes, status, message, headers]) => {
    await expectRefused(bytes, status, message, headers);
  });

  it.each([
    ['http://[/', 400],
    ['/graphql', 405],
  ])('is refused without a body when it is HEAD %s', async (target, status) => {
    const { statuses, text } = await converse(production.url, request('HEAD', target));
    expect([statuses, text.split('\r\n\r\n')[1]]).toEqual([[status], '']);
  });

  it.each(['gateway.localhost:443', '/health/live'])('opens no tunnel to %s', async (target) => {
    expect((await converse(production.url, request('CONNECT', target))).statuses).toEqual([]);
  });

  it('leaves nothing of a body that breaks off inside a chunk in the log', async () => {
    for (const path of ['/graphql', MOBILES]) {
      const headers = { ...KEY, ...JSON_TYPE, 'transfer-encoding': 'chunked' };
      await sendRaw(production.url, rawRequest(`POST ${path} HTTP/1.1`, headers, 'zz\r\nsecret-bytes-of-a-body'));
      await sendRaw(production.url, rawRequest(`POST ${path} HTTP/1.1`, headers, '5\r\n[{"se'), { halfClose: true });
    }
    expect(production.logged()).not.toMatch(/secret-bytes-of-a-body|rawPacket/);
  });

  it('leaves its connection to the next one once its body has passed', async () => {
    const socket = net.connect(Number(new URL(production.url).port), '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    const head = { 'x-api-key': 'wrong', ...JSON_TYPE, 'content-length': 10_000 };
    socket.write(rawRequest(`POST ${MOBILES} HTTP/1.1`, head, 'x'.repeat(10_000)));
    socket.write(rawRequest('GET /health/live HTTP/1.1', {}));
    await waitFor('both replies', () => received.includes('401 Unauthorized') && received.includes('{"Status":"OK"}'));
    socket.destroy();
  });
});

describe('a request that comes too slowly', () => {
  const impatient = forAllTests(() => startTestGateway({ REQUEST_TIMEOUT_SECONDS: '1' }));

  it('ends with 408 after REQUEST_TIMEOUT_SECONDS, in its headers or in its body', async () => {
    const headers = { ...JSON_TYPE, 'x-api-key': 'development-callback-key', 'content-length': 10 };
    const begun = ['/graphql', MOBILES].map((path) => rawRequest(`POST ${path} HTTP/1.1`, headers, '['));
    const unfinished = ['GET /health/live HTTP/1.1\r\nHost: x.localhost\r\nx-a: ', ...begun];
    const closing = { connection: 'close' };
    await Promise.all(unfinished.map((bytes) => expectRefused(bytes, 408, undefined, closing, [impatient])));
  });
});

describe('a request that is only unusual is taken:', () => {
  it.each<[bytes: string, inProduction: number, inDevelopment?: number]>([
    ...['localhost', '127.0.0.1:8080', '[::1]', '[::1]:443', 'queue_function.localhost:80', 'A.localhost.', ''].map(
      (host): [string, number] => [request('GET', QUERY, host), 200],
    ),
    // Nothing of it is taken for a query string.
    [request('GET', '/graphql', 'x&variables=(.localhost'), 400],
    // As far as this version of Node makes a URL of it.
    [request('GET', QUERY, 'xn--a'), URL.canParse('http://xn--a') ? 200 : 400],
    [request('GET', 'http://other.test/health/live'), 200],
    [request('GET', 'HTTP://other.test:8080/health/live?x=http://[/'), 200],
    [request('GET', `http://other.test${QUERY}`), 200],
    [request('GET', 'http://other.test'), 404, 302],
    [request('GET', 'http://other.test?x'), 404, 302],
    ...['websocket', 'h2c', 'TLS/1.0, HTTP/1.1'].map((protocol): [string, number] => [
      `GET /health/live HTTP/1.1\r\nHost: x.localhost\r\nUpgrade: ${protocol}\r\nConnection: upgrade, close\r\n\r\n`,
      200,
    ]),
  ])('%j', async (bytes, inProduction, inDevelopment = inProduction) => {
    expect((await converse(production.url, bytes)).statuses).toEqual([inProduction]);
    expect((await converse(development.url, bytes)).statuses).toEqual([inDevelopment]);
  });
});

describe('security headers', () => {
  it('are on what succeeds as well, and no cache keeps what belongs to a user', async () => {
    for (const gateway of gateways) {
      const authorization = await gateway.bearer();
      expectNoMore(gateway, await gateway.graphql('{ me { Org } }', {}, authorization));
      expectNoMore(gateway, await gateway.callback(MOBILES, []));
      for (const path of ['/health/live', QUERY]) {
        const reply = await fetch(`${gateway.url}${path}`);
        expectNoMore(gateway, { headers: reply.headers, text: await reply.text() });
      }
    }
  });

  it('let the public key set be kept, and the playground run its own script in no frame', async () => {
    const { headers } = await production.rest('GET', '/.well-known/jwks.json');
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const page = await fetch(`${development.url}/playground`);
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self'; .*frame-ancestors 'none'/);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

const JSON_TYPE = { 'content-type': 'application/json' };
const KEY = { 'x-api-key': PRODUCTION_ENVIRONMENT.TASK_CALLBACK_API_KEY ?? '' };

type Row = readonly [what: string, asked: Asked, message: RegExp];

describe('a GraphQL request that cannot be used', () => {
  /** The whole answer of a request that is not run. */
  const badInput = (message: RegExp): unknown => ({
    errors: expect.arrayContaining([
      expect.objectContaining({
        message: expect.stringMatching(message),
        path: [],
        extensions: expect.objectContaining({ code: 'BadInput', reason: expect.any(String), status: 400, path: [] }),
      }),
    ]),
  });

  /** Fails unless it is refused, with this status, through each of some handlers. */
  async function expectUnused(
    handlers: readonly (keyof typeof HANDLERS)[],
    asked: Asked,
    [status, message]: readonly [number, RegExp],
    headers: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    for (const gateway of gateways) {
      const answers = handlers.map((handler) => HANDLERS[handler](gateway.url, asked, headers));
      for (const answer of await Promise.all(answers)) {
        expectNoMore(gateway, answer);
        expect([answer.status, json(answer)]).toEqual([status, badInput(message)]);
      }
    }
  }

  const MOBILE = 'query($id: ID!) { mobile(id: $id) { id } }';
  const PAGE = 'query($first: Int) { mobiles(first: $first) { totalCount } }';
  const { start: START } = OPERATIONS.mobiles;
  const { start: REPORT } = OPERATIONS.reports;
  const of = (query: string, variables: object = {}): Asked => ({ query, variables });
  const items = (...value: readonly object[]): Asked => of(START, { value });
  const start = (item: string): Asked => of(`mutation { startBulkUpdateMobile(items: [${item}]) { jobId } }`);
  const page = (first: string): Asked => of(`{ mobiles(first: ${first}) { totalCount } }`);
  const many = (count: number): object[] => Array.from({ length: count }, () => ({ id: 1, name: 'x'.repeat(20) }));

  const names = (count: number): string => Array.from({ length: count }, (_, index) => `a${index}`).join(' ');

  const INVALID: readonly Row[] = [
    ['a syntax error', of('{'), /^Syntax Error: Expected Name, found <EOF>\.$/],
    ['an unknown field', of('{ nothing }'), /^Cannot query field "nothing" on type "Query"/],
    ['an unknown argument', of('{ mobile(id: 1, x: 2) { id } }'), /^Unknown argument "x"/],
    ['a missing argument', of('{ mobile { id } }'), /argument "id" of type "ID!" is required/],
    ['no selection of fields', of('{ me }'), /must have a selection of subfields/],
    ['a missing variable', of(MOBILE), /^The input cannot be used: id is required\.$/],
    ['null for what is required', of(MOBILE, { id: null }), /^The input cannot be used: id must not be null\.$/],
    ['a value of the wrong type', of(MOBILE, { id: true }), /: id must be of the type ID/],
    ['a fraction', of(MOBILE, { id: 1.5 }), /: id must be of the type ID/],
    ['a value beyond 32 bits', of(PAGE, { first: 2 ** 31 }), /: first must be an integer from/],
    ['a literal beyond 32 bits', page('2147483648'), /: first must be an integer from/],
    ['an unknown field of an input', items({ id: 1, speed: 3 }), /: items\[0\]\.speed is not known here\.$/],
    ['one in a large body', items(...many(999), { id: 1, nam: 'x' }), /: items\[999\]\.nam is not known here\.$/],
    ['a missing field of an input', items({ num: 'x' }), /: items\[0\]\.id is required\.$/],
    ['a wrong type in an input', items({ id: 1, tagIds: [true] }), /: items\[0\]\.tagIds\[0\] must be of the type ID/],
    ['an undeclared variable', of('{ mobile(id: $id) { id } }'), /^Variable "\$id" is not defined/],
    ['fragments in a circle', of('{ ...A } fragment A on Query { ...A }'), /^Cannot spread fragment "A" within itself/],
    ['an unknown fragment', of('{ ...A }'), /^Unknown fragment "A"\.$/],
    ['a subscription', of('subscription { anything }'), /subscription/],
    ['nothing at all', of('# nothing'), /^Syntax Error/],
    ['many entries in its document', of(`{ tags(a: [${'1 '.repeat(40_000)}]) { id } }`), /^Too many tokens: over/],
    ['a name of another operation', { query: 'query A { me { Org } }', operationName: 'B' }, /no operation with the/],
    ['two operations without a name', of('query A { __typename } query B { me { Org } }'), /has several operations/],
    ['no operation', of('fragment F on AuthUser { Org }'), /^The document has no operation\.$/],
    ['many unknown fields', of(`{ me { ${names(300)} } }`), /^Cannot query field "a0"/],
    ['text for a number', page('"a"'), /: first must be an integer from/],
    ['text for an enum', of('{ jobs(kind: "MOBILES") { totalCount } }'), /: kind must be a value of JobKind\.$/],
    ['an unknown enum value', of('{ jobs(kind: CARS) { totalCount } }'), /: kind must be a value of JobKind\.$/],
    ['null in a literal', of('{ mobile(id: null) { id } }'), /: id must not be null\.$/],
    ['a default of the wrong type', of('query($n: Int = "x") { mobiles(first: $n) { totalCount } }'), /: n must be a/],
    ['an entry of a literal', start('{ id: 2, tagIds: [1, 7.5] }'), /: items\[0\]\.tagIds\[1\] must be of the type ID/],
    ['fields of a literal', start('{ nam: "x" }'), /: items\[0\]\.(id is required|nam is not known here)\.$/],
    ['a long name', of(`{ ${LONG} }`), /^Cannot query field "aaa/],
    ['a long type', of(`{ ... on ${LONG} { x } }`), /^Unknown type "aaa/],
    ['long text where none is expected', of(`{ "${LONG}" }`), /^Syntax Error: Expected Name, found String\.$/],
    ['a long argument', of(`{ mobile(${LONG}: 1) { id } }`), /^Unknown argument "aaa/],
    ['a long literal', page(`"${LONG}"`), /: first must be an integer from/],
    ['a long name of a variable', of(`query($${LONG}: Int) { serviceVersion }`), /^Variable "\$aaa/],
    ['a long name in variables', of(REPORT, { value: { [LONG]: 1 } }), /: input\.date is required, and 2 more\.$/],
    ['a long value in variables', of(REPORT, { value: LONG }), /: input must be of the type object\.$/],
    ['a long value deep in variables', of(REPORT, { value: { date: [LONG], drivers: [] } }), /: input\.date must be/],
    ['long names of a number that is not exact', `{"query":"{ x }","variables":{"${LONG}":9007199254740993}}`, /./],
  ];
  const TYPES = { 'application/json': 200, 'application/graphql-response+json': 400 };
  it.each(INVALID)('because of %s says so through both handlers, for both types', async (_what, asked, message) => {
    for (const [accept, status] of Object.entries(TYPES)) {
      const headers = { authorization: user.bearer, accept };
      await expectUnused(['POST', 'chunked POST'], asked, [status, message], headers);
    }
  });

  /** Names that are nearly right, wherever a name can stand. */
  const TYPOS = [
    '{ serviceVersio }',
    'mutation { userLogn(loginId: "a", password: "b") { otpRequired } }',
    '{ me { Ogr BackendUsr } }',
    '{ me { ...F } } fragment F on AuthUser { Ogr }',
    '{ ... on Query { mobles { edges { cursor } } } }',
    '{ me { ...F } } fragment F on AuthUsr { Org }',
    '{ me { ... on AuthUsr { Org } } }',
    'query($a: Itn) { mobile(id: $a) { id } }',
    REPORT.replace('DrivingReportsInput', 'DrivingReportInput'),
    '{ mobile(idd: 1) { id } }',
    'mutation { userLogin(loginID: "a", pasword: "b") { otpRequired } }',
    '{ me @include(iff: true) { Org } }',
    '{ ...F } fragment F on __Schem { types { name } }',
  ];
  it.each(TYPOS)('suggests a right spelling in development, and none in production: %s', async (query) => {
    const suggested = /did you mean|suggest/i;
    const asked = { query: query.replace(/^mutation/, 'query') };
    for (const handler of ['POST', 'chunked POST', 'GET'] as const) {
      const { text } = await HANDLERS[handler](production.url, handler === 'GET' ? asked : { query });
      expect([text.includes('"errors"'), suggested.test(text)]).toEqual([true, false]);
    }
    expect((await HANDLERS.POST(development.url, { query })).text).toMatch(suggested);
  });

  const LOGIN = 'mutation($p: String!) { userLogin(loginId: "x", password: $p) { otpRequired } }';
  const loginWith = (password: string): Asked => of(LOGIN.replace('$p)', `${password})`).replace('($p: String!)', ''));
  it.each<[what: string, asked: Asked]>([
    ['a literal of the wrong type', loginWith('74207281')],
    ['a list of them', loginWith('["74207281"]')],
    ['an object', loginWith('{ a: "74207281" }')],
    ['an enum value', of('{ jobs(kind: SECRET74207281) { totalCount } }')],
    ['text for an enum', of('{ jobs(kind: "74207281") { totalCount } }')],
    ['text in the wrong place', of('mutation { userLogin("74207281") { otpRequired } }')],
    ['a number in the wrong place', of('mutation { userLogin(74207281) { otpRequired } }')],
    ['a fraction in the wrong place', of('mutation { userLogin(7420.7281) { otpRequired } }')],
    ['a block text in the wrong place', of('mutation { userLogin("""74207281""") { otpRequired } }')],
    ['text that does not end', loginWith('"74207281')],
    ['a number that is none', loginWith('74207281x')],
    ['a literal with a variable in it', of('query($i: ID) { mobiles(tagIds: [74207281, $i]) { totalCount } }')],
    ['a variable of the wrong type', of(LOGIN, { p: 74207281 })],
    ['a variable that is a list', of(LOGIN, { p: ['74207281'] })],
    ['a variable that is an object', of(LOGIN, { p: { password: '74207281' } })],
    ['an input of the wrong type', of(START, { value: [{ id: '74207281', tagIds: ['74207281'], num: 74207281 }] })],
    ['an input that is none', of(START, { value: '74207281' })],
  ])('quotes no value, which may be a password: %s', async (_what, asked) => {
    for (const gateway of gateways) {
      for (const handler of ['POST', 'chunked POST'] as const) {
        const { text } = await HANDLERS[handler](gateway.url, asked, { authorization: user.bearer });
        expect(text).toContain('"code":"BadInput"');
        expect(text).not.toMatch(/7420|7281/);
      }
      expect(gateway.logged()).not.toMatch(/7420\.?7281/);
    }
  });

  const NO_OPERATION: readonly Row[] = [
    ['no JSON', '{', /^The request body is not JSON\.$/],
    ['empty', '', /^The request body is not JSON\.$/],
    ['an array', '[{"query":"{ serviceVersion }"}]', /^Batching is not supported\.$/],
    ['a text', '"x"', /must be a JSON object/],
    ['null', 'null', /must be a JSON object/],
    ['without a query', '{}', /^Must provide query string\.$/],
    ['with a query of another type', '{"query":1}', /Expected "query" param to be a string/],
    ['with variables of another type', '{"query":"{a}","variables":"x"}', /Expected "variables" param/],
    ['with a name of another type', '{"query":"{a}","operationName":1}', /^operationName must be text\.$/],
  ];
  it.each(NO_OPERATION)('because its body is %s is 400 through both handlers', async (_what, asked, message) => {
    await expectUnused(['POST', 'chunked POST'], asked, [400, message]);
  });

  it.each<[search: string, message: RegExp, status?: number]>([
    ['', /Must provide query string/],
    ['&&&==?', /Must provide query string/],
    ['query=', /Must provide query string/],
    ['x=/health', /Must provide query string/],
    ['query=%ff', /percent-encoded UTF-8/],
    ['query=%', /percent-encoded UTF-8/],
    ['query={serviceVersion}&variables=%ED%A0%80', /percent-encoded UTF-8/],
    ['query={serviceVersion}&variables=%C0%AF', /percent-encoded UTF-8/],
    ['query={serviceVersion}&query={me{Org}}', /must be given once: query\.$/],
    ['query={serviceVersion}&variables={}&variables={}', /must be given once: variables\.$/],
    ['query={serviceVersion}&variables={', /must be JSON: variables\.$/],
    ['query={serviceVersion}&variables=1', /variables/],
    ['query={serviceVersion}&variables=[]', /variables/],
    ['query=query($a:String){mobiles(search:$a){totalCount}}&variables={"a":1e999}', /: search must be a small/, 200],
    ['query={serviceVersion}&extensions=[', /must be JSON: extensions\.$/],
    ['query={serviceVersion}&extensions="x"', /extensions/],
    ['query={serviceVersion}&operationName=x', /operation/, 200],
    ['query=mutation{refreshUserToken(refreshToken:"x"){expiresIn}}', /./, 405],
  ])('by GET, with the query string %j', async (search, message, status = 400) => {
    await expectUnused(['GET'], search, [status, message]);
  });

  it('of more bytes than GRAPHQL_MAX_BODY_BYTES is 413 through both handlers', async () => {
    const message = new RegExp(`^The request body is too large. The limit is ${MAX_BODY} bytes \\(GRAPHQL_MAX_BODY`);
    const asked = of('{ serviceVersion }', { x: 'x'.repeat(MAX_BODY) });
    await expectUnused(['POST', 'chunked POST'], asked, [413, message]);
  });

  it.each(['application/x-www-form-urlencoded', 'text/plain', 'application/graphql', '', 'multipart/form-data'])(
    'of the content type %j is 415',
    async (type) => {
      const message = /^Content-Type must be application\/json, without Content-Encoding\.$/;
      await expectUnused(['POST', 'chunked POST'], of('{ serviceVersion }'), [415, message], { 'content-type': type });
    },
  );

  it.each(['application/json ; charset=utf-8', 'Application/JSON'])('may call its JSON %s', async (type) => {
    const reply = await HANDLERS.POST(production.url, '\ufeff{"query":"{ serviceVersion }"}', { 'content-type': type });
    expect([reply.status, json(reply)]).toEqual([200, { data: { serviceVersion: '0.0.0-test' } }]);
  });

  it('has all its errors told, each with its place', async () => {
    const { errors } = await production.graphql('{ anything\n nothing }');
    const error = (name: string, line: number, column: number): object => ({
      message: `Cannot query field "${name}" on type "Query".`,
      locations: [{ line, column }],
    });
    expect(errors).toMatchObject([error('anything', 1, 3), error('nothing', 2, 2)]);
  });

  it('only where it runs costs one field, and the others return their data', async () => {
    const query = 'query($id: ID = 1) { mobile(id: $id) { id } serviceVersion }';
    const { data, errors } = await production.graphql(query, { id: null }, user.bearer);
    expect(data).toEqual({ mobile: null, serviceVersion: '0.0.0-test' });
    const message = 'Argument "id" of non-null type "ID!" must not be null.';
    const extensions = { code: 'BadInput', reason: 'InvalidDocument', status: 400, path: ['mobile'] };
    expect(errors).toMatchObject([{ message, path: ['mobile'], locations: [expect.anything()], extensions }]);
  });
});

/** The answer of a callback: status, message, and the place of what is wrong. */
type Fault = readonly [status: number, message: string | RegExp, at?: unknown];

describe('a callback that cannot be used', () => {
  /** A body that each callback can use. */
  const good = (path: string): string => JSON.stringify(CALLBACKS.find((each) => each.path === path)?.empty);

  /** Fails unless it is refused so, and its job can still be done. */
  async function expectUnused(
    path: string,
    [headers, body]: readonly [Readonly<Record<string, string>>, string | Uint8Array<ArrayBuffer>],
    [status, message, at]: Fault,
  ): Promise<void> {
    const jobId = randomUUID();
    production.sandbox.journal.clear();
    const named = { ...KEY, ...JSON_TYPE, 'x-job-id': jobId, ...headers };
    const reply = await production.rest('POST', path, { headers: named, body });
    expectNoMore(production, reply);
    expect([reply.status, reply.body]).toEqual([
      status,
      {
        message: typeof message === 'string' ? message : expect.stringMatching(message),
        ...(at !== undefined && { errors: [{ path: at, message: expect.any(String) }] }),
      },
    ]);
    const accepted = await production.callback(path, good(path), { 'x-job-id': jobId });
    expect([accepted.status, accepted.headers.get('x-job-replayed')]).toEqual([200, null]);
  }

  const NOT_JSON: Fault = [400, 'The request body is not JSON.', ''];
  const NO_MATCH: Fault = [400, 'The request body does not match the specification.', expect.any(String)];
  const NO_TYPE: Fault = [415, 'Content-Type must be application/json, without Content-Encoding.'];
  const NO_ID: Fault = [400, 'The header x-job-id must be 1 to 128 of the characters A-Z a-z 0-9 . _ : -.', 'x-job-id'];
  const NO_CODE: Fault = [400, /^The header x-org-id must be an organisation code/, 'x-org-id'];
  const UNAUTHORIZED: Fault = [401, 'Unauthorized'];
  const TOO_LARGE = `The request body is too large. The limit is ${MAX_BODY} bytes (CALLBACK_MAX_BODY_BYTES).`;

  const BODIES: readonly (readonly [what: string, body: string | Uint8Array<ArrayBuffer>, problem: Fault])[] = [
    ['is no JSON', 'date=today', NOT_JSON],
    ['is empty', '', NOT_JSON],
    ['is white space', ' \n', NOT_JSON],
    ['has a comma too many', '[1,]', NOT_JSON],
    ['is two JSON texts', '[][]', NOT_JSON],
    ['is no UTF-8', Buffer.from('["\xff"]', 'latin1'), [400, 'The request body is not UTF-8.', '']],
    ['is UTF-16', Buffer.from('[]', 'utf16le'), NOT_JSON],
    ['is a text', '"text"', NO_MATCH],
    ['is null', 'null', NO_MATCH],
    ['is a number', '7', NO_MATCH],
    ['is too large', ' '.repeat(MAX_BODY + 1), [413, TOO_LARGE]],
  ];
  const HEADERS: readonly (readonly [what: string, headers: Readonly<Record<string, string>>, problem: Fault])[] = [
    ...['text/plain', 'application/x-www-form-urlencoded', 'application/vnd.api+json', ''].map(
      (type) => [`content type "${type}"`, { 'content-type': type }, NO_TYPE] as const,
    ),
    ['content encoding', { 'content-encoding': 'gzip' }, NO_TYPE],
    ...['', 'a b', 'a/b', 'j\u00f6b', '\u00ff', 'x'.repeat(129)].map(
      (id) => [`x-job-id ${JSON.stringify(id)}`, { 'x-job-id': id }, NO_ID] as const,
    ),
    ...['', '%zz', '%ff', '%ED%A0%80', 'caf\u00e9', '\u00ff', 'x'.repeat(257), '%E7%B5%84'.repeat(60)].map(
      (org) => [`x-org-id ${JSON.stringify(org)}`, { 'x-org-id': org }, NO_CODE] as const,
    ),
    ...[{}, { 'content-type': 'x/y' }, { 'x-job-id': 'a b' }, { 'x-org-id': '%' }].map((also) => {
      const headers = { 'x-api-key': 'wrong', ...also };
      return [`wrong key, which is looked at first: ${JSON.stringify(headers)}`, headers, UNAUTHORIZED] as const;
    }),
  ];

  describe.each(CALLBACK_ROUTES)('POST %s:', (path) => {
    it.each(BODIES)('its body %s', (_what, body, problem) => expectUnused(path, [{}, body], problem));

    it.each(HEADERS)('its %s', (_what, headers, problem) => expectUnused(path, [headers, good(path)], problem));

    it('its body is a list instead of an object, or the other way round', async () => {
      await expectUnused(path, [{}, good(path).startsWith('[') ? '{}' : '[]'], NO_MATCH);
    });

    it.each(['x-job-id', 'x-org-id'])('two values of %s', async (name) => {
      const twice = { ...KEY, ...JSON_TYPE, 'content-length': 2, [name]: 'one', [name.toUpperCase()]: 'one' };
      const reply = await sendRaw(production.url, rawRequest(`POST ${path} HTTP/1.1`, twice, '[]'));
      const problem = {
        message: `The header ${name} must be given once.`,
        errors: [{ path: name, message: 'must be given once' }],
      };
      expect([reply?.status, JSON.parse(reply?.body ?? '')]).toEqual([400, problem]);
    });

    it.each<[what: string, headers: object, body: string, status: number, message: string]>([
      ['left out', {}, '', 400, 'The request body is not JSON.'],
      ['cut short', { 'content-length': 1_000 }, '[{"id":1', 408, ''],
      [
        'chunked and too large',
        { 'transfer-encoding': 'chunked' },
        `EA60\r\n${' '.repeat(60_000)}\r\n`.repeat(2),
        413,
        TOO_LARGE,
      ],
      ['still to come, and the key wrong', { 'x-api-key': 'wrong', 'content-length': 9 }, '', 401, 'Unauthorized'],
    ])('its body is %s', async (_what, headers, body, status, message) => {
      const text = rawRequest(`POST ${path} HTTP/1.1`, { ...KEY, ...JSON_TYPE, ...headers }, body);
      const reply = await sendRaw(production.url, text, { halfClose: status === 408 });
      // The connection may be gone before the answer to half a request.
      expect(reply?.status ?? status).toBe(status);
      if (message !== '') expect(reply?.body).toContain(message);
      expect(production.sandbox.journal.requests()).toEqual([]);
    });

    it('is none when it is only unusual', async () => {
      const body = good(path);
      const types = ['application/json; charset=utf-8', 'Application/JSON', 'application/json ; charset="UTF-8"'];
      for (const [headers, text] of [
        ...types.map((type) => [{ 'content-type': type }, body] as const),
        [{}, `\ufeff${body}`],
        [{}, body + ' '.repeat(MAX_BODY - body.length)],
        ...['x'.repeat(128), 'A-Z.0_9:-', '.'].map((id) => [{ 'x-job-id': id }, body] as const),
        [{ 'x-else': '\u00ff\u00fe', 'user-agent': '\u00ed\u00a0\u0080' }, body],
      ] as const) {
        const reply = await production.callback(path, text, headers);
        expect(reply.status).toBe(200);
        if ('x-job-id' in headers) expect(reply.headers.get('x-job-id')).toBe(headers['x-job-id']);
      }
    });
  });

  const driver = { mobileId: '1', employeeCode: 'E', employeeName: 'N' };
  it.each([
    [USER_ACCOUNTS, Array(1_001).fill({ type: 2, userAccountInput: { loginId: 'x' } }), 'BULK_MAX_ITEMS'],
    [MOBILES, Array(1_001).fill({ id: 1 }), 'BULK_MAX_ITEMS'],
    [DRIVING_REPORT, { date: '2026-11-19T00:00:00+09:00', drivers: Array(4).fill(driver) }, 'REPORT_MAX_DRIVERS'],
  ])('at %s has too many items, and the limit is named', async (path, body, limit) => {
    const [count, most] = limit === 'BULK_MAX_ITEMS' ? [1_001, 1_000] : [4, 3];
    const message = `Too many items: ${count}. The limit is ${most} (${limit}).`;
    await expectUnused(path, [{}, JSON.stringify(body)], [413, message]);
  });

  it('repeats at most a line of a long name or value', async () => {
    const inexact = `{"${LONG}":9007199254740993}`;
    await expectUnused(MOBILES, [{}, `[{"id":1,"${LONG}":9007199254740993}]`], NO_MATCH);
    await expectUnused(
      USER_ACCOUNTS,
      [{}, `[{"type":2,"userAccountInput":{"loginId":"a","indivs":[${inexact}]}}]`],
      NO_MATCH,
    );
    await expectUnused(DRIVING_REPORT, [{}, `{"date":"${LONG}","drivers":[]}`], NO_MATCH);
  });
});

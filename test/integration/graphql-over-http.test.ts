import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

/** Audits of the GraphQL-over-HTTP specification that the package brings. */
const AUDITS = 61;

describe('GraphQL over HTTP', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  const audits = serverAudits({ url: () => `${gateway.url}/graphql`, fetchFn: fetch });

  it(`has ${AUDITS} audits`, () => {
    expect(audits).toHaveLength(AUDITS);
  });

  it.each(audits.map((audit) => [audit.name, audit] as const))('%s', async (_name, audit) => {
    const result = await audit.fn();
    expect(result).toMatchObject({ status: 'ok' });
  });
});

const JSON_TYPE = 'application/json';
const RESPONSE_TYPE = 'application/graphql-response+json';

/** What a request of GraphQL says. */
interface Operation {
  readonly query: string;
  readonly variables?: object;
}

interface Answer {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly allow: string | undefined;
  readonly body: { readonly data?: unknown; readonly errors?: readonly { readonly message: string }[] };
}

async function exchange(
  url: string,
  method: string,
  headers: OutgoingHttpHeaders,
  body: string | Buffer = '',
): Promise<Answer> {
  const sent = httpRequest(url, { method, headers });
  sent.end(body);
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  const received = await text(reply);
  const { 'content-type': type, allow } = reply.headers;
  return {
    status: reply.statusCode,
    type: type?.split(';')[0],
    allow,
    body: received === '' ? {} : (JSON.parse(received) as Answer['body']), // a test's view
  };
}

/** The ways of an operation into the gateway: the first is short, the others are Yoga's. */
const WAYS: Readonly<
  Record<string, (url: string, operation: Operation, headers: OutgoingHttpHeaders) => Promise<Answer>>
> = {
  'a POST': (url, operation, headers) => {
    const body = JSON.stringify(operation);
    return exchange(
      url,
      'POST',
      { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body), ...headers },
      body,
    );
  },
  'a chunked POST': (url, operation, headers) =>
    exchange(
      url,
      'POST',
      { 'content-type': JSON_TYPE, 'transfer-encoding': 'chunked', ...headers },
      JSON.stringify(operation),
    ),
  'a GET': (url, { query, variables = {} }, headers) => {
    const parameters = new URLSearchParams({ query, variables: JSON.stringify(variables) });
    return exchange(`${url}?${parameters.toString()}`, 'GET', headers);
  },
};

describe.each(Object.entries(WAYS))('%s of GraphQL', (_way, send) => {
  let gateway: TestGateway;
  let bearer: string;
  const ask = (operation: Operation, headers: OutgoingHttpHeaders): Promise<Answer> =>
    send(`${gateway.url}/graphql`, operation, { authorization: bearer, ...headers });

  beforeAll(async () => {
    gateway = await startTestGateway({ REPORT_MAX_DRIVERS: '1000' }, { production: true });
    bearer = await gateway.bearer();
  });
  afterAll(() => gateway.close());

  describe('without data in its reply', () => {
    const MOBILE = 'query($id: Int!) { mobile(id: $id) { id } }';
    const aliases = Array.from({ length: 30 }, (_none, at) => `a${at}: Org`).join(' ');
    const deep = `{ mobile(id: 1) ${'{ tags '.repeat(12)}{ id }${' }'.repeat(13)}`;
    const directives = `{ serviceVersion ${'@include(if: true) '.repeat(60)} }`;

    it.each<[string, Operation]>([
      ['a missing variable', { query: MOBILE }],
      ['a variable of the wrong type', { query: MOBILE, variables: { id: '1' } }],
      ['null for a required variable', { query: MOBILE, variables: { id: null } }],
      [
        'a list that is too long',
        {
          query: 'query($ids: [Int!]) { mobiles(tagIds: $ids) { edges { node { id } } } }',
          variables: { ids: Array.from({ length: 1_001 }, () => 1) },
        },
      ],
      ['a subscription', { query: 'subscription { serviceVersion }' }],
      ['too many aliases', { query: `{ me { ${aliases} } }` }],
      ['too much depth', { query: deep }],
      ['too many directives', { query: directives }],
      ['a syntax error', { query: '{' }],
      ['a field that there is not', { query: '{ nothing }' }],
    ])(`because of %s is 400 as ${RESPONSE_TYPE}, and 200 as ${JSON_TYPE}`, async (_fault, operation) => {
      const extensions: unknown = expect.objectContaining({ code: 'BadInput', status: 400, path: [] });
      const shown = { errors: [expect.objectContaining({ extensions })] };
      const strict = await ask(operation, { accept: RESPONSE_TYPE });
      expect(strict).toMatchObject({ status: 400, type: RESPONSE_TYPE, body: shown });
      const lenient = await ask(operation, { accept: JSON_TYPE });
      expect(lenient).toEqual({ ...strict, status: 200, type: JSON_TYPE });
    });
  });

  it(`is 503 as ${RESPONSE_TYPE} when it takes too long, and 200 as ${JSON_TYPE}`, async () => {
    const hurried = await startTestGateway(
      { REQUEST_TIMEOUT_SECONDS: '1' },
      { production: true, sandbox: gateway.sandbox },
    );
    const held = gateway.sandbox.faults.hold({ operation: 'listTags' });
    try {
      const tooLong = (accept: string): Promise<Answer> =>
        send(`${hurried.url}/graphql`, { query: '{ tags { id } }' }, { authorization: bearer, accept });
      const [strict, lenient] = await Promise.all([tooLong(RESPONSE_TYPE), tooLong(JSON_TYPE)]);
      expect(strict).toMatchObject({ status: 503, type: RESPONSE_TYPE });
      expect(strict.body.errors).toMatchObject([{ message: expect.stringContaining('longer than 1 s'), path: [] }]);
      expect(lenient).toEqual({ ...strict, status: 200, type: JSON_TYPE });
    } finally {
      held.release();
      await hurried.close();
    }
  });

  it.each([RESPONSE_TYPE, JSON_TYPE])('with data, if only null, is 200 as %s', async (accept) => {
    const { status, body } = await ask({ query: '{ mobile(id: 999999) { id } serviceVersion }' }, { accept });
    expect([status, body.data, body.errors?.length]).toEqual([200, { mobile: null, serviceVersion: '0.0.0-test' }, 1]);
  });

  it.each<[string | string[], string]>([
    [`${JSON_TYPE};q=0.1, ${RESPONSE_TYPE}`, RESPONSE_TYPE],
    [`${RESPONSE_TYPE};q=0.1, ${JSON_TYPE};q=0.2`, JSON_TYPE],
    [`${RESPONSE_TYPE};q=0, ${JSON_TYPE};q=0.2`, JSON_TYPE],
    [`${JSON_TYPE};q=0, */*`, RESPONSE_TYPE],
    [`${RESPONSE_TYPE}, ${JSON_TYPE}`, RESPONSE_TYPE],
    [`${JSON_TYPE}, ${RESPONSE_TYPE}`, JSON_TYPE],
    [`${RESPONSE_TYPE};charset="utf-8"`, RESPONSE_TYPE],
    [`${JSON_TYPE};charset="UTF-8"`, JSON_TYPE],
    ['text/html, */*;q=0.1', JSON_TYPE],
    ['application/*', JSON_TYPE],
    ['', JSON_TYPE],
    [['text/html', RESPONSE_TYPE], RESPONSE_TYPE],
  ])('that accepts %j is answered with %s', async (accept, type) => {
    const answer = await ask({ query: '{ serviceVersion }' }, { accept });
    expect(answer).toMatchObject({ status: 200, type, body: { data: { serviceVersion: '0.0.0-test' } } });
  });

  it.each([
    `${JSON_TYPE};q=0`,
    '*/*;q=0',
    `*/*;q=0, ${JSON_TYPE};q=0.0, ${RESPONSE_TYPE};q=0.000`,
    'application/*;q=0, text/html',
    `${JSON_TYPE};charset="utf-16"`,
    `text/html;title="${JSON_TYPE}"`,
  ])('that accepts %j is 406', async (accept) => {
    const { status, body } = await ask({ query: '{ serviceVersion }' }, { accept });
    expect([status, body]).toEqual([406, { errors: [expect.objectContaining({ path: [] })] }]);
  });

  it.each(['gzip', 'br', 'GZIP', 'identity, gzip', 'x-anything'])('encoded as %s is 415', async (encoding) => {
    const { status, body } = await ask({ query: '{ serviceVersion }' }, { 'content-encoding': encoding });
    const message = 'Content-Type must be application/json, without Content-Encoding.';
    expect([status, body]).toEqual([
      415,
      {
        errors: [
          { message, path: [], extensions: { code: 'BadInput', reason: 'NotJsonContent', status: 400, path: [] } },
        ],
      },
    ]);
  });

  it.each(['identity', 'Identity', 'identity, identity'])('encoded as %s is answered', async (encoding) => {
    const { status } = await ask({ query: '{ serviceVersion }' }, { 'content-encoding': encoding });
    expect(status).toBe(200);
  });
});

describe('GraphQL', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  it('refuses a compressed body before it reads any of it as text', async () => {
    const body = gzipSync('{"query":"{ serviceVersion }"}');
    const headers = { 'content-type': JSON_TYPE, 'content-encoding': 'gzip', 'content-length': body.length };
    const { status, body: shown } = await exchange(`${gateway.url}/graphql`, 'POST', headers, body);
    expect([status, shown.errors?.[0]?.message]).toEqual([
      415,
      'Content-Type must be application/json, without Content-Encoding.',
    ]);
  });

  it.each(
    ['PUT', 'DELETE', 'PATCH', 'HEAD'].flatMap((method) =>
      ['*/*', JSON_TYPE, RESPONSE_TYPE, 'text/html', 'text/event-stream', `${JSON_TYPE};q=0`, '*/*;q=0'].map(
        (accept) => [method, accept] as const,
      ),
    ),
  )('says to %s, with %s accepted, which methods it has', async (method, accept) => {
    const answer = await exchange(`${gateway.url}/graphql`, method, { accept });
    const type = accept === RESPONSE_TYPE ? RESPONSE_TYPE : JSON_TYPE;
    expect(answer).toMatchObject({ status: 405, allow: 'GET, POST', type });
  });
});

import { describe, expect, it } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import type { OutgoingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import { startTestGateway } from '../support/gateway.js';
import { HANDLERS, send, type Asked, type HandlerAnswer } from '../support/graphql-handlers.js';
import { forAllTests } from '../support/resources.js';

/** Audits of the GraphQL-over-HTTP specification that the package brings. */
const AUDITS = 61;

describe('GraphQL over HTTP', () => {
  const gateway = forAllTests(() => startTestGateway());

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

interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: { readonly data?: unknown; readonly errors?: readonly { readonly message: string }[] };
}

function read({ status, headers, text }: HandlerAnswer): Answer {
  const type = headers.get('content-type')?.split(';')[0];
  return { status, type, body: JSON.parse(text) as Answer['body'] }; // a test's view
}

describe.each(Object.entries(HANDLERS))('A %s of GraphQL', (_door, enter) => {
  const gateway = forAllTests(() => startTestGateway({}, { production: true }));
  const ask = async (asked: Asked, headers: OutgoingHttpHeaders, at = gateway): Promise<Answer> =>
    read(await enter(at.url, asked, { authorization: await gateway.bearer(), ...headers }));

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
    [`text/event-stream, ${JSON_TYPE}`, JSON_TYPE],
    ['text/event-stream, */*', JSON_TYPE],
    [`multipart/mixed, ${JSON_TYPE};q=0.1`, JSON_TYPE],
    [`multipart/mixed; boundary="-", text/event-stream, ${RESPONSE_TYPE}`, RESPONSE_TYPE],
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
    'image/png',
    'text/event-stream, image/*',
    'multipart/mixed; deferSpec=20220824',
  ])('that accepts %j is 406, and nothing is run', async (accept) => {
    gateway.sandbox.journal.clear();
    const { status, body } = await ask({ query: '{ tags { id } }' }, { accept });
    const message = expect.stringMatching(/^Accept must allow/);
    expect([status, body]).toEqual([406, { errors: [expect.objectContaining({ message, path: [] })] }]);
    expect(gateway.sandbox.journal.requests({ operation: 'listTags' })).toEqual([]);
  });

  it.each(['gzip', 'br', 'GZIP', 'identity, gzip', 'x-anything'])('encoded as %s is 415', async (encoding) => {
    for (const accept of [JSON_TYPE, RESPONSE_TYPE]) {
      const { type } = await ask({ query: '{ serviceVersion }' }, { 'content-encoding': encoding, accept });
      expect(type).toBe(accept);
    }
    const { status, body } = await ask({ query: '{ serviceVersion }' }, { 'content-encoding': encoding });
    const message = 'Content-Type must be application/json, without Content-Encoding.';
    const extensions = { code: 'BadInput', reason: 'NotJsonContent', values: {}, status: 400, path: [] };
    expect([status, body]).toEqual([415, { errors: [{ message, path: [], extensions }] }]);
  });

  it.each(['identity', 'Identity', 'identity, identity'])('encoded as %s is answered', async (encoding) => {
    const { status } = await ask({ query: '{ serviceVersion }' }, { 'content-encoding': encoding });
    expect(status).toBe(200);
  });
});

describe('GraphQL', () => {
  const gateway = forAllTests(() => startTestGateway());

  it('refuses a compressed body before it reads any of it as text', async () => {
    const body = gzipSync('{"query":"{ serviceVersion }"}');
    const headers = { 'content-type': JSON_TYPE, 'content-encoding': 'gzip', 'content-length': body.length };
    const { status, body: shown } = read(await send(`${gateway.url}/graphql`, 'POST', headers, body));
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
    const { status, headers } = await send(`${gateway.url}/graphql`, method, { accept });
    const type = accept === RESPONSE_TYPE ? RESPONSE_TYPE : JSON_TYPE;
    const shown = [status, headers.get('allow'), headers.get('content-type')?.split(';')[0]];
    expect(shown).toEqual([405, 'GET, POST', type]);
  });
});

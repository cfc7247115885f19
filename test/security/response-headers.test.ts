/** What every answer tells browsers and caches, whoever gives it: a route, the router, or Node itself. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CALLBACK_ROUTES } from '../support/callbacks.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { MOBILES } from '../support/job-requests.js';
import { converse } from '../support/raw-conversation.js';

const POLICY = "default-src 'none';frame-ancestors 'none'";
const HSTS = 'max-age=31536000';

let production: TestGateway;
let development: TestGateway;
beforeAll(async () => {
  production = await startTestGateway({ REQUEST_TIMEOUT_SECONDS: '1' }, { production: true });
  development = await startTestGateway();
});
afterAll(async () => {
  await production.close();
  await development.close();
});

/** The security headers of a reply as it came over the wire, and what caches may do with it. */
async function headersOf(
  gateway: TestGateway,
  bytes: string,
): Promise<{ status: number | undefined; headers: Record<string, string> }> {
  const { statuses, text } = await converse(gateway.url, bytes);
  const [, ...lines] = (text.split('\r\n\r\n')[0] ?? '').split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (name in headers) throw new Error(`${name} is there twice.`);
    headers[name] = line.slice(colon + 1).trim();
  }
  return { status: statuses.at(-1), headers };
}

function expectProtected(headers: Record<string, string>): void {
  expect(headers).toMatchObject({
    'content-security-policy': POLICY,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
}

function request(method: string, target: string, more = '', body = ''): string {
  return `${method} ${target} HTTP/1.1\r\nHost: x\r\n${more}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
}

const JSON_BODY = 'Content-Type: application/json\r\n';
const query = (text: string): string => JSON.stringify({ query: text });

/** An answer of every kind: by whom, the bytes that lead to it, and its status. */
const ANSWERS: readonly (readonly [what: string, bytes: string, status: number])[] = [
  ['GraphQL', request('POST', '/graphql', JSON_BODY, query('{ serviceVersion }')), 200],
  ['a refused operation', request('POST', '/graphql', JSON_BODY, query('{ nothing }')), 200],
  ['GraphQL by GET', request('GET', '/graphql?query={serviceVersion}'), 200],
  ['GraphQL that accepts no JSON', request('GET', '/graphql?query={serviceVersion}', 'Accept: image/png\r\n'), 406],
  ['a form', request('POST', '/graphql', 'Content-Type: text/plain\r\n', 'x'), 415],
  ['a method GraphQL does not have', request('PUT', '/graphql'), 405],
  ['readiness', request('GET', '/health/ready'), 200],
  ['liveness', request('GET', '/health/live'), 200],
  ['a download without a link', request('GET', '/files/a.pdf?exp=1&sig=1'), 403],
  ['no route', request('GET', '/none'), 404],
  ['a method nobody knows', request('PROPFIND', '/health/live'), 501],
  ['a target that is none', request('GET', '//a@[/#'), 400],
  ...CALLBACK_ROUTES.map((route) => [`${route} without a key`, request('POST', route, JSON_BODY, '[]'), 401] as const),
];

/** What Node's own parser refuses before any route sees it. */
const UNPARSABLE: readonly (readonly [what: string, bytes: string, status: number])[] = [
  ['no HTTP', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['no Host', 'GET /health/live HTTP/1.1\r\n\r\n', 400],
  ['a NUL in a header', 'GET /health/live HTTP/1.1\r\nHost: x\r\nx-a: \0\r\n\r\n', 400],
  ['a method that is none', 'FOO /health/live HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['headers too large', request('GET', '/health/live', `x-a: ${'x'.repeat(20_000)}\r\n`), 431],
  ['an expectation nobody knows', request('GET', '/health/live', 'Expect: miracles\r\n'), 417],
  ['a request that never ends', 'GET /health/live HTTP/1.1\r\nHost: x\r\nx-a: ', 408],
];

describe('every answer has the security headers', () => {
  it.each(ANSWERS)('%s', async (_what, bytes, status) => {
    for (const gateway of [production, development]) {
      const reply = await headersOf(gateway, bytes);
      expect(reply.status).toBe(status);
      expectProtected(reply.headers);
      expect(reply.headers['cache-control']).toMatch(/\bno-store$/);
      expect(reply.headers['strict-transport-security']).toBe(gateway === production ? HSTS : undefined);
    }
  });

  it.each(UNPARSABLE)('that Node itself gives to %s', async (_what, bytes, status) => {
    const reply = await headersOf(production, bytes);
    expect(reply.status).toBe(status);
    expectProtected(reply.headers);
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'strict-transport-security': HSTS });
    expect(reply.headers['connection']).toBe('close');
  });

  it('that belongs to a user, and no cache keeps it', async () => {
    const authorization = await production.bearer();
    const reply = await production.graphql('{ me { Org } }', {}, authorization);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const callback = await production.callback(MOBILES, []);
    expect([callback.status, callback.headers.get('cache-control')]).toEqual([200, 'no-store']);
  });

  it('but the public key set may be kept', async () => {
    const { headers } = await production.rest('GET', '/.well-known/jwks.json');
    expectProtected(Object.fromEntries(headers));
    expect(headers.get('cache-control')).toBe('public, max-age=300');
  });

  it('and the playground, whose own policy lets its script run and nobody frame it', async () => {
    const { headers } = await fetch(`${development.url}/playground`);
    expect(headers.get('content-security-policy')).toMatch(/script-src 'sha256-.*frame-ancestors 'none'/);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

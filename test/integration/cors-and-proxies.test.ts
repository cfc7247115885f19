/** Where the gateway stands: behind proxies, under a base path, called by browsers of other origins. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { entriesOf } from '../support/captured-log.js';
import { postJson, startTestGateway } from '../support/gateway.js';
import { MOBILES, reportOf } from '../support/job-requests.js';
import { closeAfterTest, forAllTests } from '../support/resources.js';
import { startJob, finishedJob } from '../support/started-jobs.js';

const APP = 'https://app.example.com';
const EXPOSED = 'X-Request-Id,Retry-After,Content-Disposition';
const CORS_HEADERS = [
  'access-control-allow-origin',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-max-age',
  'access-control-expose-headers',
  'access-control-allow-credentials',
];

describe('a browser', () => {
  const gateway = forAllTests(() => startTestGateway({ CORS_ORIGINS: `${APP}, http://localhost:3000` }));

  async function post(origin: string, body = '{"query":"{ serviceVersion }"}'): Promise<Response> {
    return postJson(`${gateway.url}/graphql`, body, { origin });
  }

  async function preflight(origin: string, path = '/graphql'): Promise<Response> {
    return fetch(`${gateway.url}${path}`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });
  }

  function corsOf({ headers }: Response): Record<string, string> {
    const present = CORS_HEADERS.flatMap((name): [string, string][] => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    return Object.fromEntries(present);
  }

  it.each([APP, 'http://localhost:3000'])('of the origin %s may call', async (origin) => {
    const reply = await post(origin);
    expect([reply.status, corsOf(reply), reply.headers.get('vary')]).toEqual([
      200,
      { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED },
      'Origin',
    ]);
    expect(await reply.json()).toEqual({ data: { serviceVersion: '0.0.0-test' } });
  });

  it('of such an origin may see why it was refused', async () => {
    const reply = await post(APP, '{');
    expect([reply.status, corsOf(reply)]).toEqual([
      400,
      { 'access-control-allow-origin': APP, 'access-control-expose-headers': EXPOSED },
    ]);
  });

  it('of such an origin may download, and see why it may not', async () => {
    const reply = await fetch(`${gateway.url}/files/none?exp=1&sig=1`, { headers: { origin: APP } });
    expect([reply.status, corsOf(reply)]).toEqual([
      403,
      { 'access-control-allow-origin': APP, 'access-control-expose-headers': EXPOSED },
    ]);
    expect(corsOf(await preflight(APP, '/files/none'))).toMatchObject({
      'access-control-allow-origin': APP,
      'access-control-allow-methods': 'GET',
    });
  });

  it('of such an origin learns beforehand that it may send a token', async () => {
    const reply = await preflight(APP);
    expect([reply.status, await reply.text(), corsOf(reply)]).toEqual([
      204,
      '',
      {
        'access-control-allow-origin': APP,
        'access-control-allow-methods': 'GET,POST',
        'access-control-allow-headers': 'authorization,content-type',
        'access-control-max-age': '600',
      },
    ]);
  });

  it.each([
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'https://app.example.com:444',
    'https://evil.example',
    'null',
    'HTTPS://APP.EXAMPLE.COM',
  ])('of the origin %s gets no permission', async (origin) => {
    expect(corsOf(await post(origin))).toEqual({});
    expect(corsOf(await preflight(origin))).toEqual({});
  });

  it('of such an origin is in the log once, with the variable that would list it', async () => {
    const origin = 'https://forgotten.example';
    for (let time = 1; time <= 3; time += 1) await preflight(origin);
    await post(origin);
    await preflight(APP);
    const refused = entriesOf(gateway.logged(), 'cors.origin_refused').filter((entry) => entry['origin'] === origin);
    expect(refused).toMatchObject([{ level: 'warn', variable: 'CORS_ORIGINS', requestId: expect.any(String) }]);
    expect(gateway.logged()).not.toContain(`"origin":"${APP}"`);
  });

  it('of such an origin may read that it asks at a wrong path', async () => {
    expect(corsOf(await preflight(APP, '/wrong/graphql'))).toMatchObject({ 'access-control-allow-origin': APP });
    const reply = await fetch(`${gateway.url}/wrong/graphql`, { method: 'POST', headers: { origin: APP } });
    expect([reply.status, corsOf(reply)['access-control-allow-origin']]).toEqual([404, APP]);
    expect(await reply.json()).toEqual({ message: 'Not found.' });
    expect(corsOf(await preflight('https://evil.example', '/wrong/graphql'))).toEqual({});
  });

  it('may call nothing but GraphQL, downloads and the key set', async () => {
    for (const path of [MOBILES, '/health/live', '/playground']) {
      expect(corsOf(await preflight(APP, path))).toEqual({});
      expect(corsOf(await fetch(`${gateway.url}${path}`, { headers: { origin: APP } }))).toEqual({});
    }
    expect(
      corsOf(await fetch(`${gateway.url}/.well-known/jwks.json`, { headers: { origin: 'https://anywhere.example' } })),
    ).toEqual({ 'access-control-allow-origin': '*' });
  });
});

it('a connection is kept for KEEP_ALIVE_SECONDS, which a client is told', async () => {
  const gateway = closeAfterTest(await startTestGateway({ KEEP_ALIVE_SECONDS: '601' }));
  const { headers } = await fetch(`${gateway.url}/health/live`);
  expect([headers.get('connection'), headers.get('keep-alive')]).toEqual(['keep-alive', 'timeout=601']);
});

describe('without CORS_ORIGINS', () => {
  async function allowed(production: boolean, origins: readonly string[]): Promise<readonly (string | null)[]> {
    const gateway = closeAfterTest(await startTestGateway({}, { production }));
    const replies = origins.flatMap((origin) => [
      fetch(`${gateway.url}/graphql?query={serviceVersion}`, {
        headers: { origin, 'content-type': 'application/json' },
      }),
      fetch(`${gateway.url}/files/none?exp=1&sig=1`, { headers: { origin } }),
    ]);
    return (await Promise.all(replies)).map(({ headers }) => headers.get('access-control-allow-origin'));
  }

  const LOOPBACK = ['http://localhost:5173', 'http://127.0.0.1:8080', 'https://[::1]', 'http://app.localhost'];

  it('no origin may call in production', async () => {
    expect(await allowed(true, LOOPBACK)).toEqual(LOOPBACK.flatMap(() => [null, null]));
  });

  it('the log names no more than a hundred such origins in a minute, however many a client invents', async () => {
    const gateway = closeAfterTest(await startTestGateway({}, { production: true }));
    for (let number = 1; number <= 120; number += 1) {
      const headers = { origin: `https://${number}.example`, 'access-control-request-method': 'POST' };
      await fetch(`${gateway.url}/graphql`, { method: 'OPTIONS', headers });
    }
    expect(gateway.logged().split('cors.origin_refused')).toHaveLength(101);
  });

  it('every origin of this machine may call in development, and no other', async () => {
    const others = ['http://localhost.evil.example', 'http://127.0.0.1.evil.example', 'http://10.0.0.1', 'null'];
    expect(await allowed(false, [...LOOPBACK, ...others])).toEqual([
      ...LOOPBACK.flatMap((origin) => [origin, origin]),
      ...others.flatMap(() => [null, null]),
    ]);
  });
});

describe.each([
  ['0', '192.0.2.1', '192.0.2.2', true, 'is not believed without trusted proxies'],
  ['1', '198.51.100.1, 192.0.2.4', '198.51.100.2, 192.0.2.4', true, 'is not believed beyond them'],
  ['1', '192.0.2.5', '192.0.2.5, 192.0.2.6', false, 'counts from its end'],
  ['1', undefined, undefined, true, 'may be absent'],
  ['2', '192.0.2.1, 10.0.0.1', '192.0.2.2, 10.0.0.1', false, 'has one entry per proxy'],
  ['2', 'spoofed, 192.0.2.3, 10.0.0.1', 'other, 192.0.2.3, 10.0.0.1', true, 'is cut to one entry per proxy'],
] as const)('X-Forwarded-For with TRUSTED_PROXIES=%s: %j then %j', (trustedProxies, first, second, same, what) => {
  it(`names the same client: ${same}; it ${what}`, async () => {
    const limits = { TRUSTED_PROXIES: trustedProxies, LOGIN_RATE_PER_MINUTE: '1' };
    const gateway = closeAfterTest(await startTestGateway(limits));
    const codes: unknown[] = [];
    for (const forwarded of [first, second]) {
      const query = 'mutation { userLogin(loginId: "demo", password: "wrong") { otpRequired } }';
      const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
      const reply = await postJson(`${gateway.url}/graphql`, { query }, headers);
      const { errors } = (await reply.json()) as { errors: { extensions: { code: string } }[] }; // a test's view
      codes.push(errors[0]?.extensions.code);
    }
    expect(codes).toEqual(['InvalidCredentials', same ? 'TooManyRequests' : 'InvalidCredentials']);
  });
});

it('A proxy that is not trusted is told once, with the variable, when most requests came through it', async () => {
  const gateway = closeAfterTest(await startTestGateway({ TRUSTED_PROXIES: '0' }));
  const ask = (count: number, headers: Record<string, string>): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, () => fetch(`${gateway.url}/health/live`, { headers })));
  const told = (): readonly object[] => entriesOf(gateway.logged(), 'config.doubtful');
  await ask(60, {});
  await ask(60, { 'x-forwarded-for': '192.0.2.1' });
  expect(told()).toEqual([]);
  await ask(150, { 'x-forwarded-for': '192.0.2.1' });
  expect(told()).toMatchObject([{ reason: expect.stringMatching(/X-Forwarded-For, but TRUSTED_PROXIES is 0/) }]);
});

describe('BASE_PATH', () => {
  const BASE = '/tenant-1/gateway.v1';
  const gateway = forAllTests(() => startTestGateway({ BASE_PATH: `${BASE}/` }));
  let origin: string;
  beforeAll(() => {
    origin = new URL(gateway.url).origin;
  });

  const ROUTES: readonly (readonly [string, string, number])[] = [
    ['GET', '/graphql?query={serviceVersion}', 200],
    ['GET', '/playground', 200],
    ['GET', '/.well-known/jwks.json', 200],
    ['GET', '/health/live', 200],
    ['GET', '/health/ready', 200],
    ['GET', '/files/none?exp=1&sig=1', 403],
    ['POST', MOBILES, 401],
  ];

  it.each(ROUTES)('stands in front of %s %s', async (method, path, status) => {
    expect(gateway.url).toBe(`${origin}${BASE}`);
    expect((await fetch(`${origin}${BASE}${path}`, { method })).status).toBe(status);
    for (const elsewhere of [path, `/other${path}`, `${BASE}x${path}`, `${BASE}${BASE}${path}`]) {
      expect((await fetch(`${origin}${elsewhere}`, { method })).status).toBe(404);
    }
  });
});

describe('a download link', () => {
  it.each([
    [
      'begins with PUBLIC_URL',
      { PUBLIC_URL: 'https://fleet.example.com/api/' },
      'https://fleet.example.com/api/files/',
    ],
    ['is relative to the root of the origin when production knows no better', { BASE_PATH: '/api' }, '/api/files/'],
  ])('%s', async (_title, environment, start) => {
    const gateway = closeAfterTest(await startTestGateway(environment, { production: true }));
    const { jobId } = await startJob(gateway, 'reports', reportOf(1));
    const { downloadUrl } = await finishedJob(gateway, 'reports', jobId);
    expect(downloadUrl?.slice(0, start.length)).toBe(start);
    const { pathname, search } = new URL(downloadUrl ?? '', gateway.url);
    expect((await gateway.rest('GET', `${pathname.replace(/^\/api/, '')}${search}`)).status).toBe(200);
  });
});

describe('GET /files/{key}', () => {
  const gateway = forAllTests(startTestGateway);
  let link: URL;
  beforeAll(async () => {
    const { jobId } = await startJob(gateway, 'reports', reportOf(1));
    const { downloadUrl } = await finishedJob(gateway, 'reports', jobId);
    link = new URL(downloadUrl ?? '', gateway.url);
  });

  it.each(['exp', 'sig'])(
    'shows people whose %s is refused a page, which repeats nothing and is not kept',
    async (part) => {
      const url = new URL(link);
      url.searchParams.set(part, '<script>1');
      const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
      const reply = await fetch(url, { headers: { accept: browser } });
      const text = await reply.text();
      expect(reply.status).toBe(403);
      expect(text).toContain('<p>This download link has expired or is not valid. Ask for a new one.</p>');
      expect(text).not.toContain('script');
      expect(text).not.toContain(url.pathname);
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-[^']+';/),
        'x-content-type-options': 'nosniff',
        vary: expect.stringContaining('Accept-Language'),
      });
      for (const [asked, language, word] of [
        ['ja-JP,ja;q=0.9,en;q=0.8', 'ja', 'このリンクは使えません'],
        ['fr', 'en', 'This link does not work'],
        ['en-GB, ja;q=0.5', 'en', 'This link does not work'],
      ] as const) {
        const page = await (await fetch(url, { headers: { accept: browser, 'accept-language': asked } })).text();
        expect(page).toContain(`<html lang="${language}">`);
        expect(page).toContain(`<h1>${word}</h1>`);
      }
      const other = await fetch(url, { headers: { accept: '*/*' } });
      expect(await other.json()).toEqual({
        message: 'This download link has expired or is not valid. Ask for a new one.',
      });
    },
  );

  it('is not reached with the API key of the callbacks instead of a signature', async () => {
    const reply = await gateway.rest('GET', link.pathname, { headers: { 'x-api-key': 'development-callback-key' } });
    expect(reply.status).toBe(403);
  });
});

/** What the REST side answers to requests that cannot be used: the documented shape, nothing run, nothing stored. */
import { randomUUID } from 'node:crypto';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CALLBACK_ROUTES, CALLBACKS } from '../support/callbacks.js';
import { startTestGateway, type Reply, type TestGateway } from '../support/gateway.js';
import { DRIVING_REPORT, MOBILES, USER_ACCOUNTS } from '../support/job-requests.js';
import { rawRequest, sendRaw } from '../support/raw-http.js';
import { waitFor } from '../support/wait-for.js';

const KEY = { 'x-api-key': 'development-callback-key' };
const JSON_TYPE = { 'content-type': 'application/json' };
const DATE = '2026-11-19T00:00:00+09:00';

/** A body that each callback can use. */
const GOOD = new Map(CALLBACKS.map(({ path, empty }) => [path, empty]));

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ CALLBACK_MAX_BODY_BYTES: '100000', REPORT_MAX_DRIVERS: '3' });
});
afterAll(() => gateway.close());

/**
 * Sends something that must be refused and fails unless nothing was run or stored for it: no backend was called,
 * and the job id is still free for a body that can be used.
 */
async function refused(path: string, send: (jobId: string) => Promise<Reply>): Promise<Reply> {
  const jobId = randomUUID();
  const before = gateway.sandbox.journal.requests().length;
  const reply = await send(jobId);
  expect(gateway.sandbox.journal.requests()).toHaveLength(before);
  expectNoInsides(reply.text);
  const accepted = await gateway.callback(path, GOOD.get(path), { 'x-job-id': jobId });
  expect([accepted.status, accepted.headers.get('x-job-replayed')]).toEqual([200, null]);
  return reply;
}

function expectNoInsides(text: string): void {
  expect(text).not.toMatch(/ at |node_modules|\.[jt]s:|SyntaxError|TypeError|unexpected token/i);
}

async function post(
  path: string,
  headers: Record<string, string>,
  body?: string | Uint8Array<ArrayBuffer>,
): Promise<Reply> {
  return gateway.rest('POST', path, { headers: { ...KEY, ...headers }, ...(body !== undefined && { body }) });
}

describe.each(CALLBACK_ROUTES)('POST %s', (path) => {
  it.each([
    ['no JSON', 'date=today', 'The request body is not JSON.'],
    ['empty', '', 'The request body is not JSON.'],
    ['white space', ' \n', 'The request body is not JSON.'],
    ['JSON with a comma too many', '[1,]', 'The request body is not JSON.'],
    ['two JSON texts', '[][]', 'The request body is not JSON.'],
    ['invalid UTF-8', Buffer.from('["\xff"]', 'latin1'), 'The request body is not UTF-8.'],
    ['UTF-16', Buffer.from('[]', 'utf16le'), 'The request body is not JSON.'],
  ])('answers 400 to a body that is %s', async (_fault, body, message) => {
    const reply = await refused(path, (jobId) => post(path, { ...JSON_TYPE, 'x-job-id': jobId }, Buffer.from(body)));
    expect([reply.status, reply.body]).toEqual([400, { message, errors: [{ path: '', message: 'must be JSON' }] }]);
  });

  it.each([
    ['of another type', '"text"'],
    ['null', 'null'],
    ['a number', '7'],
    Array.isArray(GOOD.get(path)) ? ['an object', '{}'] : ['an array', '[]'],
  ])('answers 400 to JSON that is %s, and names what is wrong', async (_fault, body) => {
    const reply = await refused(path, (jobId) => post(path, { ...JSON_TYPE, 'x-job-id': jobId }, body));
    expect([reply.status, reply.body]).toEqual([
      400,
      { message: 'The request body does not match the specification.', errors: [expect.anything()] },
    ]);
  });

  it.each([
    ['text/plain', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another JSON type', { 'content-type': 'application/vnd.api+json' }],
    ['none', { 'content-type': '' }],
    ['JSON, but compressed', { ...JSON_TYPE, 'content-encoding': 'gzip' }],
  ])('answers 415 to a content type that is %s', async (_type, headers) => {
    const body = JSON.stringify(GOOD.get(path));
    const reply = await refused(path, (jobId) => post(path, { ...headers, 'x-job-id': jobId }, body));
    expect([reply.status, reply.body]).toEqual([
      415,
      { message: 'Content-Type must be application/json, without Content-Encoding.' },
    ]);
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json ; charset="UTF-8"'])(
    'takes the content type %s',
    async (type) => {
      const reply = await post(path, { 'content-type': type }, JSON.stringify(GOOD.get(path)));
      expect(reply.status).toBe(200);
    },
  );

  it('takes a body with a byte order mark', async () => {
    expect((await post(path, JSON_TYPE, `\uFEFF${JSON.stringify(GOOD.get(path))}`)).status).toBe(200);
  });

  it('answers 400, not 415, to a request without any body', async () => {
    const reply = await sendRaw(gateway.url, rawRequest(`POST ${path} HTTP/1.1`, { ...KEY, ...JSON_TYPE }));
    expect([reply?.status, reply?.body]).toEqual([400, expect.stringContaining('The request body is not JSON.')]);
  });

  it('answers 400 to a body that is cut short', async () => {
    const before = gateway.sandbox.journal.requests().length;
    const text = rawRequest(`POST ${path} HTTP/1.1`, { ...KEY, ...JSON_TYPE, 'content-length': 1_000 }, '[{"id":1');
    const reply = await sendRaw(gateway.url, text, { halfClose: true });
    // The connection may be gone before the answer.
    if (reply !== undefined) expect(reply.status).toBe(400);
    expect(gateway.sandbox.journal.requests()).toHaveLength(before);
  });

  it('answers 413 to a body that is announced as too large, and names the variable', async () => {
    const reply = await refused(path, (jobId) => post(path, { ...JSON_TYPE, 'x-job-id': jobId }, ' '.repeat(100_001)));
    expect([reply.status, reply.body]).toEqual([
      413,
      { message: 'The request body is too large. The limit is 100000 bytes (CALLBACK_MAX_BODY_BYTES).' },
    ]);
  });

  it('answers 413 to a body that turns out to be too large without a Content-Length', async () => {
    const chunk = ' '.repeat(60_000);
    const chunks = `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(2);
    const headers = { ...KEY, ...JSON_TYPE, 'transfer-encoding': 'chunked' };
    const reply = await sendRaw(gateway.url, rawRequest(`POST ${path} HTTP/1.1`, headers, chunks));
    expect([reply?.status, reply?.body]).toEqual([413, expect.stringContaining('(CALLBACK_MAX_BODY_BYTES)')]);
    expect(reply?.headers.get('connection')).toBe('close');
  });

  it('takes a body of exactly the limit', async () => {
    const body = JSON.stringify(GOOD.get(path));
    const exact = body + ' '.repeat(100_000 - body.length);
    expect((await post(path, JSON_TYPE, exact)).status).toBe(200);
  });

  it.each([
    ['empty', ''],
    ['with a space', 'a b'],
    ['with a slash', 'a/b'],
    ['with a character beyond ASCII', 'jöb'],
    ['too long', 'x'.repeat(129)],
  ])('answers 400 to an x-job-id that is %s, and does not repeat it', async (_fault, id) => {
    const reply = await post(path, { ...JSON_TYPE, 'x-job-id': id }, JSON.stringify(GOOD.get(path)));
    expect([reply.status, reply.body]).toEqual([
      400,
      {
        message: 'The header x-job-id must be 1 to 128 of the characters A-Z a-z 0-9 . _ : -.',
        errors: [{ path: 'x-job-id', message: expect.stringMatching(/^must be 1 to 128/) }],
      },
    ]);
    expect(reply.headers.get('x-job-id')).toBeNull();
  });

  it.each(['x'.repeat(128), 'A-Z.0_9:-', '.'])('takes the x-job-id %s and answers with it', async (id) => {
    const reply = await post(path, { ...JSON_TYPE, 'x-job-id': id }, JSON.stringify(GOOD.get(path)));
    expect([reply.status, reply.headers.get('x-job-id')]).toEqual([200, id]);
  });

  it.each([
    ['empty', ''],
    ['badly percent-encoded', '%zz'],
    ['percent-encoded, but not UTF-8', '%ff'],
    ['not encoded beyond ASCII', 'caf\u00e9'],
    ['too long', 'x'.repeat(257)],
    ['too long when encoded', '%E7%B5%84'.repeat(60)],
  ])('answers 400 to an x-org-id that is %s', async (_fault, org) => {
    const reply = await refused(path, (jobId) =>
      post(path, { ...JSON_TYPE, 'x-job-id': jobId, 'x-org-id': org }, JSON.stringify(GOOD.get(path))),
    );
    expect([reply.status, reply.body]).toEqual([
      400,
      {
        message: expect.stringMatching(/^The header x-org-id must be an organisation code/),
        errors: [{ path: 'x-org-id', message: expect.any(String) }],
      },
    ]);
  });

  it('decides about the key before anything of the body has arrived', async () => {
    const request = rawRequest(`POST ${path} HTTP/1.1`, {
      'x-api-key': 'wrong',
      ...JSON_TYPE,
      'content-length': 50_000,
    });
    const reply = await sendRaw(gateway.url, request);
    expect([reply?.status, reply?.body]).toEqual([401, '{"message":"Unauthorized"}']);
  });

  it.each([
    ['the content type', { 'content-type': 'text/plain' }],
    ['the job id', { ...JSON_TYPE, 'x-job-id': 'a b' }],
    ['the organisation', { ...JSON_TYPE, 'x-org-id': '%' }],
  ])('decides about the key before %s', async (_what, headers) => {
    const reply = await gateway.rest('POST', path, {
      headers: { ...headers, 'x-api-key': 'wrong' },
      body: 'x'.repeat(200_000),
    });
    expect([reply.status, reply.body]).toEqual([401, { message: 'Unauthorized' }]);
  });

  it('answers 405 with Allow to other methods', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const reply = await fetch(`${gateway.url}${path}`, { method, headers: KEY });
      expect([reply.status, await reply.json(), reply.headers.get('allow')]).toEqual([
        405,
        { message: 'Method not allowed' },
        'POST',
      ]);
    }
  });
});

describe('too many items', () => {
  const driver = { mobileId: '1', employeeCode: 'E', employeeName: 'N' };
  it.each([
    [
      USER_ACCOUNTS,
      Array.from({ length: 1_001 }, () => ({ type: 2, userAccountInput: { loginId: 'x' } })),
      'Too many items: 1001. The limit is 1000 (BULK_MAX_ITEMS).',
    ],
    [
      MOBILES,
      Array.from({ length: 1_001 }, () => ({ id: 1 })),
      'Too many items: 1001. The limit is 1000 (BULK_MAX_ITEMS).',
    ],
    [
      DRIVING_REPORT,
      { date: DATE, drivers: [driver, driver, driver, driver] },
      'Too many items: 4. The limit is 3 (REPORT_MAX_DRIVERS).',
    ],
  ])('of %s are 413, and the limit is named', async (path, body, message) => {
    const reply = await refused(path, (jobId) => gateway.callback(path, body, { 'x-job-id': jobId }));
    expect([reply.status, reply.body]).toEqual([413, { message }]);
  });
});

describe('an organisation code in x-org-id', () => {
  it.each([
    ['as it is', 'acme', 'acme'],
    ['percent-encoded', '%61cme', 'acme'],
    ['beyond ASCII, percent-encoded', '%E6%97%A5%E6%9C%AC', '日本'],
    ['with characters that keys are made of', 'a%3A%7Bb%7D%2F..', 'a:{b}/..'],
  ])('is read %s', async (_how, header, org) => {
    const jobId = randomUUID();
    expect((await gateway.callback(MOBILES, [], { 'x-job-id': jobId, 'x-org-id': header })).status).toBe(200);
    const { data } = await gateway.graphql(
      'query($jobId: ID!) { fetchBulkUpdateMobileStatus(jobId: $jobId) { state } }',
      { jobId },
      await gateway.bearer({ claims: { 'org:id': org } }),
    );
    expect(data).toEqual({ fetchBulkUpdateMobileStatus: { state: 'FINISHED' } });
  });
});

describe('a request that no route takes', () => {
  it.each([
    '/nothing',
    '/api/v2/Mobile/BulkUpdateCallback',
    '/api/v1/mobile/none',
    '/health',
    '/.well-known/',
    '/%E0%A4%A',
    '//nothing',
  ])('for %s is 404 with a message', async (path) => {
    const reply = await sendRaw(gateway.url, rawRequest(`GET ${path} HTTP/1.1`, {}));
    expect([reply?.status, reply?.body]).toEqual([404, '{"message":"Not found"}']);
  });

  it.each([
    ['/health/live', 'HEAD, GET'],
    ['/health/ready', 'HEAD, GET'],
    ['/.well-known/jwks.json', 'HEAD, GET'],
  ])('for %s with another method is 405 with Allow', async (path, allow) => {
    const reply = await fetch(`${gateway.url}${path}`, { method: 'POST', body: 'x' });
    expect([reply.status, await reply.json(), reply.headers.get('allow')]).toEqual([
      405,
      { message: 'Method not allowed' },
      allow,
    ]);
  });

  it('with a method that nobody knows is 501, and no fault of ours', async () => {
    const reply = await sendRaw(gateway.url, rawRequest('PROPFIND /health/live HTTP/1.1', {}));
    expect([reply?.status, reply?.body]).toEqual([501, '{"message":"Method not implemented"}']);
    expect(gateway.logged()).not.toContain('"level":"error"');
  });
});

describe('bytes that are no request of ours', () => {
  it.each([
    ['a target without a path', 'GET http:// HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['no HTTP at all', 'HELLO\r\n\r\n', 400],
    ['a header line without a colon', 'GET /health/live HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n', 400],
    ['two lengths', 'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    [
      'a length and chunks',
      'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['headers of a megabyte', `GET /health/live HTTP/1.1\r\nHost: x\r\nx-long: ${'x'.repeat(1_000_000)}\r\n\r\n`, 431],
  ])('%s are refused, and the gateway lives on', async (_what, bytes, status) => {
    const reply = await sendRaw(gateway.url, bytes).catch(() => undefined);
    // A connection that is cut before everything was sent may lose the answer.
    expect(reply?.status ?? status).toBe(status);
    expect((await gateway.rest('GET', '/health/live')).status).toBe(200);
  });

  it('a body that breaks off inside a chunk is survived, and its bytes are not logged', async () => {
    for (const path of ['/graphql', MOBILES]) {
      const headers = { ...KEY, ...JSON_TYPE, 'transfer-encoding': 'chunked' };
      await sendRaw(gateway.url, rawRequest(`POST ${path} HTTP/1.1`, headers, 'zz\r\nsecret-bytes-of-a-body'));
      await sendRaw(gateway.url, rawRequest(`POST ${path} HTTP/1.1`, headers, '5\r\n[{"se'), { halfClose: true });
    }
    expect((await gateway.rest('GET', '/health/live')).status).toBe(200);
    expect(gateway.logged()).not.toContain('secret-bytes-of-a-body');
    expect(gateway.logged()).not.toContain('rawPacket');
  });
});

describe('a request that arrives too slowly', () => {
  let impatient: TestGateway;
  beforeAll(async () => {
    impatient = await startTestGateway({ REQUEST_TIMEOUT_SECONDS: '1' });
  });
  afterAll(() => impatient.close());

  it.each(['/graphql', MOBILES])('at %s ends with 408 after REQUEST_TIMEOUT_SECONDS', async (path) => {
    const startedAt = performance.now();
    const reply = await sendRaw(
      impatient.url,
      rawRequest(`POST ${path} HTTP/1.1`, { ...KEY, ...JSON_TYPE, 'content-length': 10 }, '['),
    );
    expect(reply?.status).toBe(408);
    // It would take 30 s by default.
    expect(performance.now() - startedAt).toBeLessThan(25_000);
  });
});

describe('a connection', () => {
  it('that is refused before its body was read can be used again once the body has passed', async () => {
    const socket = net.connect(Number(new URL(gateway.url).port), '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    const body = 'x'.repeat(10_000);
    socket.write(
      rawRequest(
        `POST ${MOBILES} HTTP/1.1`,
        { 'x-api-key': 'wrong', ...JSON_TYPE, 'content-length': body.length },
        body,
      ),
    );
    socket.write(rawRequest('GET /health/live HTTP/1.1', {}));
    await waitFor('both replies', () => received.includes('401 Unauthorized') && received.includes('{"Status":"OK"}'));
    socket.destroy();
  });
});

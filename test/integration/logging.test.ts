/** What the log tells about everything that happens, and the secrets that it never holds. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '../../src/logging/logger.js';
import { block } from '../support/blocking.js';
import { captureLog } from '../support/captured-log.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import {
  createAccount,
  createAccounts,
  DRIVING_REPORT,
  jobHeaders,
  MOBILES,
  updateAccount,
  USER_ACCOUNTS,
} from '../support/job-requests.js';
import { rawRequest, sendRaw } from '../support/raw-http.js';
import { finishedJob, startJob } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';

const DATE = '2026-11-19T00:00:00+09:00';
const DRIVER = { mobileId: '1', employeeCode: 'E-1', employeeName: '佐藤 健一' };

/** An entry of the log, as far as these tests read it. */
interface Entry {
  readonly level: string;
  readonly event: string;
  readonly requestId?: string;
  readonly part?: string;
  readonly method?: string;
  readonly path?: unknown;
  readonly status?: number;
  readonly durationMs?: number;
  readonly reason?: string;
}

function entriesOf(text: string): Entry[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry); // written by our own logger
}

interface Session {
  readonly accessToken: string;
  readonly refreshToken: string;
}

describe('a day in the life of a gateway', () => {
  const KEY = 'callback-key-of-this-test';
  const PREVIOUS = 'previous-key-of-this-test';
  const BACKEND = 'backend-key-of-this-test';
  const GEO = 'geo-key-of-this-test';
  const VOIP = 'voip-key-of-this-test';
  const NEW_PASSWORD = 'new-password-of-this-test';
  const WRONG_PASSWORD = 'wrong-password-of-this-test';
  const WRONG_KEY = 'wrong-key-of-this-test';

  const secrets = new Map<string, string>();
  let gateway: TestGateway;
  let log = '';

  /** Asks with an id that the log must show, and notes every secret of the reply. */
  async function ask(
    requestId: string,
    query: string,
    variables: object,
    authorization?: string,
  ): Promise<{ data: Record<string, unknown> | null; codes: string[] }> {
    if (authorization !== undefined) secrets.set(`authorization of ${requestId}`, authorization.replace(/^\w+ /, ''));
    const reply = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-request-id': requestId,
        ...(authorization && { authorization }),
      },
      body: JSON.stringify({ query, variables }),
    });
    expect(reply.headers.get('x-request-id')).toBe(requestId);
    const { data, errors = [] } = (await reply.json()) as {
      data: Record<string, unknown> | null;
      errors?: { extensions: { code: string } }[];
    };
    return { data, codes: errors.map(({ extensions }) => extensions.code) };
  }

  function sessionOf(name: string, session: unknown): Session {
    const { accessToken, refreshToken } = session as Session; // as selected by the queries below
    secrets.set(`access token of ${name}`, accessToken).set(`refresh token of ${name}`, refreshToken);
    secrets.set(`signature of ${name}`, accessToken.split('.')[2] ?? '');
    return { accessToken, refreshToken };
  }

  async function logInAndOut(): Promise<void> {
    const login = `mutation($loginId: String!, $password: String!) {
      userLogin(loginId: $loginId, password: $password) { otpRequired challenge session { accessToken refreshToken } } }`;
    const good = await ask('login', login, { loginId: 'demo', password: 'demo-password' });
    const { session } = good.data?.['userLogin'] as { session: unknown };
    const { accessToken, refreshToken } = sessionOf('login', session);
    expect((await ask('login-refused', login, { loginId: 'demo', password: WRONG_PASSWORD })).codes).toEqual([
      'InvalidCredentials',
    ]);
    expect((await ask('login-bad', login, { loginId: 'demo', password: { [WRONG_PASSWORD]: 1 } })).codes).toEqual([
      'BadInput',
    ]);

    const first = await ask('login-otp', login, { loginId: 'otp', password: 'otp-password' });
    const { challenge } = first.data?.['userLogin'] as { challenge: string };
    secrets.set('challenge', challenge);
    await ask('otp-send', 'mutation { sendOtp(loginId: "otp") { sentTo } }', {});
    const code = gateway.sandbox.otps.last('otp') ?? '';
    expect(code).toMatch(/^\d{6}$/);
    secrets.set('one-time password', code);
    const verify = `mutation($code: String!, $challenge: String) {
      verifyOtp(loginId: "otp", code: $code, challenge: $challenge) { accessToken refreshToken } }`;
    expect((await ask('otp-refused', verify, { code: 'wrong-code-of-this-test', challenge })).codes).toEqual([
      'InvalidCredentials',
    ]);
    sessionOf('otp', (await ask('otp-verified', verify, { code, challenge })).data?.['verifyOtp']);

    const refresh = 'mutation($token: String!) { refreshUserToken(refreshToken: $token) { accessToken refreshToken } }';
    sessionOf('refresh', (await ask('refresh', refresh, { token: refreshToken })).data?.['refreshUserToken']);
    expect((await ask('refresh-refused', refresh, { token: refreshToken })).codes).toEqual(['InvalidCredentials']);
    expect((await ask('me', '{ me { Org } }', {}, `Bearer ${accessToken}`)).codes).toEqual([]);
    expect((await ask('me-refused', '{ me { Org } }', {}, 'Basic dXNlcjpiYXNpYy1zZWNyZXQ=')).codes).toEqual([
      'UnAuthenticated',
    ]);
  }

  async function runJobs(): Promise<void> {
    const bearer = await gateway.bearer();
    secrets.set('bearer', bearer.slice('Bearer '.length));
    const { jobId } = await startJob(
      gateway,
      'accounts',
      [createAccount('logged', { password: NEW_PASSWORD }), createAccount('logged', { password: NEW_PASSWORD })],
      bearer,
    );
    expect(await finishedJob(gateway, 'accounts', jobId)).toMatchObject({ status: 'Failure' });
    const report = await startJob(gateway, 'reports', { date: DATE, drivers: [DRIVER] }, bearer);
    const { downloadUrl } = await finishedJob(gateway, 'reports', report.jobId);
    const link = new URL(downloadUrl ?? '', gateway.url);
    secrets.set('signed link', link.searchParams.get('sig')?.split('.')[1] ?? '');
    expect((await fetch(link, { headers: { 'x-request-id': 'download' } })).status).toBe(200);

    const accounts = [
      createAccount('called', { password: NEW_PASSWORD }),
      updateAccount('nobody', { password: NEW_PASSWORD }),
    ];
    const headers = { ...jobHeaders(randomUUID()), 'x-request-id': 'callback' };
    expect((await gateway.callback(USER_ACCOUNTS, accounts, headers)).status).toBe(200);
    const unauthorized = { 'x-api-key': WRONG_KEY, 'x-request-id': 'callback-unauthorized' };
    expect((await gateway.callback(MOBILES, [], unauthorized)).status).toBe(401);
    const bad = [{ type: 'x', userAccountInput: { loginId: 'x', password: NEW_PASSWORD } }];
    expect((await gateway.callback(USER_ACCOUNTS, bad, { 'x-request-id': 'callback-bad' })).status).toBe(400);
    expect(
      (await gateway.callback(USER_ACCOUNTS, `[{"password":"${NEW_PASSWORD}"`, { 'x-request-id': 'callback-cut' }))
        .status,
    ).toBe(400);
  }

  async function fail(): Promise<void> {
    const bearer = await gateway.bearer();
    const { faults } = gateway.sandbox;
    for (const fault of [
      { kind: 'down' },
      { kind: 'garbage' },
      { kind: 'halfBody' },
      { kind: 'status', status: 500 },
      { kind: 'status', status: 200, body: { session: { accessToken: NEW_PASSWORD } } },
    ] as const) {
      faults.set({ fault });
      const id = `fault-${fault.kind}`;
      await ask(id, `mutation { userLogin(loginId: "demo", password: "${NEW_PASSWORD}") { otpRequired } }`, {});
      await ask(id, '{ me { Org } mobiles { edges { node { position { address } } } } }', {}, bearer);
      await gateway.callback(USER_ACCOUNTS, createAccounts('failing', 1), { 'x-request-id': id });
      await gateway.rest('GET', '/.well-known/jwks.json');
      await gateway.rest('GET', '/health/ready');
      faults.clear();
    }
    const headers = {
      authorization: bearer,
      'x-api-key': KEY,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    };
    for (const path of ['/graphql', DRIVING_REPORT]) {
      await sendRaw(gateway.url, rawRequest(`POST ${path} HTTP/1.1`, headers, `zz\r\n${NEW_PASSWORD}`));
    }
    await sendRaw(
      gateway.url,
      `GET http://${NEW_PASSWORD} HTTP/1.1\r\nAuthorization: ${bearer}\r\nHost: x\r\nbroken\r\n\r\n`,
    );
  }

  beforeAll(async () => {
    gateway = await startTestGateway({
      LOG_LEVEL: 'trace',
      TASK_CALLBACK_API_KEY: KEY,
      TASK_CALLBACK_API_KEY_PREVIOUS: PREVIOUS,
      BACKEND_API_KEY: BACKEND,
      GEO_API_KEY: GEO,
      VOIP_API_KEY: VOIP,
      JOB_ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64url'),
      LOGIN_RATE_PER_MINUTE: '50',
    });
    await logInAndOut();
    await runJobs();
    await fail();
    // The line of a request is written when its connection is done with it.
    await waitFor('the log of the last request', () => gateway.logged().includes('"requestId":"fault-status"'));
    log = gateway.logged();
    for (const [name, value] of Object.entries({
      KEY,
      PREVIOUS,
      BACKEND,
      GEO,
      VOIP,
      NEW_PASSWORD,
      WRONG_PASSWORD,
      WRONG_KEY,
      'password of demo': 'demo-password',
      'password of otp': 'otp-password',
      'wrong code': 'wrong-code-of-this-test',
      'encryption key': Buffer.alloc(32, 9).toString('base64url'),
      'basic credentials': 'dXNlcjpiYXNpYy1zZWNyZXQ=',
    }))
      secrets.set(name, value);
  });
  afterAll(() => gateway.close());

  it.each([
    ['login', 'POST', '/graphql', 200],
    ['login-refused', 'POST', '/graphql', 200],
    ['otp-verified', 'POST', '/graphql', 200],
    ['refresh', 'POST', '/graphql', 200],
    ['me', 'POST', '/graphql', 200],
    ['callback', 'POST', USER_ACCOUNTS, 200],
    ['callback-unauthorized', 'POST', MOBILES, 401],
    ['callback-bad', 'POST', USER_ACCOUNTS, 400],
    ['callback-cut', 'POST', USER_ACCOUNTS, 400],
  ])('shows the request %s by its id, with method, path, status and time', (requestId, method, path, status) => {
    const lines = entriesOf(log).filter((entry) => entry.requestId === requestId && entry.event === 'request.handled');
    expect(lines).toEqual([
      expect.objectContaining({ level: 'info', method, path, status, durationMs: expect.any(Number) }),
    ]);
  });

  it('shows a download by its path, without the query that gives access', () => {
    const [line] = entriesOf(log).filter(({ requestId }) => requestId === 'download');
    expect(line).toMatchObject({
      status: 200,
      path: expect.stringMatching(/^\/files\/driving-reports\/org\/acme\/2026-11-19\/[\w-]+\.pdf$/),
    });
  });

  it('shows why something failed on our side, with the id of the request', () => {
    const complaints = entriesOf(log).filter(
      ({ requestId, level }) => requestId === 'fault-status' && level === 'warn',
    );
    expect(complaints.map(({ reason }) => reason)).toContain('backend-api answered 500');
  });

  it('shows jobs by their ids, started and finished', () => {
    for (const event of ['job.started', 'job.finished']) {
      expect(entriesOf(log).filter((entry) => entry.event === event && 'jobId' in entry).length).toBeGreaterThanOrEqual(
        3,
      );
    }
  });

  it('holds no secret, except for the test one-time password that the sandbox is there to show', () => {
    const lines = log.split('\n').filter((line) => !line.includes('sandbox.otp_issued'));
    expect(lines.length).toBeGreaterThan(80);
    expect(secrets.size).toBeGreaterThan(20);
    for (const [name, secret] of secrets) {
      expect([name, secret.length >= 6]).toEqual([name, true]);
      expect([name, lines.find((line) => line.includes(secret))]).toEqual([name, undefined]);
    }
  });

  it('holds no header and no body of any request', () => {
    expect(log).not.toMatch(/"(authorization|x-api-key|headers|body|rawPacket|variables)"/i);
  });
});

describe('the line about entries of a list that break the contract', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterEach(() => gateway.sandbox.faults.clear());
  afterAll(() => gateway.close());

  const answer = (operation: string, body: object): void =>
    void gateway.sandbox.faults.set({ operation, fault: { kind: 'status', status: 200, body } });
  const lineOf = (requestId: string): Promise<Entry> =>
    waitFor('the line', () =>
      entriesOf(gateway.logged()).find(
        (entry) => entry.requestId === requestId && entry.event === 'backend.entries_left_out',
      ),
    );

  it.each([
    ['tags', 'listTags', { items: [{ id: 'odd', name: 'Tag' }] }, '{ tags { id } }', 'backend-api'],
    ['presences', 'getPresence', { items: [{ mobileId: 1 }] }, '{ mobile(id: 1) { voice { online } } }', 'voip-api'],
    ['addresses', 'reverseGeocode', { addresses: [7] }, '{ mobile(id: 1) { position { address } } }', 'geo-api'],
  ])('tells for which request they were, of %s', async (_what, operation, body, query, backend) => {
    answer(operation, body);
    const requestId = randomUUID();
    const reply = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': requestId, authorization: await gateway.bearer() },
      body: JSON.stringify({ query }),
    });
    expect(await reply.json()).not.toHaveProperty('errors');
    expect(await lineOf(requestId)).toMatchObject({ level: 'warn', backend, entries: 1, reason: expect.any(String) });
  });

  it('tells for which job they were, and for which call of it', async () => {
    const end = (hour: string): object => ({ time: `2026-11-19T${hour}:00:00+09:00`, lat: 35.6, lng: 139.7 });
    const figures = { distanceMeters: 100, stopCount: 0, maxSpeedKmh: 20, idleSeconds: 0, track: [] };
    answer('getDrivingRecord', { mobileId: '1', trips: [{ start: end('08'), end: end('09'), ...figures }] });
    answer('reverseGeocode', { addresses: [7] });
    const [jobId, requestId] = [randomUUID(), randomUUID()];
    const headers = { ...jobHeaders(jobId), 'x-request-id': requestId };
    const reply = await gateway.callback(DRIVING_REPORT, { date: DATE, drivers: [DRIVER] }, headers);
    expect(reply.status).toBe(200);
    expect(await lineOf(requestId)).toMatchObject({ jobId, kind: 'driving-reports', backend: 'geo-api' });
  });
});

describe('the line of a GraphQL request', () => {
  let gateway: TestGateway;
  let bearer: string;
  beforeAll(async () => {
    gateway = await startTestGateway();
    bearer = await gateway.bearer();
  });
  afterAll(() => gateway.close());

  const MANY = `query Many { version: serviceVersion ...Rest } fragment Rest on Query { again: serviceVersion ...Mine }
    fragment Mine on Query { ... on Query { me { Org } } }`;
  const LONG_NAME = 'N'.repeat(300);
  const START = 'startBulkUpdateMobile(items: []) { jobId }';

  it.each<[string, object, string | undefined, object]>([
    ['its name', { query: 'query Version { serviceVersion }' }, undefined, { operation: 'Version', errors: 0 }],
    [
      'the operation that is meant',
      { query: 'query A { me { Org } } query B { serviceVersion }', operationName: 'B' },
      undefined,
      { operation: 'B', rootFields: ['serviceVersion'], errors: 0 },
    ],
    [
      'its root fields by their own names, those of fragments included',
      { query: MANY },
      'valid',
      { operation: 'Many', rootFields: ['serviceVersion', 'me'], errors: 0 },
    ],
    [
      'the beginning of a long name',
      { query: `query ${LONG_NAME} { serviceVersion }` },
      undefined,
      { operation: LONG_NAME.slice(0, 100) },
    ],
    [
      'how many errors there are and of which kinds',
      { query: 'query Q { me { Org } a: me { Org } mobile(id: 0) { id } }' },
      undefined,
      { operation: 'Q', errors: 3, codes: ['UnAuthenticated'] },
    ],
    ['that it is not valid', { query: '{ nothing }' }, undefined, { errors: 1, codes: ['BadInput'] }],
    ['the job that it started', { query: `mutation { ${START} }` }, 'valid', { jobId: expect.any(String) }],
    [
      'the jobs that it started',
      { query: `mutation { a: ${START} b: ${START} }` },
      'valid',
      { jobIds: [expect.any(String), expect.any(String)] },
    ],
  ])('tells %s, whichever way it came', async (_what, body, authorization, expected) => {
    // Without a length, which only Yoga reads, and with one.
    for (const isPlain of [false, true]) {
      const requestId = randomUUID();
      const init = {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-request-id': requestId,
          ...(authorization && { authorization: bearer }),
        },
        body: isPlain ? JSON.stringify(body) : new Blob([JSON.stringify(body)]).stream(),
        // Asked for by the Fetch standard where a body is a stream; the types do not know it.
        duplex: 'half',
      };
      await fetch(`${gateway.url}/graphql`, init);
      const line = await waitFor('the line of the request', () =>
        entriesOf(gateway.logged()).find((entry) => entry.requestId === requestId && entry.event === 'request.handled'),
      );
      expect(line).toMatchObject({ path: '/graphql', status: 200, ...expected });
    }
  });

  it('tells that there was too much to do, with an id of its own', async () => {
    const late = await startTestGateway({ MAX_EVENT_LOOP_DELAY_MS: '1' });
    try {
      const isRefused = (line: string): boolean => /"status":503\b.*"event":"request.handled"/.test(line);
      const lines = await waitFor('requests to be refused', async () => {
        const asked = Array.from({ length: 3 }, () => late.graphql('{ serviceVersion }').catch(() => undefined));
        // The gateway runs in this process.
        setImmediate(block, 100);
        await Promise.all(asked);
        const refused = late.logged().split('\n').filter(isRefused);
        return refused.length > 1 && refused;
      });
      for (const field of ['requestId', 'method', 'path', 'errors', 'codes']) {
        for (const line of lines) expect(line.split(`"${field}":`)).toHaveLength(2);
      }
      const entries = entriesOf(lines.join('\n'));
      for (const entry of entries) {
        expect(entry).toMatchObject({ method: 'POST', path: '/graphql', errors: 1, codes: ['ServiceUnavailable'] });
      }
      expect(new Set(entries.map(({ requestId }) => requestId)).size).toBe(entries.length);
    } finally {
      await late.close();
    }
  });

  it('tells that it was refused before anything was read', async () => {
    const requestId = randomUUID();
    const headers = { 'content-type': 'text/plain', 'x-request-id': requestId };
    await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body: '{ serviceVersion }' });
    const line = await waitFor('the line of the request', () =>
      entriesOf(gateway.logged()).find((entry) => entry.requestId === requestId),
    );
    expect(line).toMatchObject({ status: 415, errors: 1, codes: ['BadInput'] });
  });
});

describe('the id of a request', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  it.each([
    ['kept when it is well-formed', 'trace-1:a.b_C', true],
    ['made anew when it is empty', '', false],
    ['made anew when it holds other characters', 'a b', false],
    ['made anew when it is too long', 'x'.repeat(129), false],
    ['made anew when it could break the log', '{"level":"fatal"}', false],
  ])('is %s', async (_what, given, kept) => {
    const reply = await fetch(`${gateway.url}/health/live`, { headers: { 'x-request-id': given } });
    const id = reply.headers.get('x-request-id') ?? '';
    expect(id === given).toBe(kept);
    expect(id).toMatch(/^[\w.:-]{1,128}$/);
    await waitFor('the line of the request', () => entriesOf(gateway.logged()).some((entry) => entry.requestId === id));
  });
});

describe('a logger', () => {
  it('redacts secrets by their names, up to three levels deep', () => {
    const captured = captureLog();
    const names = [
      'authorization',
      'password',
      'token',
      'accessToken',
      'refreshToken',
      'otp',
      'challenge',
      'apiKey',
      'x-api-key',
      'cookie',
    ];
    for (const name of names) {
      captured.logger.event('job.started', {
        [name]: 'hidden',
        a: { [name]: 'hidden', b: { [name]: 'hidden', c: { [name]: 'hidden' } } },
      });
    }
    expect(captured.text()).not.toContain('hidden');
    expect(captured.text().split('[redacted]')).toHaveLength(names.length * 4 + 1);
  });

  it('writes of an error its name, text, code, stack and causes, and nothing that a library attached', () => {
    const captured = captureLog();
    const cause = Object.assign(new TypeError('the cause'), { code: 'ECONNREFUSED', request: { headers: 'hidden' } });
    const err = Object.assign(new Error('what happened', { cause }), {
      rawPacket: Buffer.from('hidden'),
      options: { auth: 'hidden' },
    });
    captured.logger.event('request.failed', { err });
    const entry = JSON.parse(captured.text()) as { err: object };
    expect(entry.err).toEqual({
      type: 'Error',
      message: 'what happened',
      stack: expect.any(String),
      cause: { type: 'TypeError', message: 'the cause', code: 'ECONNREFUSED', stack: expect.any(String) },
    });
  });

  it('survives errors that are none, and causes in a circle', () => {
    const captured = captureLog();
    const circle = new Error('round');
    circle.cause = circle;
    for (const err of ['text', undefined, null, 7, circle, new DOMException('too late', 'TimeoutError')]) {
      captured.logger.event('request.failed', { err });
    }
    expect(captured.complaints()).toEqual(Array.from({ length: 6 }, () => 'request.failed'));
    expect(captured.text()).toContain('TimeoutError: too late');
  });

  it('writes nothing below its level, and nothing at all when silent', () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const [warning, silent] = (['warn', 'silent'] as const).map((level) =>
      createLogger({ level, pretty: false, destination }),
    );
    warning?.event('job.started');
    silent?.event('program.start_failed');
    expect(lines).toEqual([]);
    warning?.event('job.taken_over');
    expect(lines).toHaveLength(1);
  });
});

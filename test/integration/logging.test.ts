/** Lines of the log for requests, operations, jobs and failures. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { LOG_EVENTS, type LogEvent } from '../../src/base/logging/log-events.js';
import { createLogger } from '../../src/base/logging/logger.js';
import { captureLog, entriesOf, type LogEntry } from '../support/captured-log.js';
import { postJson, startTestGateway } from '../support/gateway.js';
import {
  DRIVING_REPORT,
  MOBILES,
  USER_ACCOUNTS,
  createAccount,
  jobHeaders,
  reportOf,
  updateAccount,
} from '../support/job-requests.js';
import { forAllTests, gatewayForAllTests } from '../support/resources.js';
import { finishedJob, startJob } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';

describe('what happens in a gateway', () => {
  const gateway = forAllTests(() => startTestGateway({ LOG_LEVEL: 'trace' }));
  let log: readonly LogEntry[];
  let reportJob = '';

  beforeAll(async () => {
    const ask = (requestId: string, query: string): Promise<Response> =>
      postJson(`${gateway.url}/graphql`, { query }, { 'x-request-id': requestId });
    const login = (password: string): string =>
      `mutation { userLogin(loginId: "demo", password: "${password}") { otpRequired } }`;
    await ask('login', login('demo-password'));
    await ask('login-refused', login('wrong'));

    const report = await startJob(gateway, 'reports', reportOf(1));
    reportJob = report.jobId;
    const { downloadUrl } = await finishedJob(gateway, 'reports', report.jobId);
    const file = await fetch(new URL(downloadUrl ?? '', gateway.url), { headers: { 'x-request-id': 'download' } });
    await file.arrayBuffer();
    const accounts = [createAccount('called'), updateAccount('nobody')];
    await gateway.callback(USER_ACCOUNTS, accounts, { ...jobHeaders(randomUUID()), 'x-request-id': 'callback' });
    await gateway.callback(MOBILES, [], { 'x-api-key': 'wrong', 'x-request-id': 'callback-unauthorized' });
    await gateway.callback(USER_ACCOUNTS, '[{"type":', { 'x-request-id': 'callback-cut' });

    gateway.sandbox.faults.set({ fault: { kind: 'status', status: 500 } });
    await ask('failed', login('demo-password'));
    // The line of a request is written when its connection is done with it.
    await waitFor('the log of the last request', () => gateway.logged().includes('"requestId":"failed"'));
    log = entriesOf(gateway.logged());
  });

  it.each([
    ['login', 'POST', '/graphql', 200],
    ['login-refused', 'POST', '/graphql', 200],
    ['callback', 'POST', USER_ACCOUNTS, 200],
    ['callback-unauthorized', 'POST', MOBILES, 401],
    ['callback-cut', 'POST', USER_ACCOUNTS, 400],
  ])('is shown as the request %s by its id, with method, path, status and time', (requestId, method, path, status) => {
    const lines = log.filter((entry) => entry['requestId'] === requestId && entry.event === 'request.handled');
    expect(lines).toMatchObject([{ level: 'info', method, path, status, durationMs: expect.any(Number) }]);
  });

  it('is shown with the organisation of its user', () => {
    const [handled] = log.filter(
      ({ event, jobId, path }) => event === 'request.handled' && jobId === reportJob && path === '/graphql',
    );
    expect(handled).toMatchObject({ org: 'acme' });
  });

  it('is shown as a download by its path, without the query that gives access', () => {
    expect(log.find(({ requestId }) => requestId === 'download')).toMatchObject({
      status: 200,
      path: expect.stringMatching(/^\/files\/driving-reports\/org\/acme\/2026-11-19\/[\w-]+\.pdf$/),
    });
  });

  it('is explained where it failed on our side, with the id of the request', () => {
    const complaints = log.filter(({ requestId, level }) => requestId === 'failed' && level === 'warn');
    expect(complaints.map(({ reason }) => reason)).toContain('backend-api answered 500');
  });

  it('is shown of jobs by their ids, started and finished', () => {
    for (const event of ['job.started', 'job.finished']) {
      expect(log.filter((entry) => entry.event === event && 'jobId' in entry)).toHaveLength(2);
    }
  });
});

describe('the line about an answer that breaks the contract', () => {
  const gateway = gatewayForAllTests();

  const answer = (operation: string, body: object): void =>
    void gateway.sandbox.faults.set({ operation, fault: { kind: 'status', status: 200, body } });
  const lineOf = (requestId: string): Promise<LogEntry> => {
    const lines = () => entriesOf(gateway.logged(), 'backend.contract_broken');
    return waitFor('the line', () => lines().find((entry) => entry['requestId'] === requestId));
  };

  it.each([
    ['backend-api', 'listTags', { items: [{ id: 'odd', name: 'Tag' }] }, '{ tags { id } }', '/items/0/id'],
    ['voip-api', 'getPresence', { items: [{ mobileId: 1 }] }, '{ mobile(id: 1) { voice { online } } }', '/items/0'],
    ['geo-api', 'reverseGeocode', { addresses: [7] }, '{ mobile(id: 1) { position { address } } }', '/addresses/0'],
  ])(
    'tells of %s for which request it was, the call, the field and the rule',
    async (backend, call, body, query, path) => {
      answer(call, body);
      const requestId = randomUUID();
      const headers = { 'x-request-id': requestId, authorization: await gateway.bearer() };
      const reply = await postJson(`${gateway.url}/graphql`, { query }, headers);
      expect(await reply.json()).not.toHaveProperty('errors');
      expect(await lineOf(requestId)).toMatchObject({ level: 'error', backend, call, path, rule: expect.any(String) });
    },
  );

  it('tells for which job it was, and for which delivery of it', async () => {
    answer('getDrivingRecord', { mobileId: '1', trips: [null] });
    const [jobId, requestId] = [randomUUID(), randomUUID()];
    const headers = { ...jobHeaders(jobId), 'x-request-id': requestId };
    const reply = await gateway.callback(DRIVING_REPORT, reportOf(1), headers);
    expect(reply.status).toBe(200);
    expect(await lineOf(requestId)).toMatchObject({ jobId, kind: 'driving-reports', path: '/trips/0' });
  });
});

describe('the line of a GraphQL request', () => {
  const gateway = forAllTests(startTestGateway);

  const MANY = `query Many { version: serviceVersion ...Rest } fragment Rest on Query { again: serviceVersion ...Mine }
    fragment Mine on Query { ... on Query { me { Org } } }`;
  const LONG_NAME = 'N'.repeat(300);
  const START = 'startBulkUpdateMobile(items: [{ id: 1 }]) { jobId }';

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
          ...(authorization && { authorization: await gateway.bearer() }),
        },
        body: isPlain ? JSON.stringify(body) : new Blob([JSON.stringify(body)]).stream(),
        // Asked for by the Fetch standard where a body is a stream; the types do not know it.
        duplex: 'half',
      };
      await fetch(`${gateway.url}/graphql`, init);
      const line = await waitFor('the line of the request', () =>
        entriesOf(gateway.logged(), 'request.handled').find((entry) => entry['requestId'] === requestId),
      );
      expect(line).toMatchObject({ path: '/graphql', status: 200, ...expected });
    }
  });

  it('tells that it was refused before anything was read', async () => {
    const requestId = randomUUID();
    const headers = { 'content-type': 'text/plain', 'x-request-id': requestId };
    await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body: '{ serviceVersion }' });
    const line = await waitFor('the line of the request', () =>
      entriesOf(gateway.logged()).find((entry) => entry['requestId'] === requestId),
    );
    expect(line).toMatchObject({ status: 415, errors: 1, codes: ['BadInput'] });
  });
});

describe('the id of a request', () => {
  const gateway = forAllTests(startTestGateway);

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
    await waitFor('the line of the request', () =>
      entriesOf(gateway.logged()).some((entry) => entry['requestId'] === id),
    );
  });
});

describe('a logger', () => {
  it('writes each event byte for byte as pino does', () => {
    const program = { service: 'gateway', version: '1.2.3', commit: 'abc' };
    const [own, plain]: [string[], string[]] = [[], []];
    const logger = createLogger({ level: 'trace', program, destination: { write: (line) => own.push(line) } });
    const serializers = { err: ({ name, message, stack }: Error) => ({ type: name, message, stack }) };
    const reference = pino(
      { level: 'trace', messageKey: 'event', formatters: { level: (level) => ({ level }) }, serializers },
      { write: (line: string) => plain.push(line) },
    ).child(program);
    const text = fc.string({ unit: 'grapheme' }); // no half of a pair, which pino writes as it is
    const value = fc.oneof(
      text,
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.jsonValue(),
      fc.date(),
      fc.constant(undefined),
    );
    const names = fc.oneof(
      text.map((rest) => `field ${rest}`),
      fc.constantFrom('reason', 'status', '1'),
    );
    const fieldsArbitrary = fc.dictionary(names, value, { noNullPrototype: true });
    const withError = fc
      .tuple(fieldsArbitrary, fc.option(text))
      .map(([fields, message]) => ({ ...fields, ...(message !== null && { err: new Error(message) }) }));
    const events = Object.keys(LOG_EVENTS) as LogEvent[]; // the table has no other keys
    fc.assert(
      fc.property(fc.constantFrom(...events), fieldsArbitrary, withError, (event, bound, fields) => {
        logger.child(bound).event(event, fields);
        reference.child(bound)[LOG_EVENTS[event][0]](fields, event);
        expect(withoutTime(own.pop())).toBe(withoutTime(plain.pop()));
      }),
      { numRuns: 20 * events.length },
    );
    for (const event of events) {
      logger.event(event);
      reference[LOG_EVENTS[event][0]]({}, event);
    }
    expect(own.map(withoutTime)).toEqual(plain.map(withoutTime));
  });

  it('escapes the half of a pair, and writes what JSON has no words for as a text', () => {
    const captured = captureLog();
    const circle: { self?: object } = {};
    circle.self = circle;
    captured.logger.event('job.started', { half: '\ud83d', circle, large: 1n });
    expect(captured.text()).toContain('"half":"\\ud83d"');
    expect(captured.entries()).toMatchObject([{ circle: '[not serializable]', large: '[not serializable]' }]);
  });

  it('redacts secrets by their names, at any level', () => {
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
        a: { [name]: 'hidden', b: { [name]: 'hidden', c: { [name]: 'hidden', d: [{ e: { [name]: 'hidden' } }] } } },
      });
    }
    expect(captured.text()).not.toContain('hidden');
    expect(captured.text().split('[redacted]')).toHaveLength(names.length * 5 + 1);
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
    const [warning, silent] = (['warn', 'silent'] as const).map((level) => createLogger({ level, destination }));
    warning?.event('job.started');
    silent?.event('program.start_failed');
    expect(lines).toEqual([]);
    warning?.event('job.taken_over');
    expect(lines).toHaveLength(1);
  });
});

const withoutTime = (line: string | undefined): string | undefined => line?.replace(/"time":\d+/, '"time":0');

/** Input that no backend can be given is refused before anything is called, and hurts nobody else. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CALLBACK_ROUTES } from '../support/callbacks.js';
import { startTestGateway, type GraphQLReply, type TestGateway } from '../support/gateway.js';
import { DRIVING_REPORT, MOBILES, USER_ACCOUNTS } from '../support/job-requests.js';
import { bodyOf, converse } from '../support/raw-conversation.js';
import { rawRequest } from '../support/raw-http.js';
import { finishedJob, startJob } from '../support/started-jobs.js';

const ILL_FORMED = 'must be well-formed Unicode text, without half of a surrogate pair';
const INEXACT = 'must be from -9007199254740991 to 9007199254740991; numbers beyond are not exact';
const IDENTIFIER = 'must be an integer from 1 to 2147483647';
const TEXT = 'must be text of at most 256 characters';
const LIST = 'must be a list of at most 1000 entries';
const TIMESTAMP = 'must be a timestamp such as 2026-11-20T00:00:00+09:00, seconds from 00 to 59, with Z or an offset';
const NO_SUCH_DATE = 'must be a date of the calendar; this one does not exist';
const OUTSIDE = 'must be from 0001-01-02 to 9999-12-30';

/** Half of a surrogate pair, as JSON writes it. */
const HALF = '\\ud800';

let gateway: TestGateway;
let bearer: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  bearer = await gateway.bearer();
});
afterAll(() => gateway.close());

/** JSON of an array with so many of the same entry. */
const many = (count: number, entry: string): string => `[${Array.from({ length: count }, () => entry).join()}]`;

const account = (fields: string): string => `[{"type":0,"userAccountInput":{"loginId":"new",${fields}}}]`;
const mobile = (fields: string): string => `[{${fields}}]`;
const report = (driver: string, date = '2026-11-19T00:00:00Z'): string =>
  `{"date":"${date}","drivers":[{"mobileId":"1","employeeCode":"E","employeeName":"N",${driver}}]}`;
const reportOf = (date: string): string => `{"date":${JSON.stringify(date)},"drivers":[]}`;

/** Bodies, where each is wrong, and how. */
const FAULTS: readonly (readonly [callback: string, body: string, path: string, message: string])[] = [
  [USER_ACCOUNTS, `[{"type":2,"userAccountInput":{"loginId":"a${HALF}"}}]`, '/0/userAccountInput/loginId', ILL_FORMED],
  [USER_ACCOUNTS, account(`"password":"${HALF}"`), '/0/userAccountInput/password', ILL_FORMED],
  [USER_ACCOUNTS, account('"name":"\\udc00\\ud800"'), '/0/userAccountInput/name', ILL_FORMED],
  [USER_ACCOUNTS, account(`"indivs":[{"a":["${HALF}"]}]`), '/0/userAccountInput/indivs/0/a/0', ILL_FORMED],
  [
    USER_ACCOUNTS,
    account(`"vptGrps":[{"${HALF}":1}]`),
    '/0/userAccountInput/vptGrps/0/\ufffd',
    `as a name ${ILL_FORMED}`,
  ],
  [USER_ACCOUNTS, account(`"unknown":"${HALF}"`), '/0/userAccountInput/unknown', ILL_FORMED],
  [USER_ACCOUNTS, account('"indivs":[9007199254740993]'), '/0/userAccountInput/indivs/0', INEXACT],
  [USER_ACCOUNTS, account('"vptGrps":[{"id":-9007199254740992}]'), '/0/userAccountInput/vptGrps/0/id', INEXACT],
  [USER_ACCOUNTS, account('"functionRestriction":1e30'), '/0/userAccountInput/functionRestriction', INEXACT],
  [USER_ACCOUNTS, account('"unknown":[9007199254740993]'), '/0/userAccountInput/unknown/0', INEXACT],
  [USER_ACCOUNTS, account(`"indivs":${many(1_001, '1')}`), '/0/userAccountInput/indivs', LIST],
  [USER_ACCOUNTS, account(`"vptGrps":${many(1_001, 'null')}`), '/0/userAccountInput/vptGrps', LIST],
  [USER_ACCOUNTS, account(`"landmarkCategories":${many(1_001, '{}')}`), '/0/userAccountInput/landmarkCategories', LIST],
  [USER_ACCOUNTS, account(`"password":"${'p'.repeat(257)}"`), '/0/userAccountInput/password', TEXT],
  [USER_ACCOUNTS, account(`"name":"${'😀'.repeat(257)}"`), '/0/userAccountInput/name', TEXT],
  [
    USER_ACCOUNTS,
    `[{"type":2,"userAccountInput":{"loginId":"${'x'.repeat(257)}"}}]`,
    '/0/userAccountInput/loginId',
    'must be text of 1 to 256 characters',
  ],
  [MOBILES, mobile(`"id":1,"name":"${HALF}"`), '/0/name', ILL_FORMED],
  [MOBILES, mobile('"id":9007199254740993'), '/0/id', INEXACT],
  [MOBILES, mobile('"id":1,"tagIds":[9007199254740993]'), '/0/tagIds/0', INEXACT],
  [MOBILES, mobile('"id":2147483648'), '/0/id', IDENTIFIER],
  [MOBILES, mobile('"id":0'), '/0/id', IDENTIFIER],
  [MOBILES, mobile('"id":-1'), '/0/id', IDENTIFIER],
  [MOBILES, mobile('"id":1.5'), '/0/id', IDENTIFIER],
  [MOBILES, mobile('"id":"1"'), '/0/id', IDENTIFIER],
  [MOBILES, mobile('"id":1,"tagIds":[1,0]'), '/0/tagIds/1', IDENTIFIER],
  [MOBILES, mobile('"id":1,"tagIds":[2147483648]'), '/0/tagIds/0', IDENTIFIER],
  [MOBILES, mobile(`"id":1,"tagIds":${many(1_001, '1')}`), '/0/tagIds', LIST],
  [MOBILES, mobile(`"id":1,"num":"${'n'.repeat(257)}"`), '/0/num', TEXT],
  [MOBILES, mobile(`"id":1,"name":"${'n'.repeat(257)}"`), '/0/name', TEXT],
  [DRIVING_REPORT, report(`"employeeName":"${HALF}"`), '/drivers/0/employeeName', ILL_FORMED],
  [DRIVING_REPORT, report('"mobileId":""'), '/drivers/0/mobileId', 'must be text of 1 to 128 characters'],
  [
    DRIVING_REPORT,
    report(`"mobileId":"${'1'.repeat(129)}"`),
    '/drivers/0/mobileId',
    'must be text of 1 to 128 characters',
  ],
  [DRIVING_REPORT, report(`"employeeCode":"${'1'.repeat(257)}"`), '/drivers/0/employeeCode', TEXT],
  [DRIVING_REPORT, report(`"employeeName":"${'1'.repeat(257)}"`), '/drivers/0/employeeName', TEXT],
  [DRIVING_REPORT, reportOf('2023-02-29T00:00:00Z'), '/date', NO_SUCH_DATE],
  [DRIVING_REPORT, reportOf('1900-02-29T00:00:00Z'), '/date', NO_SUCH_DATE],
  [DRIVING_REPORT, reportOf('2026-04-31T00:00:00Z'), '/date', NO_SUCH_DATE],
  [DRIVING_REPORT, reportOf('2026-13-01T00:00:00Z'), '/date', NO_SUCH_DATE],
  [DRIVING_REPORT, reportOf('2026-00-00T00:00:00Z'), '/date', NO_SUCH_DATE],
  [DRIVING_REPORT, reportOf('0000-12-31T00:00:00Z'), '/date', OUTSIDE],
  [DRIVING_REPORT, reportOf('0001-01-01T23:59:59-23:59'), '/date', OUTSIDE],
  [DRIVING_REPORT, reportOf('9999-12-31T00:00:00+09:00'), '/date', OUTSIDE],
  [DRIVING_REPORT, reportOf('2026-11-20T00:00:60Z'), '/date', TIMESTAMP],
  [DRIVING_REPORT, reportOf('2026-11-20T24:00:00Z'), '/date', TIMESTAMP],
  [DRIVING_REPORT, reportOf('2026-11-20T00:00:00'), '/date', TIMESTAMP],
  [DRIVING_REPORT, reportOf('2026-11-20T00:00:00+0900'), '/date', TIMESTAMP],
  [DRIVING_REPORT, reportOf('2026-11-20'), '/date', TIMESTAMP],
  [DRIVING_REPORT, reportOf('+12026-11-20T00:00:00Z'), '/date', TIMESTAMP],
  [DRIVING_REPORT, reportOf(`2026-11-20T00:00:00Z${HALF}`), '/date', TIMESTAMP],
];

/** What starts the same job from GraphQL, and what the variable of the body is called. */
const MUTATIONS: Readonly<Record<string, string>> = {
  [USER_ACCOUNTS]:
    'mutation($body: [UserAccountOperationInput!]!) { startBulkOperationUserAccount(items: $body) { jobId } }',
  [MOBILES]: 'mutation($body: [MobileUpdateInput!]!) { startBulkUpdateMobile(items: $body) { jobId } }',
  [DRIVING_REPORT]: 'mutation($body: DrivingReportsInput!) { startDrivingReports(input: $body) { jobId } }',
};

const shortened = (body: string): string => (body.length > 90 ? `${body.slice(0, 60)} … ${body.slice(-20)}` : body);

describe('the body of a callback', () => {
  it.each(FAULTS.map((fault) => [shortened(fault[1]), ...fault] as const))(
    'is 400 for %s, naming the place and the rule',
    async (_name, path, body, pointer, message) => {
      gateway.sandbox.journal.clear();
      const jobId = randomUUID();
      const reply = await gateway.callback(path, body, { 'x-job-id': jobId });
      expect([reply.status, reply.body]).toEqual([
        400,
        { message: 'The request body does not match the specification.', errors: [{ path: pointer, message }] },
      ]);
      expect(gateway.sandbox.journal.requests()).toEqual([]);
    },
  );

  it.each([
    [MOBILES, mobile(`"id":2147483647,"num":"${'😀'.repeat(256)}","tagIds":${many(1_000, '2147483647')}`)],
    [USER_ACCOUNTS, account(`"name":"${'n'.repeat(256)}","indivs":${many(1_000, '9007199254740991')}`)],
    [DRIVING_REPORT, report(`"mobileId":"${'9'.repeat(128)}","employeeName":"${'n'.repeat(256)}"`)],
    [DRIVING_REPORT, report('"mobileId":"1"', '0001-01-02T00:00:00+23:59')],
    [DRIVING_REPORT, report('"mobileId":"1"', '0099-02-28T23:59:59.999999999-23:59')],
    [DRIVING_REPORT, report('"mobileId":"1"', '2000-02-29T00:00:00Z')],
    [DRIVING_REPORT, report('"mobileId":"1"', '9999-12-30T23:59:59-23:59')],
  ])('of %s may be as large as the limits, row %#', async (path, body) => {
    expect((await gateway.callback(path, body, { 'x-job-id': randomUUID() })).status).toBe(200);
  });

  it('makes the key of a report from the first year and of the last', async () => {
    for (const day of ['0001-01-02', '9999-12-30']) {
      const { body } = await gateway.callback(DRIVING_REPORT, reportOf(`${day}T12:00:00-12:00`));
      expect(body).toEqual({ key: expect.stringContaining(`/${day}/`), errorList: null });
    }
  });
});

describe('a header of a callback', () => {
  const TWICE = CALLBACK_ROUTES.flatMap((path) => [[path, 'x-job-id'] as const, [path, 'x-org-id'] as const]);
  it.each(TWICE)('of %s that names two values of %s is 400', async (path, name) => {
    const lines = `${name}: one\r\n${name.toUpperCase()}: one\r\nx-api-key: development-callback-key\r\n`;
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n`;
    const reply = await converse(gateway.url, `${head}${lines}Connection: close\r\n\r\n[]`);
    expect([reply.statuses, JSON.parse(bodyOf(reply))]).toEqual([
      [400],
      { message: `The header ${name} must be given once.`, errors: [{ path: name, message: 'must be given once' }] },
    ]);
  });

  it.each([
    ['x-org-id', '%ED%A0%80'],
    ['x-org-id', '\u00ff'],
    ['x-job-id', '\u00ff'],
  ])('%s that is no Unicode text (%j) is 400', async (name, value) => {
    const reply = await gateway.callback(MOBILES, [], { [name]: value });
    expect([reply.status, reply.body]).toMatchObject([400, { errors: [{ path: name }] }]);
  });

  it('that nobody reads may hold anything', async () => {
    const reply = await gateway.callback(MOBILES, [], { 'x-else': '\u00ff\u00fe', 'user-agent': '\u00ed\u00a0\u0080' });
    expect(reply.status).toBe(200);
  });
});

/** Runs an operation whose variables are JSON text, and fails unless it was refused without a call. */
async function refused(query: string, variables: string): Promise<GraphQLReply> {
  gateway.sandbox.journal.clear();
  const reply = await ask(JSON.stringify(query), variables);
  const called = gateway.sandbox.journal.requests().filter(({ operation }) => operation !== 'getPublicKeys');
  expect(called).toEqual([]);
  expect(reply.errors).toHaveLength(1);
  const [error] = reply.errors ?? [];
  expect(error?.extensions).toEqual({ code: 'BadInput', status: 400, path: error?.path });
  return reply;
}

/** @param query JSON of a text */
async function ask(query: string, variables = '{}'): Promise<GraphQLReply> {
  const reply = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', authorization: bearer },
    body: `{"query":${query},"variables":${variables}}`,
  });
  const text = await reply.text();
  const body = JSON.parse(text) as Pick<GraphQLReply, 'data' | 'errors'>; // a test's view
  return { status: reply.status, headers: reply.headers, text, body, data: body.data, errors: body.errors };
}

describe('a mutation that starts a job', () => {
  it.each(FAULTS.map((fault) => [shortened(fault[1]), ...fault] as const))(
    'is BadInput for %s',
    async (_name, path, body, pointer, message) => {
      const { errors } = await refused(MUTATIONS[path] ?? '', `{"body":${body}}`);
      // Int of GraphQL has words of its own for what it cannot hold.
      const noInt = /"id":(2147483648|1\.5|"1")|\[2147483648\]/.test(body);
      const own = [`${pointer} ${message}.`, `/variables/body${pointer} ${message}.`];
      if (noInt) expect(errors?.[0]?.message).toMatch(/^Variable "\$body" got invalid value .*Int cannot represent/);
      else expect(own).toContain(errors?.[0]?.message);
    },
  );

  it.each([
    ['0001-01-02', '0001-01-02T00:00:00+23:59'],
    ['9999-12-30', '9999-12-30T23:59:59-23:59'],
  ])('takes a day as early or as late as %s', async (day, date) => {
    const drivers = [{ mobileId: '1', employeeCode: 'E', employeeName: 'N' }];
    const { jobId } = await startJob(gateway, 'reports', { date, drivers });
    expect(await finishedJob(gateway, 'reports', jobId)).toMatchObject({
      status: 'Success',
      errorList: null,
      key: expect.stringContaining(`/${day}/`),
    });
  });

  it('is BadInput for integers in literals that are not exact', async () => {
    const query = `mutation { startBulkOperationUserAccount(items: [
      { type: 2, userAccountInput: { loginId: "x", indivs: [{ id: 9007199254740993 }] } }]) { jobId } }`;
    const { errors } = await refused(query, '{}');
    expect(errors?.[0]?.message).toBe(`/0/userAccountInput/indivs/0/id ${INEXACT}.`);
  });
});

describe('a GraphQL request', () => {
  const MOBILES_OF = 'query($v: String) { mobiles(search: $v) { edges { node { id } } } }';

  it.each([
    ['a variable', MOBILES_OF, `{"v":"${HALF}"}`, '/variables/v'],
    ['a variable that nobody uses', '{ serviceVersion }', `{"v":[{"w":"${HALF}"}]}`, '/variables/v/0/w'],
    ['the name of a variable', '{ serviceVersion }', `{"${HALF}":1}`, '/variables/\ufffd as a name'],
    [
      'a public operation',
      'mutation($v: String!) { userLogin(loginId: $v, password: "x") { otpRequired } }',
      '{"v":"\\udfff"}',
      '/variables/v',
    ],
  ])('with half of a surrogate pair in %s is 400', async (_where, query, variables, place) => {
    const { status, errors } = await refused(query, variables);
    expect([status, errors?.[0]?.message]).toEqual([400, `${place} ${ILL_FORMED}.`]);
    expect(errors?.[0]?.path).toEqual([]);
  });

  it.each([
    ['as a character', `"{ mobiles(search: \\"${HALF}\\") { edges { node { id } } } }"`],
    ['in a block text', `"{ mobiles(search: \\"\\"\\"${HALF}\\"\\"\\") { edges { node { id } } } }"`],
    ['in a comment', `"{ serviceVersion } # ${HALF}"`],
    ['as an escape', `"{ mobiles(search: \\"\\\\ud800\\") { edges { node { id } } } }"`],
    ['as an escape of variable width', `"{ mobiles(search: \\"\\\\u{d800}\\") { edges { node { id } } } }"`],
    ['in a name of an input', `"{ mobiles(search: {a\\\\ud800: 1}) { edges { node { id } } } }"`],
  ])('with half of a surrogate pair %s in its document is BadInput', async (_how, query) => {
    gateway.sandbox.journal.clear();
    const { errors } = await ask(query);
    expect(errors).toEqual([
      expect.objectContaining({ path: [], extensions: { code: 'BadInput', status: 400, path: [] } }),
    ]);
    expect(gateway.sandbox.journal.requests()).toEqual([]);
  });

  it.each([
    ['a variable', { query: MOBILES_OF, variables: `{"v":"${HALF}"}` }, `/variables/v ${ILL_FORMED}.`],
    ['its document', { query: `{ mobiles(search: "${HALF}") { edges { node { id } } } }` }, /./],
    ['its extensions', { query: '{ serviceVersion }', extensions: `{"e":"${HALF}"}` }, `/extensions/e ${ILL_FORMED}.`],
  ])('with half of a surrogate pair in %s is 400 by GET too', async (_where, parameters, message) => {
    gateway.sandbox.journal.clear();
    const reply = await get(new URLSearchParams(parameters).toString());
    expect([reply.status, reply.errors]).toEqual([
      400,
      [
        {
          message: expect.stringMatching(message),
          path: [],
          extensions: { code: 'BadInput', status: 400, path: [] },
          ...('locations' in (reply.errors?.[0] ?? {}) && { locations: expect.anything() }),
        },
      ],
    ]);
    expect(gateway.sandbox.journal.requests()).toEqual([]);
  });

  it.each(['%ED%A0%80', '%FF', '%C0%AF', '%'])('by GET whose query string holds %s is 400', async (bytes) => {
    gateway.sandbox.journal.clear();
    const reply = await get(
      `query=${encodeURIComponent(MOBILES_OF)}&variables=${encodeURIComponent('{"v":"')}${bytes}%22%7D`,
    );
    expect([reply.status, reply.errors?.map(({ message }) => message)]).toEqual([
      400,
      ['The query string must be percent-encoded UTF-8.'],
    ]);
    expect(gateway.sandbox.journal.requests()).toEqual([]);
  });

  async function get(parameters: string): Promise<Pick<GraphQLReply, 'status' | 'errors'>> {
    const headers = { accept: 'application/graphql-response+json', authorization: bearer };
    const reply = await fetch(`${gateway.url}/graphql?${parameters}`, { headers });
    return { status: reply.status, ...((await reply.json()) as Pick<GraphQLReply, 'errors'>) }; // a test's view
  }

  it('takes whole surrogate pairs, escaped or not', async () => {
    expect((await ask(JSON.stringify(MOBILES_OF), '{"v":"\\ud83d\\ude00 😀"}')).errors).toBeUndefined();
    expect(
      (await ask('"{ mobiles(search: \\"\\\\ud83d\\\\ude00\\") { edges { node { id } } } }"')).errors,
    ).toBeUndefined();
  });

  it('that is no UTF-8 is 400', async () => {
    const body = '{"query":"{ serviceVersion }","variables":{"v":"\xed\xa0\x80"}}';
    const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length, Connection: 'close' };
    const reply = await converse(gateway.url, rawRequest('POST /graphql HTTP/1.1', headers, body));
    expect([reply.statuses, JSON.parse(bodyOf(reply))]).toEqual([
      [400],
      {
        errors: [
          { message: 'POST body is not UTF-8.', path: [], extensions: { code: 'BadInput', status: 400, path: [] } },
        ],
      },
    ]);
  });

  it.each(['application/json ; charset=utf-8', 'Application/JSON'])('may call its JSON %s', async (type) => {
    const reply = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: '\ufeff{"query":"{ serviceVersion }"}',
    });
    expect([reply.status, await reply.json()]).toEqual([200, { data: { serviceVersion: '0.0.0-test' } }]);
  });

  it('with bytes in Authorization that are no token is refused as one whose token is invalid', async () => {
    const body = '{"query":"{ me { Org } }"}';
    const headers = { Authorization: 'Bearer \xed\xa0\x80', 'Content-Type': 'application/json', Connection: 'close' };
    const request = rawRequest('POST /graphql HTTP/1.1', { ...headers, 'Content-Length': body.length }, body);
    const reply = await converse(gateway.url, request);
    expect(JSON.parse(bodyOf(reply))).toMatchObject({
      data: { me: null },
      errors: [{ message: 'token is invalid', path: ['me'], extensions: { code: 'UnAuthenticated', status: 400 } }],
    });
  });

  it('of one caller that nobody can carry out does not keep the others from the backend', async () => {
    await Promise.all(Array.from({ length: 60 }, () => ask(JSON.stringify(MOBILES_OF), `{"v":"${HALF}"}`)));
    await Promise.all(Array.from({ length: 60 }, () => gateway.callback(MOBILES, mobile(`"id":1,"name":"${HALF}"`))));
    expect((await ask(JSON.stringify(MOBILES_OF))).errors).toBeUndefined();
    expect(gateway.logged()).not.toContain('circuit.opened');
  });
});

describe('an argument', () => {
  const tooLong = (length: number): string => JSON.stringify('x'.repeat(length));
  it.each([
    ['mobiles', 'search', 'String', tooLong(257), 'search must be text of at most 256 characters.'],
    ['mobiles', 'search', 'String', JSON.stringify('😀'.repeat(257)), 'search must be text of at most 256 characters.'],
    ['mobiles', 'after', 'String', tooLong(8_193), 'after must be text of at most 8192 characters.'],
    ['mobiles', 'tagIds', '[Int!]', many(1_001, '1'), 'tagIds must be a list of at most 1000 entries.'],
    ['mobiles', 'tagIds', '[Int!]', '[1,0]', 'tagIds[1] must be an integer from 1 to 2147483647.'],
    ['userAccounts', 'after', 'String', tooLong(8_193), 'after must be text of at most 8192 characters.'],
  ])('%s(%s: %s) beyond its bounds is BadInput', async (field, name, type, value, message) => {
    const query = `query($v: ${type}) { here: ${field}(${name}: $v) { edges { node { id } } } }`;
    const { errors, data } = await refused(query, `{"v":${value}}`);
    expect([errors?.[0]?.message, errors?.[0]?.path, data]).toEqual([message, ['here'], { here: null }]);
  });

  it.each([
    ['query($v: Int!) { here: mobile(id: $v) { id } }', '0', 'id must be an integer from 1 to 2147483647.'],
    ['query($v: ID!) { here: fetchDrivingReportsStatus(jobId: $v) { state } }', tooLong(257), 'jobId must be text of'],
    [
      'query($v: ID!) { here: fetchBulkUpdateMobileStatus(jobId: $v) { state } }',
      tooLong(257),
      'jobId must be text of',
    ],
    [
      'query($v: ID!) { here: fetchBulkOperationUserAccountStatus(jobId: $v) { state } }',
      tooLong(257),
      'jobId must be text of',
    ],
    [
      'mutation($v: String!) { here: userLogin(loginId: $v, password: "x") { otpRequired } }',
      tooLong(257),
      'loginId must be',
    ],
    [
      'mutation($v: String!) { here: userLogin(loginId: "x", password: $v) { otpRequired } }',
      tooLong(257),
      'password must be',
    ],
    [
      'mutation($v: String!) { here: refreshUserToken(refreshToken: $v) { expiresIn } }',
      tooLong(8_193),
      'refreshToken must be',
    ],
    ['mutation($v: String!) { here: sendOtp(loginId: $v) { sentTo } }', tooLong(257), 'loginId must be'],
    ['mutation($v: String!) { here: sendTestOtp(loginId: $v) { sentTo } }', tooLong(257), 'loginId must be'],
    [
      'mutation($v: String!) { here: verifyOtp(loginId: $v, code: "1") { expiresIn } }',
      tooLong(257),
      'loginId must be',
    ],
    ['mutation($v: String!) { here: verifyOtp(loginId: "x", code: $v) { expiresIn } }', tooLong(257), 'code must be'],
    [
      'mutation($v: String!) { here: verifyOtp(loginId: "x", code: "1", challenge: $v) { expiresIn } }',
      tooLong(8_193),
      'challenge must be',
    ],
  ])('beyond its bounds is BadInput: %s', async (query, value, message) => {
    const { errors } = await refused(query, `{"v":${value}}`);
    expect([errors?.[0]?.message, errors?.[0]?.path]).toEqual([expect.stringContaining(message), ['here']]);
  });

  it('within its bounds is passed on', async () => {
    const query = 'query($s: String, $t: [Int!]) { mobiles(search: $s, tagIds: $t) { edges { node { id } } } }';
    const variables = { s: '😀'.repeat(256), t: Array.from({ length: 1_000 }, () => 2_147_483_647) };
    expect((await gateway.graphql(query, variables, bearer)).errors).toBeUndefined();
  });

  it('tells nobody of its bounds who is not authenticated', async () => {
    const { errors } = await gateway.graphql(`{ mobiles(search: ${tooLong(257)}) { edges { node { id } } } }`);
    expect(errors?.map(({ message }) => message)).toEqual(['Authorization header not set']);
  });
});

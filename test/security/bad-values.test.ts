/** Values that no backend can take are refused before any call, wherever they stand, and hurt no other caller. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { getDirectiveValues, isInputObjectType, isListType, isNonNullType, type GraphQLArgument } from 'graphql';
import type { BoundsDirectiveArgs } from '../../generated/graphql.js';
import { CALLBACK_PATHS, JOB_KINDS } from '../../src/jobs/record/job-kinds.js';
import { startTestGateway, type GraphQLReply, type ShownError } from '../support/gateway.js';
import { HANDLERS, type Asked } from '../support/graphql-handlers.js';
import { DRIVING_REPORT, MOBILES, USER_ACCOUNTS } from '../support/job-requests.js';
import { JOBS, unservedSchema } from '../support/job-table.js';
import { bodyOf, converse } from '../support/raw-conversation.js';
import { rawRequest } from '../support/raw-http.js';
import { forAllTests } from '../support/resources.js';
import { operationsOf, rootFieldsOf } from '../support/schema-operations.js';
import { finishedJob, startJob } from '../support/started-jobs.js';

const ILL_FORMED = 'must be well-formed Unicode text, without half of a surrogate pair';
const INEXACT = 'must be from -9007199254740991 to 9007199254740991; numbers beyond are not exact';
const IDENTIFIER = 'must be an integer from 1 to 9007199254740991';
const TEXT = 'must be text of at most 256 characters';
const LIST = 'must be a list of at most 1000 entries';
const TIMESTAMP = 'must be a timestamp such as 2026-11-20T00:00:00+09:00, seconds from 00 to 59, with Z or an offset';
const NO_SUCH_DATE = 'must be a date of the calendar; this one does not exist';
const OUTSIDE = 'must be from 0001-01-02 to 9999-12-30';
const ID_TEXT = 'must be text of 1 to 128 characters';
const ACCOUNT = '/0/userAccountInput';

/** Half of a surrogate pair, as JSON writes it. */
const HALF = '\\ud800';

const schema = unservedSchema();

const gateway = forAllTests(() =>
  startTestGateway({ LOGIN_RATE_PER_MINUTE: '1000', OTP_SEND_RATE_PER_MINUTE: '1000' }),
);
const user = forAllTests(async () => ({ bearer: await gateway.bearer() }));

/** JSON of an array with so many of the same entry. */
const many = (count: number, entry: string): string => `[${Array.from({ length: count }, () => entry).join()}]`;

const account = (fields: string): string => `[{"type":0,"userAccountInput":{"loginId":"new",${fields}}}]`;
const mobile = (fields: string): string => `[{${fields}}]`;
const report = (driver: string, date = '2026-11-19T00:00:00Z'): string =>
  `{"date":"${date}","drivers":[{"mobileId":"1","employeeCode":"E","employeeName":"N",${driver}}]}`;
const reportOf = (date: string): string => `{"date":${JSON.stringify(date)},"drivers":[]}`;

/** Bodies, where each is wrong, and how. */
const FAULTS: readonly (readonly [callback: string, body: string, path: string, message: string])[] = [
  [USER_ACCOUNTS, `[{"type":2,"userAccountInput":{"loginId":"a${HALF}"}}]`, `${ACCOUNT}/loginId`, ILL_FORMED],
  [USER_ACCOUNTS, account(`"password":"${HALF}"`), `${ACCOUNT}/password`, ILL_FORMED],
  [USER_ACCOUNTS, account('"name":"\\udc00\\ud800"'), `${ACCOUNT}/name`, ILL_FORMED],
  [USER_ACCOUNTS, account(`"indivs":[{"a":["${HALF}"]}]`), `${ACCOUNT}/indivs/0/a/0`, ILL_FORMED],
  [USER_ACCOUNTS, account(`"vptGrps":[{"${HALF}":1}]`), `${ACCOUNT}/vptGrps/0/\ufffd`, `as a name ${ILL_FORMED}`],
  [USER_ACCOUNTS, account(`"unknown":"${HALF}"`), `${ACCOUNT}/unknown`, ILL_FORMED],
  [USER_ACCOUNTS, account('"indivs":[9007199254740993]'), `${ACCOUNT}/indivs/0`, INEXACT],
  [USER_ACCOUNTS, account('"vptGrps":[{"id":-9007199254740992}]'), `${ACCOUNT}/vptGrps/0/id`, INEXACT],
  [USER_ACCOUNTS, account('"functionRestriction":1e30'), `${ACCOUNT}/functionRestriction`, INEXACT],
  [USER_ACCOUNTS, account('"unknown":[9007199254740993]'), `${ACCOUNT}/unknown/0`, INEXACT],
  [USER_ACCOUNTS, account(`"indivs":${many(1_001, '1')}`), `${ACCOUNT}/indivs`, LIST],
  [USER_ACCOUNTS, account(`"vptGrps":${many(1_001, 'null')}`), `${ACCOUNT}/vptGrps`, LIST],
  [USER_ACCOUNTS, account(`"landmarkCategories":${many(1_001, '{}')}`), `${ACCOUNT}/landmarkCategories`, LIST],
  [USER_ACCOUNTS, account(`"password":"${'p'.repeat(257)}"`), `${ACCOUNT}/password`, TEXT],
  [USER_ACCOUNTS, account(`"name":"${'😀'.repeat(257)}"`), `${ACCOUNT}/name`, TEXT],
  [
    USER_ACCOUNTS,
    `[{"type":2,"userAccountInput":{"loginId":"${'x'.repeat(257)}"}}]`,
    `${ACCOUNT}/loginId`,
    'must be text of 1 to 256 characters',
  ],
  [MOBILES, mobile(`"id":1,"name":"${HALF}"`), '/0/name', ILL_FORMED],
  [MOBILES, mobile('"id":9007199254740993'), '/0/id', INEXACT],
  [MOBILES, mobile('"id":1,"tagIds":[9007199254740993]'), '/0/tagIds/0', INEXACT],
  [MOBILES, mobile('"id":0'), '/0/id', IDENTIFIER],
  [MOBILES, mobile('"id":-1'), '/0/id', IDENTIFIER],
  [MOBILES, mobile('"id":1.5'), '/0/id', IDENTIFIER],
  [MOBILES, mobile('"id":"01"'), '/0/id', IDENTIFIER],
  [MOBILES, mobile('"id":1,"tagIds":[1,0]'), '/0/tagIds/1', IDENTIFIER],
  [MOBILES, mobile('"id":1,"tagIds":[true]'), '/0/tagIds/0', IDENTIFIER],
  [MOBILES, mobile(`"id":1,"tagIds":${many(1_001, '1')}`), '/0/tagIds', LIST],
  [MOBILES, mobile(`"id":1,"num":"${'n'.repeat(257)}"`), '/0/num', TEXT],
  [MOBILES, mobile(`"id":1,"name":"${'n'.repeat(257)}"`), '/0/name', TEXT],
  [DRIVING_REPORT, report(`"employeeName":"${HALF}"`), '/drivers/0/employeeName', ILL_FORMED],
  [DRIVING_REPORT, report('"mobileId":""'), '/drivers/0/mobileId', ID_TEXT],
  [DRIVING_REPORT, report(`"mobileId":"${'1'.repeat(129)}"`), '/drivers/0/mobileId', ID_TEXT],
  [DRIVING_REPORT, report(`"employeeCode":"${'1'.repeat(257)}"`), '/drivers/0/employeeCode', TEXT],
  [DRIVING_REPORT, report(`"employeeName":"${'1'.repeat(257)}"`), '/drivers/0/employeeName', TEXT],
  ...Object.entries({
    [NO_SUCH_DATE]: ['2023-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-00-00'].map(
      (day) => `${day}T00:00:00Z`,
    ),
    [OUTSIDE]: ['0000-12-31T00:00:00Z', '0001-01-01T23:59:59-23:59', '9999-12-31T00:00:00+09:00'],
    [TIMESTAMP]: [
      ...['2026-11-20T00:00:60Z', '2026-11-20T24:00:00Z', '2026-11-20 00:00:00z', '2026-11-20T00:00:00'],
      ...['2026-11-20T00:00:00+0900', '2026-11-20', '+12026-11-20T00:00:00Z', `2026-11-20T00:00:00Z${HALF}`],
    ],
  }).flatMap(([message, dates]) => dates.map((date) => [DRIVING_REPORT, reportOf(date), '/date', message] as const)),
];

/** The mutation that starts the same job, by the path of its callback; its variable is the body. */
const MUTATIONS: ReadonlyMap<string, string> = new Map(
  JOB_KINDS.map((kind) => {
    const { start } = JOBS[kind];
    const [body] = schema.getMutationType()?.getFields()[start]?.args ?? [];
    return [
      CALLBACK_PATHS[kind],
      `mutation($body: ${String(body?.type)}) { ${start}(${body?.name}: $body) { jobId } }`,
    ] as const;
  }),
);

/** The JSON of a body with the operations of accounts as the SDL names them. */
const named = (body: string): string =>
  body.replace(/"type":([02])/g, (_, type) => `"type":"${type === '0' ? 'CREATE' : 'DELETE'}"`);

const shortened = (body: string): string => (body.length > 90 ? `${body.slice(0, 60)} … ${body.slice(-20)}` : body);

function called(): readonly unknown[] {
  // Variables are looked at after the token.
  return gateway.sandbox.journal.requests().filter(({ operation }) => operation !== 'getPublicKeys');
}

/** Fails unless something was refused as `BadInput` without a call. @returns its only error */
async function refused(asked: Asked, handler: keyof typeof HANDLERS = 'POST', status = 200): Promise<ShownError> {
  gateway.sandbox.journal.clear();
  const answer = await HANDLERS[handler](gateway.url, asked, { authorization: user.bearer });
  const { errors = [] } = JSON.parse(answer.text) as Pick<GraphQLReply, 'errors'>; // a test's view
  expect([answer.status, errors.length]).toEqual([status, 1]);
  const [error] = errors;
  if (error === undefined) throw new Error(answer.text);
  expect(error.extensions).toMatchObject({ code: 'BadInput', status: 400, path: error.path });
  expect(called()).toEqual([]);
  return error;
}

/** A request whose query and variables are JSON already. */
const written = (query: string, variables = '{}'): string => `{"query":${query},"variables":${variables}}`;

describe('the body of a job', () => {
  it.each(FAULTS.map((fault) => [shortened(fault[1]), ...fault] as const))(
    'is refused as a callback and as a mutation: %s',
    async (_name, path, body, pointer, message) => {
      gateway.sandbox.journal.clear();
      const reply = await gateway.callback(path, body, { 'x-job-id': randomUUID() });
      const errors = [{ path: pointer, message }];
      const told = { message: 'The request body does not match the specification.', errors };
      expect([reply.status, reply.body]).toEqual([400, told]);
      expect(gateway.sandbox.journal.requests()).toEqual([]);

      const query = JSON.stringify(MUTATIONS.get(path));
      gateway.sandbox.journal.clear();
      const answer = await HANDLERS.POST(gateway.url, written(query, `{"body":${named(body)}}`), {
        authorization: user.bearer,
      });
      const [error] = (JSON.parse(answer.text) as { errors: ShownError[] }).errors; // a test's view
      expect(error?.extensions).toMatchObject({ code: 'BadInput', reason: 'InvalidInput', path: error?.path });
      expect(called()).toEqual([]);
      const keys = pointer.split('/').slice(1);
      const argument = path === DRIVING_REPORT ? 'input' : 'items';
      // ID of GraphQL has words of its own for what it cannot hold.
      const noId = /"id":1\.5|\[true\]/.test(body);
      // The schema does not know members that callbacks ignore.
      const isUnknown = keys.includes('unknown');
      const of = isUnknown ? keys.slice(0, keys.indexOf('unknown') + 1) : keys;
      const expected = isUnknown ? 'is not known here' : noId ? 'must be of the type ID' : message;
      expect(error?.extensions.fields).toMatchObject([
        { path: [argument, ...of.map((key) => (/^\d+$/.test(key) ? Number(key) : key))], message: expected },
      ]);
      expect(error?.message).toContain(expected);
    },
  );

  it.each([
    [MOBILES, mobile(`"id":9007199254740991,"num":"${'😀'.repeat(256)}","tagIds":${many(1_000, '9007199254740991')}`)],
    [USER_ACCOUNTS, account(`"name":"${'n'.repeat(256)}","indivs":${many(1_000, '9007199254740991')}`)],
    [DRIVING_REPORT, report(`"mobileId":"${'9'.repeat(128)}","employeeName":"${'n'.repeat(256)}"`)],
    [DRIVING_REPORT, report('"mobileId":"1"', '0099-02-28T23:59:59.999999999-23:59')],
    [DRIVING_REPORT, report('"mobileId":"1"', '2000-02-29T00:00:00Z')],
  ])('of %s may be as large as the limits, row %#', async (path, body) => {
    expect((await gateway.callback(path, body, { 'x-job-id': randomUUID() })).status).toBe(200);
  });

  it('may name a day as early as 0001-01-02, which is in the key of its report', async () => {
    const date = '0001-01-02T00:00:00+23:59';
    const drivers = [{ mobileId: '1', employeeCode: 'E', employeeName: 'N' }];
    const { jobId } = await startJob(gateway, 'reports', { date, drivers });
    const key = expect.stringContaining('/0001-01-02/');
    expect(await finishedJob(gateway, 'reports', jobId)).toMatchObject({ status: 'Success', errorList: null, key });
    expect((await gateway.callback(DRIVING_REPORT, { date, drivers: [] })).body).toEqual({ key, errorList: null });
  });

  it('may name a day as late as 9999-12-30 in a callback', async () => {
    const reply = await gateway.callback(DRIVING_REPORT, { date: '9999-12-30T23:59:59-23:59', drivers: [] });
    expect(reply.body).toEqual({ key: expect.stringContaining('/9999-12-30/'), errorList: null });
  });

  const unknown = (count: number): string => Array.from({ length: count }, (_, at) => `"own${at}":${at}`).join();
  it.each([
    ['an item', MOBILES, (members: string) => mobile(`"id":1,${members}`), '/0'],
    ['an account', USER_ACCOUNTS, account, ACCOUNT],
    ['an unknown member', MOBILES, (members: string) => mobile(`"id":1,"own":{${members}}`), '/0/own'],
    [
      'a report',
      DRIVING_REPORT,
      (members: string) => `${reportOf('2026-11-20T00:00:00Z').slice(0, -1)},${members}}`,
      '',
    ],
  ])('may have 64 members of its own in %s', async (_where, path, body, place) => {
    expect((await gateway.callback(path, body(unknown(64)), { 'x-job-id': randomUUID() })).status).toBe(200);
    for (const count of [65, 150_000]) {
      expect(await gateway.callback(path, body(unknown(count)), { 'x-job-id': randomUUID() })).toMatchObject({
        status: 400,
        body: { errors: [{ path: place, message: 'must have at most 64 members that are not known here' }] },
      });
    }
  });

  it('may have any number of members in entries of JSON', async () => {
    const body = account(`"indivs":[{${unknown(65)}}],"vptGrps":[[{${unknown(65)}}]]`);
    expect((await gateway.callback(USER_ACCOUNTS, body, { 'x-job-id': randomUUID() })).status).toBe(200);
  });

  it('is refused for integers in literals that are not exact', async () => {
    const query = `mutation { startBulkOperationUserAccount(items: [
      { type: DELETE, userAccountInput: { loginId: "x", indivs: [{ id: 9007199254740993 }] } }]) { jobId } }`;
    expect((await refused({ query })).message).toBe(
      `The input cannot be used: items[0].userAccountInput.indivs[0].id ${INEXACT}.`,
    );
  });

  it('may have null for whatever is optional, which counts as absent', async () => {
    const nulls = (name: string, kept: object): object => {
      const type = schema.getType(name);
      const fields = isInputObjectType(type) ? Object.values(type.getFields()) : [];
      const optional = fields.filter((field) => !isNonNullType(field.type)).map((field) => [field.name, null] as const);
      expect(optional.length).toBeGreaterThan(2);
      return { ...Object.fromEntries(optional), ...kept };
    };
    const account = { type: 2, userAccountInput: nulls('UserAccountInput', { loginId: 'nobody' }) };
    const accounts = await startJob(gateway, 'accounts', [account]);
    await finishedJob(gateway, 'accounts', accounts.jobId);
    const mobiles = await startJob(gateway, 'mobiles', [nulls('MobileUpdateInput', { id: 1 })]);
    expect(await finishedJob(gateway, 'mobiles', mobiles.jobId)).toMatchObject({ status: 'Success' });
  });

  it('is counted before anything is done with its items', async () => {
    const items = Array.from({ length: 185_000 }, () => ({ id: 1 }));
    const aliases = (count: number): string =>
      Array.from({ length: count }, (_, index) => `a${index}: startBulkUpdateMobile(items: $v) { jobId }`).join(' ');
    const asked = (count: number, length: number): Asked => ({
      query: `mutation ($v: [MobileUpdateInput!]!) { ${aliases(count)} }`,
      variables: { v: items.slice(0, length) },
    });
    const whole = 'Too many items: 185000 in items. The limit is 1000 (BULK_MAX_ITEMS).';
    for (const count of [1, 3]) expect((await refused(asked(count, 185_000))).message).toContain(whole);
    expect((await refused(asked(10, 185_000))).message).toContain('The limit is 3 (GRAPHQL_MAX_JOB_STARTS)');
    const tooMany = 'Too many items: 1001 in items. The limit is 1000 (BULK_MAX_ITEMS).';
    expect(await refused(asked(1, 1_001))).toMatchObject({ message: tooMany, path: ['a0'] });
    const million = many(1_000_000, '1');
    expect(await gateway.callback(MOBILES, million)).toMatchObject({
      status: 413,
      body: { message: 'Too many items: 1000000. The limit is 1000 (BULK_MAX_ITEMS).' },
    });
    expect(await gateway.callback(MOBILES, `[{"id":1,"tagIds":${million}}]`)).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/0/tagIds', message: LIST }] },
    });
  });
});

const SEARCH = 'query($v: String) { mobiles(search: $v) { edges { node { id } } } }';

describe('half of a surrogate pair', () => {
  const LOG_IN = 'mutation($v: String!) { userLogin(loginId: $v, password: "x") { otpRequired } }';
  it.each([
    ['a variable', written(JSON.stringify(SEARCH), `{"v":"${HALF}"}`), 'search', 'POST'],
    ['a public operation', written(JSON.stringify(LOG_IN), '{"v":"\\udfff"}'), 'loginId', 'POST'],
    ['a variable by GET', { query: SEARCH, variables: `{"v":"${HALF}"}` }, 'search', 'GET'],
  ] as const)('in %s is BadInput', async (_where, asked, place, handler) => {
    const error = await refused(asked, handler);
    expect([error.message, error.path]).toEqual([`The input cannot be used: ${place} ${ILL_FORMED}.`, []]);
  });

  it.each(['POST', 'chunked POST'] as const)('is ignored in what no one reads, by %s', async (handler) => {
    const odd = `{"${HALF}":["${HALF}",12345678901234567890,1e999]}`;
    const query = '"query":"{ serviceVersion }"';
    for (const member of ['variables', 'extensions', 'id', 'onError', 'doc_id']) {
      const body = `{${query},"${member}":${odd}}`;
      expect((await HANDLERS[handler](gateway.url, body)).text).toBe('{"data":{"serviceVersion":"0.0.0-test"}}');
    }
  });

  it.each([
    ['as a character', `{ mobiles(search: \\"${HALF}\\") { edges { node { id } } } }`],
    ['in a block text', `{ mobiles(search: \\"\\"\\"${HALF}\\"\\"\\") { edges { node { id } } } }`],
    ['in a comment', `{ serviceVersion } # ${HALF}`],
    ['as an escape', `{ mobiles(search: \\"\\\\ud800\\") { edges { node { id } } } }`],
    ['as an escape of variable width', `{ mobiles(search: \\"\\\\u{d800}\\") { edges { node { id } } } }`],
    ['in a name of an input', `{ mobiles(search: {a\\\\ud800: 1}) { edges { node { id } } } }`],
  ])('in a document %s is BadInput', async (_how, query) => {
    gateway.sandbox.journal.clear();
    const { text } = await HANDLERS.POST(gateway.url, written(`"${query}"`), { authorization: user.bearer });
    const extensions: unknown = expect.objectContaining({ code: 'BadInput', status: 400, path: [] });
    expect(JSON.parse(text)).toEqual({ errors: [expect.objectContaining({ path: [], extensions })] });
    expect(gateway.sandbox.journal.requests()).toEqual([]);
  });

  it('in a document is refused by GET too', async () => {
    expect((await refused({ query: `{ mobiles(search: "${HALF}") { edges { node { id } } } }` }, 'GET')).path).toEqual(
      [],
    );
  });

  it('is none when the other half is there, escaped or not', async () => {
    for (const body of [
      written(JSON.stringify(SEARCH), '{"v":"\\ud83d\\ude00 😀"}'),
      written('"{ mobiles(search: \\"\\\\ud83d\\\\ude00\\") { edges { node { id } } } }"'),
    ]) {
      expect((await HANDLERS.POST(gateway.url, body, { authorization: user.bearer })).text).not.toContain('errors');
    }
  });

  it('of one caller does not keep the others from the backend', async () => {
    const half = written(JSON.stringify(SEARCH), `{"v":"${HALF}"}`);
    const sixty = Array.from({ length: 60 });
    await Promise.all(sixty.map(() => HANDLERS.POST(gateway.url, half, { authorization: user.bearer })));
    await Promise.all(sixty.map(() => gateway.callback(MOBILES, mobile(`"id":1,"name":"${HALF}"`))));
    expect((await gateway.graphql(SEARCH, {}, user.bearer)).errors).toBeUndefined();
    expect(gateway.logged()).not.toContain('circuit.opened');
  });
});

describe('bytes that are no UTF-8', () => {
  const post = (body: string, more: Readonly<Record<string, string>> = {}): string => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length, Connection: 'close', ...more };
    return rawRequest('POST /graphql HTTP/1.1', headers, body);
  };

  it('are 400 as a body', async () => {
    const body = '{"query":"{ serviceVersion }","variables":{"v":"\xed\xa0\x80"}}';
    const reply = await converse(gateway.url, post(body));
    const error = {
      message: 'The request body is not UTF-8.',
      path: [],
      extensions: { code: 'BadInput', reason: 'BodyNotUtf8', values: {}, status: 400, path: [] },
    };
    expect([reply.statuses, JSON.parse(bodyOf(reply))]).toEqual([[400], { errors: [error] }]);
  });

  it('are no token', async () => {
    const reply = await converse(
      gateway.url,
      post('{"query":"{ me { Org } }"}', { Authorization: 'Bearer \xed\xa0\x80' }),
    );
    expect(JSON.parse(bodyOf(reply))).toMatchObject({
      data: { me: null },
      errors: [{ message: 'token is invalid', path: ['me'], extensions: { code: 'UnAuthenticated', status: 400 } }],
    });
  });
});

/** An argument of an operation with its bounds, as they stand in the SDL. */
interface Bounded {
  readonly field: string;
  readonly argument: GraphQLArgument;
  readonly bounds: BoundsDirectiveArgs;
}

const bounded: readonly Bounded[] = rootFieldsOf(schema).flatMap(({ field }) =>
  field.args.flatMap((argument): Bounded[] => {
    const directive = schema.getDirective('bounds');
    const bounds: BoundsDirectiveArgs | undefined =
      directive && argument.astNode ? getDirectiveValues(directive, argument.astNode) : undefined;
    return bounds ? [{ field: field.name, argument, bounds }] : [];
  }),
);

/** Values beyond the bounds of an argument, each with its message, and one within. */
function valuesFor({ argument: { name, type }, bounds: { maxLength, maxItems, min } }: Bounded): {
  readonly beyond: readonly (readonly [value: unknown, message: string])[];
  readonly within: unknown;
} {
  const isList = isListType(type);
  const beyond: (readonly [unknown, string])[] = [];
  if (typeof maxLength === 'number') {
    const message = `${name} must be text of at most ${maxLength} characters.`;
    beyond.push(['x'.repeat(maxLength + 1), message], ['😀'.repeat(maxLength + 1), message]);
  }
  if (typeof maxItems === 'number') {
    beyond.push([Array(maxItems + 1).fill(1), `${name} must be a list of at most ${maxItems} entries.`]);
  }
  if (typeof min === 'number') {
    beyond.push([isList ? [min, min - 1] : min - 1, `${name}${isList ? '[1]' : ''} ${IDENTIFIER}.`]);
  }
  const within = isList
    ? Array(maxItems ?? 1).fill(Number.MAX_SAFE_INTEGER)
    : '😀'.repeat(maxLength ?? 0) || Number.MAX_SAFE_INTEGER;
  return { beyond, within };
}

describe('an argument', () => {
  const operation = (field: string): { query: string; variables: object } => {
    const found = operationsOf(schema, { after: null, search: null }).find((each) => each.field === field);
    if (found === undefined) throw new Error(`There is no ${field}.`);
    return found;
  };

  it('of each of these operations has bounds', () => expect(bounded.length).toBeGreaterThan(15));

  it.each(bounded.map((each) => [each.field, each.argument.name, each] as const))(
    '%s(%s) is BadInput beyond its bounds, and none within',
    async (field, name, each) => {
      const { query, variables } = operation(field);
      const { beyond, within } = valuesFor(each);
      expect(beyond.length).toBeGreaterThan(0);
      for (const [value, message] of beyond) {
        const error = await refused({ query, variables: { ...variables, [name]: value } });
        expect([error.message, error.path]).toEqual([`The input cannot be used: ${message}`, [field]]);
      }
      const { errors = [] } = await gateway.graphql(query, { ...variables, [name]: within }, user.bearer);
      for (const { message } of errors) expect(message).not.toMatch(/must be (text|an integer|a list)/);
    },
  );

  it('shows its bounds only with a valid token', async () => {
    const { errors } = await gateway.graphql(`{ mobiles(search: "${'x'.repeat(257)}") { edges { node { id } } } }`);
    expect(errors?.map(({ message }) => message)).toEqual(['Authorization header not set']);
  });

  it('that is null counts as absent where it is optional', async () => {
    const query = `query($search: String, $tagIds: [ID!], $first: Int, $after: String) {
      mobiles(search: $search, tagIds: $tagIds, first: $first, after: $after) { edges { node { id } } } }`;
    const absent = await gateway.graphql(query, {}, user.bearer);
    const given = await gateway.graphql(query, { search: null, tagIds: null, first: null, after: null }, user.bearer);
    expect([given.errors, given.text]).toEqual([undefined, absent.text]);
    const [first, second] = gateway.sandbox.journal.requests({ operation: 'listMobiles' }).slice(-2);
    expect(second?.query).toEqual(first?.query);
  });
});

/**
 * The service specification, row by row: one `describe` per heading, one test per sentence that can be broken. Depth is
 * a matter of the suites of the parts.
 */
import { describe, expect, it } from '@jest/globals';
import { startTestGateway, type GraphQLReply } from '../support/gateway.js';
import {
  createAccount,
  deleteAccount,
  DRIVING_REPORT,
  MOBILES,
  outcomeOf,
  reportOf,
  updateAccount,
  USER_ACCOUNTS,
} from '../support/job-requests.js';
import { closeAfterTest, forAllTests } from '../support/resources.js';
import { finishedJob, pollJob, startJob } from '../support/started-jobs.js';

const ACME = { 'x-org-id': 'acme' };
const ME = '{ me { BackendUser Org Issuser Region IsAdmin LoggedInId ChatId } }';

const gateway = forAllTests(startTestGateway);

const user = forAllTests(async () => ({ bearer: await gateway.bearer() }));

async function me(claims: Record<string, unknown>): Promise<GraphQLReply> {
  return gateway.graphql(ME, {}, await gateway.bearer({ claims }));
}

function unAuthenticated(message: string, path: string): unknown {
  return expect.objectContaining({
    message,
    path: [path],
    extensions: { code: 'UnAuthenticated', reason: expect.any(String), values: {}, status: 400, path: [path] },
  });
}

/** The callback refuses this body, and names the field. */
async function expectRefused(callback: string, body: unknown, path: string): Promise<void> {
  const { status, body: reply } = await gateway.callback(callback, body);
  expect([status, reply]).toMatchObject([400, { errors: [{ path }] }]);
}

describe('What the service does: interfaces', () => {
  it('POST {base_url}/graphql answers queries without a token', async () => {
    const { status, data } = await gateway.graphql('{ serviceVersion }');
    expect([status, data]).toEqual([200, { serviceVersion: '0.0.0-test' }]);
  });

  it('GET {base_url}/playground exists in development', async () => {
    const reply = await fetch(`${gateway.url}/playground`);
    expect(reply.status).toBe(200);
    expect(await reply.text()).toContain('<!doctype html>');
  });

  it('in production, GET {base_url}/playground does not exist, and ALLOW_TEST_OTP=true allows sendTestOtp', async () => {
    const production = closeAfterTest(await startTestGateway({ ALLOW_TEST_OTP: 'true' }, { production: true }));
    expect((await fetch(`${production.url}/playground`)).status).toBe(404);
    const { data } = await production.graphql('mutation { sendTestOtp(loginId: "otp") { sentTo } }');
    expect(data).toEqual({ sendTestOtp: { sentTo: expect.any(String) } });
  });
});

describe('Resources: JWT claims read by the service', () => {
  it.each<[claim: string, values: readonly unknown[]]>([
    ['preferred_username', [undefined, '']],
    ['org:id', [undefined, '']],
    ['region', [undefined, '']],
    ['iss', [undefined, 'https://somebody.else']],
  ])('required: %s is refused as any of %j', async (claim, values) => {
    for (const value of values) {
      const { data, errors } = await me({ [claim]: value });
      expect([value, data, errors]).toEqual([value, { me: null }, [unAuthenticated('token is invalid', 'me')]]);
    }
  });

  it('required: aud in TOKEN_ISSUSERS is enough without iss', async () => {
    const { data, errors } = await me({ iss: undefined, aud: gateway.sandbox.issuer });
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ me: { Issuser: '' } });
  });

  it('required: iss or aud is compared with every entry of the comma-separated TOKEN_ISSUSERS', async () => {
    const several = closeAfterTest(
      await startTestGateway({ TOKEN_ISSUSERS: ' https://one.example , https://two.example ' }),
    );
    const ask = async (iss: string): Promise<GraphQLReply> =>
      several.graphql(ME, {}, await several.bearer({ claims: { iss } }));
    expect((await ask('https://two.example')).data).toMatchObject({ me: { Issuser: 'https://two.example' } });
    expect((await ask('https://one.example,https://two.example')).data).toEqual({ me: null });
    expect((await ask('https://two')).data).toEqual({ me: null });
  });

  it('optional: is_admin defaults to false when absent', async () => {
    expect((await me({ is_admin: undefined })).data).toMatchObject({ me: { IsAdmin: false } });
  });
});

describe('Resources: AuthUser (request context); authentication 8. on success the resolver has it', () => {
  it.each([
    ['BackendUser', { preferred_username: 'tanaka' }, 'tanaka'],
    ['Org', { 'org:id': 'globex' }, 'globex'],
    ['Issuser', {}, 'https://sandbox.vehicle-location.test'],
    ['Region', { region: 'jp-west' }, 'jp-west'],
    ['IsAdmin', { is_admin: true }, true],
    ['LoggedInId', { loggedin_id: 'support-1' }, 'support-1'],
    ['LoggedInId', { loggedin_id: undefined }, null],
    ['ChatId', { chat_id: 'chat-9' }, 'chat-9'],
    ['ChatId', { chat_id: undefined }, null],
  ])('%s comes from %j', async (field, claims, value) => {
    expect((await me(claims)).data).toMatchObject({ me: { [field]: value } });
  });
});

it('Resources: JWKS document; its key data comes from backend-api', async () => {
  gateway.sandbox.journal.clear();
  const { body } = await gateway.rest('GET', '/.well-known/jwks.json');
  const { keys } = body as { keys: Record<string, string>[] };
  expect(keys.length).toBeGreaterThan(0);
  const [kid, n] = [expect.stringMatching(/.+/), expect.stringMatching(/^[\w-]{342}$/)];
  for (const key of keys) expect(key).toMatchObject({ alg: 'RS256', kty: 'RSA', use: 'sig', kid, n, e: 'AQAB' });
  expect(gateway.sandbox.journal.requests({ operation: 'getPublicKeys' })).toHaveLength(1);
});

describe('Resources: driving report request and response', () => {
  const { date, drivers } = reportOf(1);
  const [driver] = drivers;
  const withDriver = (change: object): object => ({ date, drivers: [driver, { ...driver, ...change }] });

  it.each([
    ['date missing', { drivers }, '/date'],
    ['date without an offset', { date: '2026-11-19T00:00:00', drivers }, '/date'],
    ['drivers missing', { date }, '/drivers'],
    ['drivers[].mobileId missing', withDriver({ mobileId: undefined }), '/drivers/1/mobileId'],
    ['drivers[].employeeCode missing', withDriver({ employeeCode: undefined }), '/drivers/1/employeeCode'],
    ['drivers[].employeeName as null', withDriver({ employeeName: null }), '/drivers/1/employeeName'],
  ])('%s is 400 and names the field', (_case, body, path) => expectRefused(DRIVING_REPORT, body, path));

  it('key names the PDF, and errorList is null when there are no errors', async () => {
    const reply = await gateway.callback(DRIVING_REPORT, { date, drivers }, ACME);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      key: expect.stringMatching(/^driving-reports\/org\/acme\/2026-11-19\/.+\.pdf$/),
      errorList: null,
    });
  });

  it('errorList lists the drivers without a page', async () => {
    const reply = await gateway.callback(DRIVING_REPORT, reportOf(1, 99_999), ACME);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      errorList: [{ mobileId: '99999', employeeCode: 'E-99999', code: 'NotFound', message: expect.any(String) }],
    });
  });
});

describe('Resources: bulk user account operation item', () => {
  it.each([
    ['type', [{ type: '0', userAccountInput: { loginId: 'x' } }], '/0/type'],
    ['type beyond 2', [{ type: 3, userAccountInput: { loginId: 'x' } }], '/0/type'],
    ['userAccountInput', [{ type: 0 }], '/0/userAccountInput'],
  ])('%s of the wrong type is 400 and names the field', (_, body, path) => expectRefused(USER_ACCOUNTS, body, path));

  /** Each field with a value of the right type, and one of a wrong type. */
  const FIELDS: Readonly<Record<string, readonly [right: unknown, wrong: unknown]>> = {
    loginId: ['all-fields', 5],
    password: ['a-long-password', 5],
    name: ['全項目', true],
    isAdmin: [false, 'yes'],
    useChat: [true, 1],
    functionRestriction: [3, 1.5],
    useIndivFilter: [true, 0],
    indivs: [[1, { any: 'value' }], 'all'],
    useVPTGrpFilter: [false, 0],
    vptGrps: [['g'], {}],
    useLandmarkCategoryFilter: [false, ''],
    landmarkCategories: [[], 3],
    useConnectionLimit: [true, 'no'],
  };

  it.each(Object.keys(FIELDS))('%s of the wrong type is 400 and names the field', (field) =>
    expectRefused(USER_ACCOUNTS, [updateAccount('x', { [field]: FIELDS[field]?.[1] })], `/0/userAccountInput/${field}`),
  );

  it('every field of the right type is accepted and reaches backend-api', async () => {
    const userAccountInput = Object.fromEntries(Object.entries(FIELDS).map(([field, [right]]) => [field, right]));
    const reply = await gateway.callback(USER_ACCOUNTS, [{ type: 0, userAccountInput }], ACME);
    expect(reply.body).toMatchObject({ status: 'Success' });
    const { data } = await gateway.graphql(
      `{ userAccounts(first: 200) { edges { node { loginId name useChat functionRestriction indivs vptGrps } } } }`,
      {},
      user.bearer,
    );
    const { edges } = data?.['userAccounts'] as { edges: { node: { loginId: string } }[] }; // as selected
    const created = edges.find(({ node }) => node.loginId === 'all-fields');
    expect(userAccountInput).toMatchObject(created?.node ?? { missing: true });
  });
});

describe('Resources: bulk user account response', () => {
  it('status "Success" with data.created_user_account_id', async () => {
    const items = [createAccount('spec-a'), createAccount('spec-b')];
    const reply = await gateway.callback(USER_ACCOUNTS, items, ACME);
    expect(reply.body).toEqual({
      status: 'Success',
      data: { created_user_account_id: [expect.any(Number), expect.any(Number)] },
    });
  });

  it('status "Failure" with errors', async () => {
    const reply = await gateway.callback(USER_ACCOUNTS, [deleteAccount('nobody')], ACME);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ status: 'Failure', errors: [expect.stringMatching(/^\[0\] nobody: /)] });
  });
});

describe('Resources: bulk mobile update item and response', () => {
  it.each([
    ['id missing', [{ num: 'M' }], '/0/id'],
    ['id', [{ id: '1' }], '/0/id'],
    ['num', [{ id: 1, num: 5 }], '/0/num'],
    ['name', [{ id: 1, name: [] }], '/0/name'],
    ['tagIds', [{ id: 1, tagIds: ['1'] }], '/0/tagIds/0'],
  ])('%s of the wrong type is 400 and names the field', (_field, body, path) => expectRefused(MOBILES, body, path));

  it('status "Success", and num, name and tagIds are changed in backend-api', async () => {
    const change = { id: 7, num: 'M-NEW', name: '新しい名前', tagIds: [1, 2] };
    const reply = await gateway.callback(MOBILES, [change], ACME);
    expect(reply.body).toEqual({ status: 'Success' });
    const { data } = await gateway.graphql('{ mobile(id: 7) { num name tags { id } } }', {}, user.bearer);
    expect(data).toEqual({ mobile: { num: 'M-NEW', name: '新しい名前', tags: [{ id: '1' }, { id: '2' }] } });
  });

  it('status "Failure" with errors', async () => {
    const reply = await gateway.callback(MOBILES, [{ id: 424242, name: 'x' }], ACME);
    expect(reply.body).toEqual({ status: 'Failure', errors: [expect.stringMatching(/^\[0\] 424242: /)] });
  });
});

describe('Resources: health response (readiness)', () => {
  it('Status "OK" and Items with the keys geo-api, backend-api, voip-api', async () => {
    const { status, body } = await gateway.rest('GET', '/health/ready');
    const Items = { 'geo-api': 'OK', 'backend-api': 'OK', 'voip-api': 'OK' };
    // All other headings are our own.
    expect([status, body]).toEqual([200, { Status: 'OK', Items, Stores: expect.anything(), Gateway: 'OK' }]);
  });

  it.each(['geo-api', 'backend-api', 'voip-api'] as const)('Status "NG" when %s does not respond', async (backend) => {
    const off = gateway.sandbox.faults.set({ backend, operation: 'getHealth', fault: { kind: 'down' } });
    const { status, body } = await gateway.rest('GET', '/health/ready');
    off();
    expect(status).toBe(200);
    expect(body).toMatchObject({ Status: 'NG', Items: { [backend]: 'NG' } });
  });
});

describe('States and transitions; job status record', () => {
  it('job pending → job finished: completed, callback_result_status and callback_result_body are stored', async () => {
    const held = gateway.sandbox.faults.hold({ operation: 'updateMobile', mobileId: '30' });
    const { jobId } = await startJob(gateway, 'mobiles', [{ id: 30, name: 'Held' }]);
    await held.held();
    expect(await pollJob(gateway, 'mobiles', jobId)).toMatchObject({ completed: false, status: null });
    held.release();
    const finished = { completed: true, state: 'FINISHED', status: 'Success', errors: null };
    expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject(finished);
    // The stored reply is what a second delivery gets.
    const replay = await gateway.callback(MOBILES, [{ id: 30, name: 'Held' }], { 'x-job-id': jobId, ...ACME });
    expect(outcomeOf(replay)).toEqual({ status: 200, text: '{"status":"Success"}', replayed: 'true' });
  });
});

describe('Endpoints', () => {
  it.each([
    ['GET', '/.well-known/jwks.json', 200],
    ['GET', '/health/ready', 200],
    ['GET', '/health/live', 200],
  ])('%s %s needs no authentication', async (method, path, status) => {
    expect((await gateway.rest(method, path)).status).toBe(status);
  });

  it('GET /health/live checks only the service itself', async () => {
    gateway.sandbox.journal.clear();
    const { body } = await gateway.rest('GET', '/health/live');
    expect(body).toEqual({ Status: 'OK' });
    expect(gateway.sandbox.journal.requests()).toEqual([]);
  });

  it('items of BulkOperationCallback are executed one after another, by type', async () => {
    gateway.sandbox.journal.clear();
    const items = [createAccount('in-turn'), updateAccount('in-turn', { name: 'Second' }), deleteAccount('in-turn')];
    expect((await gateway.callback(USER_ACCOUNTS, items, ACME)).body).toMatchObject({ status: 'Success' });
    expect(gateway.sandbox.journal.requests({ backend: 'backend-api' }).map(({ operation }) => operation)).toEqual([
      'createUserAccount',
      'updateUserAccount',
      'deleteUserAccount',
    ]);
    expect(gateway.sandbox.journal.effects().map(({ kind }) => kind)).toEqual([
      'userAccountCreated',
      'userAccountUpdated',
      'userAccountDeleted',
    ]);
  });

  it('mobile stations of BulkUpdateCallback are updated in turn', async () => {
    gateway.sandbox.journal.clear();
    const items = [3, 1, 2].map((id) => ({ id, name: `Truck ${id}` }));
    await gateway.callback(MOBILES, items, ACME);
    expect(gateway.sandbox.journal.effects('mobileUpdated').map(({ id }) => id)).toEqual([3, 1, 2]);
  });
});

describe('Authentication: JWT Bearer (GraphQL)', () => {
  it('1. fields without the directive are served without a token, beside a refused field', async () => {
    const { data, errors } = await gateway.graphql('{ serviceVersion me { Org } }');
    expect(data).toEqual({ serviceVersion: '0.0.0-test', me: null });
    expect(errors).toHaveLength(1);
  });

  it('2. when authentication fails the resolver is not called', async () => {
    gateway.sandbox.journal.clear();
    const { data, errors } = await gateway.graphql(
      'mutation { startBulkUpdateMobile(items: [{ id: 1, name: "x" }]) { jobId } }',
      {},
      'Bearer no.such.token',
    );
    expect(data).toEqual({ startBulkUpdateMobile: null });
    expect(errors).toEqual([unAuthenticated('token is invalid', 'startBulkUpdateMobile')]);
    expect(gateway.sandbox.journal.requests().map(({ operation }) => operation)).toEqual(['getPublicKeys']);
  });

  it.each([
    ['3. a missing Authorization header', undefined, 'Authorization header not set'],
    ['4. a header value without the prefix "Bearer "', 'bearer a.b.c', 'token is invalid'],
  ] as const)('%s is an error in a 200 response', async (_situation, authorization, message) => {
    const { status, errors } = await gateway.graphql(ME, {}, authorization);
    expect([status, errors]).toEqual([200, [unAuthenticated(message, 'me')]]);
  });

  it('5. the public key is fetched from backend-api on every request', async () => {
    gateway.sandbox.journal.clear();
    await gateway.graphql(ME, {}, user.bearer);
    await gateway.graphql(ME, {}, user.bearer);
    expect(gateway.sandbox.journal.requests({ operation: 'getPublicKeys' })).toHaveLength(2);
  });

  it('6. a signature that does not verify is "token is invalid"', async () => {
    const forged = await gateway.bearer({ key: 'unknown' });
    expect((await gateway.graphql(ME, {}, forged)).errors).toEqual([unAuthenticated('token is invalid', 'me')]);
  });

  it.each([
    [
      'userLogin',
      'mutation { userLogin(loginId: "demo", password: "demo-password") { otpRequired session { expiresIn } } }',
    ],
    ['refreshUserToken', 'mutation { refreshUserToken(refreshToken: "unknown") { accessToken } }'],
    ['verifyOtp', 'mutation { verifyOtp(loginId: "demo", code: "000000") { accessToken } }'],
    ['sendOtp', 'mutation { sendOtp(loginId: "staff-01") { sentTo } }'],
    ['sendTestOtp', 'mutation { sendTestOtp(loginId: "staff-02") { sentTo } }'],
  ])('%s needs no token', async (_field, mutation) => {
    const { errors } = await gateway.graphql(mutation);
    for (const { extensions } of errors ?? []) expect(extensions.code).toBe('InvalidCredentials');
  });
});

describe('Authentication: API key (REST callbacks)', () => {
  it.each([
    ['missing', {}],
    ['wrong', { 'x-api-key': 'wrong' }],
  ])('a key that is %s is 401 with the message "Unauthorized"', async (_case, headers) => {
    for (const path of [DRIVING_REPORT, USER_ACCOUNTS, MOBILES]) {
      const reply = await gateway.rest('POST', path, {
        headers: { 'content-type': 'application/json', ...headers },
        body: '{',
      });
      expect([reply.status, reply.body]).toEqual([401, { message: 'Unauthorized' }]);
    }
  });

  it('the key is the one configured in TASK_CALLBACK_API_KEY', async () => {
    const other = closeAfterTest(await startTestGateway({ TASK_CALLBACK_API_KEY: 'another-callback-key' }));
    const ask = (key: string): Promise<{ status: number }> => other.callback(MOBILES, [], { 'x-api-key': key });
    expect((await ask('another-callback-key')).status).toBe(200);
    expect((await ask('development-callback-key')).status).toBe(401);
  });
});

describe('Versioning', () => {
  it.each([DRIVING_REPORT, USER_ACCOUNTS, MOBILES])('%s does not exist without the prefix /api/v1', async (path) => {
    const reply = await fetch(`${gateway.url}${path.replace('/api/v1', '')}`, { method: 'POST' });
    expect(reply.status).toBe(404);
  });
});

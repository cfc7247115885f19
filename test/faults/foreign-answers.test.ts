/** Something in front of backend-api answers in its place. Only backend-api itself ends an item, or refuses a user. */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { SandboxEffect } from '../../src/sandbox/watched-requests.js';
import { textOf } from '../../src/base/error-table.js';
import { backendEnvironment, startTestGateway, type TestGateway } from '../support/gateway.js';
import {
  bulkReply,
  createAccount,
  createAccounts,
  deleteAccount,
  DRIVING_REPORT,
  jobHeaders,
  MOBILES,
  reportOf,
  updateAccount,
  USER_ACCOUNTS,
} from '../support/job-requests.js';
import { startRedis } from '../support/redis-server.js';
import { closeAfterTest, forAllTests } from '../support/resources.js';
import { ofNginx, startRouter, type RouterAnswer } from '../support/router.js';
import { finishedJob, pollJob, startJob } from '../support/started-jobs.js';
import { startBackends } from '../support/successive-gateways.js';
import { requireTool } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const UNKNOWN = 'not known to be done, there was no answer that shows it';

const sandbox = forAllTests(startBackends);
const router = forAllTests(() => startRouter(sandbox.backendApiUrl));
const environment = forAllTests(() => ({
  ...backendEnvironment(sandbox),
  BACKEND_API_URL: router.url,
  // Longer than a test may take.
  JOB_PATIENCE_SECONDS: '3000',
  METRICS_PORT: '0',
  // Users are recognised whatever the router does.
  PUBLIC_KEY_MAX_AGE_SECONDS: '3600',
}));
const gateway = forAllTests(() => startTestGateway(environment, { sandbox }));
const impatient = forAllTests(() => startTestGateway({ ...environment, JOB_PATIENCE_SECONDS: '2' }, { sandbox }));
const redis = requireTool('redis-server') ? forAllTests(() => startRedis()) : undefined;
const shared = redis && forAllTests(() => startTestGateway({ ...environment, REDIS_URL: redis.url }, { sandbox }));

afterEach(() => {
  router.answer(() => 'forward');
  sandbox.faults.clear();
  sandbox.journal.clear();
});

const call = (path: string, body: unknown, at = gateway) => at.callback(path, body, jobHeaders(randomUUID()));

async function given(...loginIds: readonly string[]): Promise<void> {
  const items = loginIds.map((loginId) => createAccount(loginId));
  expect(bulkReply(await call(USER_ACCOUNTS, items))).toMatchObject({ status: 'Success' });
  sandbox.journal.clear();
}

function accountsOf(kind: Exclude<SandboxEffect['kind'], 'mobileUpdated'>): readonly string[] {
  return sandbox.journal.effects(kind).map(({ loginId }) => loginId);
}

/** An answer of the router that looks like one of backend-api, as some cloud gateways give it. */
const LIKE_THE_CONTRACT: RouterAnswer = {
  status: 404,
  headers: { 'content-type': 'application/json' },
  body: '{"message":"no Route matched with those values"}',
};

const engines: readonly (readonly [string, TestGateway])[] = [
  ['embedded', gateway],
  ...(shared ? [['in Redis', shared] as const] : []),
];

describe.each(engines)('With jobs %s, an account whose delete is in doubt', (where, at) => {
  it.each([
    ['404 in HTML, while the route is away', ofNginx(404)],
    ['404 in the form of the contract, while all routes are away', LIKE_THE_CONTRACT],
  ])('is deleted once the router no longer answers %s, and not said to be before', async (_what, answer) => {
    const loginId = randomUUID();
    await given(loginId);
    let deletes = 0;
    let isAway = true;
    router.answer((request) => {
      if (!isAway || !request.includes('/user-accounts')) return 'forward';
      if (request.startsWith('DELETE')) deletes += 1;
      return deletes === 1 ? ofNginx(502) : answer;
    });
    const { jobId } = await startJob(at, 'accounts', [deleteAccount(loginId)]);
    await waitFor('a few tries', () => deletes >= 3);
    expect(await pollJob(at, 'accounts', jobId)).toMatchObject({ state: 'RUNNING', status: null });
    expect(accountsOf('userAccountDeleted')).toEqual([]);
    isAway = false;
    expect(await finishedJob(at, 'accounts', jobId)).toMatchObject({ status: 'Success', errors: null });
    expect([where, accountsOf('userAccountDeleted')]).toEqual([where, [loginId]]);
  });

  it('is done when backend-api had deleted it, and answers for the organisation after that', async () => {
    const loginId = randomUUID();
    await given(loginId);
    sandbox.faults.set({ operation: 'deleteUserAccount', times: 1, fault: { kind: 'down', stage: 'reply' } });
    const { jobId } = await startJob(at, 'accounts', [deleteAccount(loginId)]);
    expect(await finishedJob(at, 'accounts', jobId)).toMatchObject({ status: 'Success' });
    expect(accountsOf('userAccountDeleted')).toEqual([loginId]);
    const asked = sandbox.journal.requests().map(({ operation }) => operation);
    const ofAccounts = asked.filter((operation) => operation?.includes('UserAccount'));
    expect(ofAccounts).toEqual(['deleteUserAccount', 'deleteUserAccount', 'listUserAccounts', 'deleteUserAccount']);
  });
});

it('A refusal of something in front of backend-api ends no item, whatever its status, at the first call of each', async () => {
  const statuses = [400, 403, 404, 405, 451, 408, 429];
  const ids = statuses.map((_, index) => `first-${index}`);
  await given(...ids, ...ids.map((id) => `old-${id}`));
  const seen = new Set<string>();
  router.answer((request, body) => {
    const item = /"loginId":"([^"]*)"/.exec(body)?.[1] ?? request.replace(/\?.*/, '');
    const place = `${request.split(' ')[0] ?? ''} ${item}`;
    if (!/user-accounts|\/mobiles\/\d+/.test(request) || seen.has(place)) return 'forward';
    seen.add(place);
    return ofNginx(statuses[seen.size % statuses.length] ?? 400);
  });
  const mobiles = statuses.map((_, index) => index + 1);
  const [created, changed, updated, reported] = await Promise.all([
    call(USER_ACCOUNTS, createAccounts('new', statuses.length)),
    // oxfmt-ignore
    call(USER_ACCOUNTS, [...ids.map((id) => updateAccount(id, { name: 'New' })), ...ids.map((id) => deleteAccount(`old-${id}`))]),
    call(MOBILES, mobiles.map((id) => ({ id, name: 'New' }))), // oxfmt-ignore
    call(DRIVING_REPORT, reportOf(...mobiles)),
  ]);
  for (const reply of [created, changed, updated]) expect(bulkReply(reply)).toMatchObject({ status: 'Success' });
  expect(reported).toMatchObject({ status: 200, body: { errorList: null } });
  expect(accountsOf('userAccountCreated')).toEqual(statuses.map((_, index) => `new-${index}`));
  expect(accountsOf('userAccountUpdated')).toEqual(ids);
  expect(accountsOf('userAccountDeleted')).toEqual(ids.map((id) => `old-${id}`));
  expect(sandbox.journal.effects('mobileUpdated').map(({ id }) => id)).toEqual(mobiles);
  expect(router.answered).toBeGreaterThanOrEqual(5 * statuses.length);
});

it.each<[what: string, answer: RouterAnswer]>([
  ['something in front of backend-api refuses for good', ofNginx(403)],
  ['is always answered 500', { status: 500 }],
])('An item that %s fails after a few tries while others are served, and no other does', async (_what, answer) => {
  /** Replies to others at each try. */
  const tries: number[] = [];
  router.answer((_request, body) => {
    if (!body.includes('DROP TABLE')) return 'forward';
    tries.push(router.replies.length);
    return answer;
  });
  const others: Promise<unknown>[] = [];
  const users = setInterval(() => void others.push(call(USER_ACCOUNTS, [createAccount(randomUUID())])), 500);
  const [a = '', b = '', c = ''] = ['a', 'b', 'c'].map((each) => `${each}-${answer.status}`);
  const items = [createAccount(a), createAccount(b, { name: "'; DROP TABLE accounts" }), createAccount(c)];
  const reply = bulkReply(await call(USER_ACCOUNTS, items));
  clearInterval(users);
  await Promise.all(others);
  expect(reply).toMatchObject({ status: 'Failure', errors: [`[1] ${b}: ${UNKNOWN}`] });
  expect(reply.data?.created_user_account_id).toHaveLength(2);
  expect(accountsOf('userAccountCreated').filter((loginId) => loginId.endsWith(`-${answer.status}`))).toEqual([a, c]);
  // Tries count from the first answer to another call.
  const counted = tries.filter((replies) => replies > (tries[0] ?? 0));
  expect([tries.length >= 6, counted.length < 10]).toEqual([true, true]);
});

describe('An item in doubt whose patience ends', () => {
  it.each([
    ['create', createAccount, 'createUserAccount', 'userAccountCreated'],
    ['update', updateAccount, 'updateUserAccount', 'userAccountUpdated'],
    ['delete', deleteAccount, 'deleteUserAccount', 'userAccountDeleted'],
  ] as const)('is said not to be known to be done: a %s', async (_what, item, operation, effect) => {
    const loginId = randomUUID();
    if (effect !== 'userAccountCreated') await given(loginId);
    sandbox.faults.set({ operation, fault: { kind: 'down', stage: 'reply' } });
    const reply = bulkReply(await call(USER_ACCOUNTS, [item(loginId)], impatient));
    expect(reply).toEqual({ status: 'Failure', errors: [`[0] ${loginId}: ${UNKNOWN}`] });
    // It was done.
    expect(new Set(accountsOf(effect))).toEqual(new Set([loginId]));
  });

  it('is said not to be done when nothing was sent', async () => {
    const nowhere = { ...environment, BACKEND_API_URL: 'http://127.0.0.1:1', JOB_PATIENCE_SECONDS: '1' };
    const lost = closeAfterTest(await startTestGateway(nowhere, { sandbox }));
    const reply = bulkReply(await call(USER_ACCOUNTS, [createAccount('nowhere')], lost));
    expect(reply.errors).toEqual([`[0] nowhere: ${textOf('BackendUnavailable')}`]);
  });
});

describe('A user who is answered by something in front of backend-api', () => {
  const OPERATIONS = [
    ['userLogin', 'mutation { userLogin(loginId: "demo", password: "demo-password") { otpRequired } }'],
    ['refreshUserToken', 'mutation { refreshUserToken(refreshToken: "r") { expiresIn } }'],
    ['sendOtp', 'mutation { sendOtp(loginId: "otp") { sentTo } }'],
    ['sendTestOtp', 'mutation { sendTestOtp(loginId: "otp") { sentTo } }'],
    ['verifyOtp', 'mutation { verifyOtp(loginId: "otp", code: "1") { expiresIn } }'],
    ['mobiles', '{ mobiles { edges { node { id } } } }'],
    ['mobile', '{ mobile(id: 1) { id } }'],
    ['userAccounts', '{ userAccounts { edges { node { id } } } }'],
    ['tags', '{ tags { id } }'],
    ['startBulkUpdateMobile', 'mutation { startBulkUpdateMobile(items: [{ id: 1, name: "N" }]) { jobId } }'],
  ] as const;

  it.each([400, 401, 403, 404, 405, 408, 429, 451])(
    'with %d in HTML reads that the service is not available',
    async (status) => {
      router.answer(() => ofNginx(status));
      const bearer = await gateway.bearer();
      for (const [name, query] of OPERATIONS) {
        // Attempts to log in with 401 count in full, and others count in part.
        const { errors } = await gateway.graphql(query, {}, bearer);
        const code =
          name.endsWith('Otp') || name === 'userLogin' ? /ServiceUnavailable|TooManyRequests/ : /ServiceUnav/;
        expect([name, errors?.[0]?.extensions.code]).toEqual([name, expect.stringMatching(code)]);
      }
      const event = `"contentType":"text/html","server":"nginx","event":"backend.foreign_answer"`;
      expect(gateway.logged()).toMatch(new RegExp(`"call":"listTags","status":${status},${event}`));
      const labels = { backend: 'backend-api', call: 'listTags', outcome: 'foreign' };
      const counted = (await gateway.scrape()).value('gateway_backend_call_duration_seconds_count', labels);
      expect(counted).toBeGreaterThan(0);
      expect(gateway.logged()).not.toContain('circuit.opened');
    },
  );

  it.each([401, 403, 404])('with %d when his key is fetched is not told that his token is wrong', async (status) => {
    const at = closeAfterTest(await startTestGateway({ ...environment, PUBLIC_KEY_MAX_AGE_SECONDS: '0' }, { sandbox }));
    router.answer((request) => (request.includes('public-keys') ? ofNginx(status) : 'forward'));
    const { errors } = await at.graphql('{ me { Org } }', {}, await at.bearer());
    expect(errors?.[0]?.extensions.code).toBe('ServiceUnavailable');
    expect(at.logged()).toMatch(new RegExp(`"call":"getPublicKeys","status":${status},.*"backend.foreign_answer"`));
  });

  it('is in the log once a minute for each call and status, whatever names its sender gives itself', async () => {
    const bearer = await gateway.bearer();
    await gateway.graphql('{ tags { id } }', {}, bearer);
    let answers = 0;
    router.answer(() => ({ status: 418, headers: { server: `proxy-${(answers += 1)}` }, body: '' }));
    for (let time = 1; time <= 3; time += 1) await gateway.graphql('{ tags { id } }', {}, bearer);
    expect(answers).toBeGreaterThanOrEqual(3);
    expect(gateway.logged().split('"call":"listTags","status":418')).toHaveLength(2);
  });

  it.each([408, 425])('reads the same when backend-api itself answers %d', async (status) => {
    sandbox.faults.set({ operation: 'getMobile', fault: { kind: 'status', status, retryAfter: 0 } });
    const { errors } = await gateway.graphql('{ mobile(id: 1) { id } }', {}, await gateway.bearer());
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'ServiceUnavailable', reason: 'BackendUnavailable' });
  });
});

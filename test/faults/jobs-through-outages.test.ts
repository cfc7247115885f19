/** A fault of backend-api that passes costs no item of a job, and one that does not costs the item it is about. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { FaultScope, FaultTarget } from '../../src/sandbox/sandbox.js';
import { entriesOf } from '../support/captured-log.js';
import { accepts, freePorts } from '../support/child-program.js';
import { startCallbackProxy, type Answer } from '../support/callback-proxy.js';
import { type TestGateway, backendEnvironment, graphqlAt, startTestGateway } from '../support/gateway.js';
import {
  bulkReply,
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
import {
  finishedJob,
  pollJob,
  startJob,
  warningsOf,
  type JobGateway,
  type PolledStatus,
  type StartedKind,
} from '../support/started-jobs.js';
import { startBackends } from '../support/successive-gateways.js';
import { requireTool } from '../support/system-tools.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { succeeds, waitFor } from '../support/wait-for.js';

const IN_TIME = 240_000;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

const sandbox = forAllTests(startBackends);
const line = forAllTests(() => startTcpProxy(Number(new URL(sandbox.backendApiUrl).port)));
const environment = forAllTests(() => ({
  ...backendEnvironment(sandbox),
  BACKEND_API_URL: `http://127.0.0.1:${line.port}`,
  JOB_PATIENCE_SECONDS: '60',
  // Users are recognised while backend-api is away.
  PUBLIC_KEY_MAX_AGE_SECONDS: '3600',
}));
const gateway = forAllTests(() => startTestGateway(environment, { sandbox }));
afterEach(() => {
  sandbox.faults.clear();
  sandbox.journal.clear();
});

const call = (path: string, body: unknown, at = gateway) => at.callback(path, body, jobHeaders(randomUUID()));
const orderOf = (count: number, name: string): object[] => numbers(count).map((id) => ({ id, name }));

/** Deliveries of jobs on mobiles that ended with these labels. */
async function counted(labels: object, at: TestGateway): Promise<number> {
  return (await at.scrape()).value('gateway_deliveries_total', { kind: 'mobiles', ...labels }) ?? Number.NaN;
}

/** A job of three accounts, which created each once and tells their ids. */
function expectCreated(prefix: string, { status, createdUserAccountId }: PolledStatus): void {
  const created = sandbox.journal.effects('userAccountCreated');
  expect(created.map(({ loginId }) => loginId)).toEqual([0, 1, 2].map((index) => `${prefix}-${index}`));
  expect([status, createdUserAccountId]).toEqual(['Success', created.map(({ id }) => String(id))]);
}

describe('Faults of backend-api that pass, each at another item of a job,', () => {
  /** Whether backend-api has done by then what it was asked for does not matter. */
  const FAULTS: readonly ((scope: FaultScope) => unknown)[] = [
    (scope) => sandbox.faults.set({ ...scope, fault: { kind: 'status', status: 500 } }),
    ...[408, 425, 429].map(
      (status) => (scope: FaultScope) =>
        sandbox.faults.set({ ...scope, fault: { kind: 'status', status, retryAfter: 0 } }),
    ),
    // A router without a route.
    (scope) => sandbox.faults.set({ ...scope, fault: { kind: 'status', status: 404, body: 'no route' } }),
    (scope) => sandbox.faults.set({ ...scope, fault: { kind: 'down' } }),
    (scope) => sandbox.faults.set({ ...scope, fault: { kind: 'down', stage: 'reply' } }),
    (scope) => sandbox.faults.set({ ...scope, fault: { kind: 'halfBody' } }),
    // Answers too late.
    (scope) => sandbox.faults.hold({ ...scope, stage: 'reply' }),
  ];
  const ITEMS = FAULTS.length + 2;
  /** Lets each fault strike once, at the second item and those behind it. */
  const strike = (scopeOf: (index: number) => FaultScope): void =>
    FAULTS.forEach((happen, index) => happen({ times: 1, ...scopeOf(index + 1) }));

  const hasty = forAllTests(() => startTestGateway({ ...environment, BACKEND_TIMEOUT_SECONDS: '3' }, { sandbox }));

  it('cost no account, update, delete, mobile or driver; an account is created once, under its key', async () => {
    const old = createAccounts('old', 2 * ITEMS);
    expect(bulkReply(await call(USER_ACCOUNTS, old))).toMatchObject({ status: 'Success' });
    sandbox.journal.clear();
    strike((index) => ({ operation: 'createUserAccount', loginId: `new-${index}` }));
    strike((index) => ({ operation: 'updateUserAccount', loginId: `old-${index}` }));
    strike((index) => ({ operation: 'deleteUserAccount', loginId: `old-${ITEMS + index}` }));
    strike((index) => ({ operation: 'updateMobile', mobileId: String(index + 1) }));
    strike((index) => ({ operation: 'getDrivingRecord', mobileId: String(index + 1) }));

    const items = createAccounts('new', ITEMS);
    const ids = old.map(({ userAccountInput }) => userAccountInput.loginId);
    const changes = ids.map((id, index) => (index < ITEMS ? updateAccount(id, { name: 'New' }) : deleteAccount(id)));
    const [created, changed, mobiles, reported] = await Promise.all([
      call(USER_ACCOUNTS, items, hasty),
      call(USER_ACCOUNTS, changes, hasty),
      call(MOBILES, numbers(ITEMS).map((id) => ({ id, name: 'New' })), hasty), // oxfmt-ignore
      call(DRIVING_REPORT, reportOf(...numbers(ITEMS)), hasty),
    ]);

    const { journal } = sandbox;
    const effects = journal.effects('userAccountCreated');
    expect(effects.map(({ loginId }) => loginId)).toEqual(items.map((item) => item.userAccountInput.loginId));
    expect(bulkReply(created)).toEqual({
      status: 'Success',
      data: { created_user_account_id: effects.map(({ id }) => id) },
    });
    const keys = journal.requests({ operation: 'createUserAccount' }).map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(keys).size).toBe(ITEMS);
    expect(keys.length).toBeGreaterThanOrEqual(ITEMS + FAULTS.length);

    expect(bulkReply(changed)).toMatchObject({ status: 'Success' });
    const named = [...journal.effects('userAccountUpdated'), ...journal.effects('userAccountDeleted')];
    expect(new Set(named.map(({ loginId }) => loginId))).toEqual(new Set(ids));
    expect(bulkReply(mobiles)).toEqual({ status: 'Success' });
    expect([...new Set(journal.effects('mobileUpdated').map(({ id }) => id))]).toEqual(numbers(ITEMS));
    expect(reported).toMatchObject({ status: 200, body: { errorList: null } });
    expect(journal.requests({ operation: 'getDrivingRecord' }).length).toBeGreaterThanOrEqual(ITEMS + FAULTS.length);
  });

  it.each([408, 425, 429])('a %d of geo-api costs no address', async (status) => {
    const fault = { kind: 'status', status, retryAfter: 0 } as const;
    sandbox.faults.set({ operation: 'reverseGeocode', times: 3, fault });
    const { jobId } = await startJob(hasty, 'reports', reportOf(1));
    const ended = await finishedJob(hasty, 'reports', jobId, IN_TIME);
    expect([ended.status, await warningsOf(hasty, jobId)]).toEqual(['Success', []]);
    expect(sandbox.journal.requests({ operation: 'reverseGeocode' })).toHaveLength(4);
  });
});

it('A geo-api that accepts and never answers holds a report for 15 s, no other job, and soon no report at all', async () => {
  const held = sandbox.faults.hold({ backend: 'geo-api', stage: 'request' });
  const report = async (): Promise<readonly [string | null, number, readonly string[]]> => {
    const since = performance.now();
    const { jobId } = await startJob(gateway, 'reports', reportOf(1, 2));
    const { status } = await finishedJob(gateway, 'reports', jobId, IN_TIME);
    return [status, performance.now() - since, await warningsOf(gateway, jobId)];
  };
  const without = ['AddressesMissing'];
  const first = report();
  await waitFor('a call to geo-api', () => sandbox.journal.requests({ operation: 'reverseGeocode' }).length > 0);
  expect(bulkReply(await call(MOBILES, orderOf(2, 'Beside')))).toEqual({ status: 'Success' });
  const [status, heldMs, warnings] = await first;
  expect([status, warnings]).toEqual(['Success', without]);
  // Once, whatever a busy machine takes besides; the next one not even that.
  expect(heldMs).toBeGreaterThan(14_000);
  expect(heldMs).toBeLessThan(2 * 14_000);
  const [, nextMs, nextWarnings] = await report();
  expect([nextMs < 14_000, nextWarnings]).toEqual([true, without]);
  held.release();
  await waitFor('a report with addresses', async () => (await report())[2].length === 0, IN_TIME);
});

it('A link that stalls or ends in the middle of a body, for which the gateway answers 408, costs no job anything', async () => {
  const [port = 0] = await freePorts(1);
  const link = closeAfterTest(await startTcpProxy(port));
  const behind = closeAfterTest(
    await startTestGateway(
      {
        ...environment,
        PORT: String(port),
        GATEWAY_URL: `http://127.0.0.1:${link.port}`,
        REQUEST_TIMEOUT_SECONDS: '3',
        METRICS_PORT: '0',
      },
      { sandbox },
    ),
  );
  const at: JobGateway = {
    bearer: (overrides) => behind.bearer(overrides),
    graphql: graphqlAt(`http://127.0.0.1:${port}`),
  };
  const delayed = (): Promise<number> => counted({ outcome: 'delayed', reason: 'not_taken' }, behind);
  for (const fault of [{ stallAfterBytes: 4_096 }, { stallAfterBytes: 4_096, ends: true }] as const) {
    const [before, faults, name] = [await delayed(), link.faults, JSON.stringify(fault)];
    link.set(fault);
    const { jobId } = await startJob(at, 'mobiles', orderOf(200, name));
    await waitFor('the delivery to be turned away', async () => (await delayed()) > before, IN_TIME);
    expect(link.faults).toBeGreaterThan(faults);
    link.set('open');
    expect(await finishedJob(at, 'mobiles', jobId, IN_TIME)).toMatchObject({ status: 'Success' });
    expect(sandbox.journal.effects('mobileUpdated').filter(({ patch }) => patch.name === name)).toHaveLength(200);
  }
});

/** Answers of a proxy that stands between queue function and gateway, by the code of their delivery. */
const TURNED_AWAY: Readonly<Record<string, readonly Answer[]>> = {
  // As a load balancer does that has lost its gateways.
  no_reply: ['cut', 'cut', 'cut', 'cut', 'cut', 'cut'],
  // As behind a wrong path.
  wrong_address: [{ status: 404 }],
  // As a clock that is off or a key that is wrong leads to.
  not_authorized: [{ status: 401 }, { status: 403 }],
  not_taken: [{ status: 425 }, { status: 429, headers: { 'retry-after': '1' } }],
  unavailable: [{ status: 502 }, { status: 503 }, { status: 504 }],
  // As from something in front of the gateway, which does not send the job id back.
  foreign: [
    { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
    ...[200, 400, 409, 413, 422, 500].map((status) => ({ status, headers: { 'x-job-id': '' } })),
  ],
};

describe.each(['embedded', 'in Redis'] as const)('With jobs %s, what is wrong for a moment', (where) => {
  const redis = where === 'embedded' ? undefined : forAllTests(() => startRedis());
  const proxy = forAllTests(startCallbackProxy);
  const behind = forAllTests(() => {
    const stores = redis && { REDIS_URL: redis.url };
    const settings = { ...environment, ...stores, ...proxy.environment, QUEUE_MAX_ATTEMPTS: '1', METRICS_PORT: '0' };
    return startTestGateway(settings, { sandbox });
  });
  afterEach(() => proxy.answer('forward'));

  it('from a proxy, costs no job anything, is counted and logged, whatever its answer', async () => {
    const [first = { status: 500 }, ...others] = Object.values(TURNED_AWAY).flat();
    proxy.answer(first, ...others, 'forward');
    // Each waits as long again as it has waited.
    const names = numbers(7).map((each) => `${where} turned away ${each}`);
    const jobs = await Promise.all(
      names.map(async (name) => ({ name, ...(await startJob(behind, 'mobiles', orderOf(2, name))) })),
    );
    for (const { jobId, name } of jobs) {
      expect(await finishedJob(behind, 'mobiles', jobId, IN_TIME)).toMatchObject({ status: 'Success' });
      expect(await warningsOf(behind, jobId)).toEqual([]);
      const effects = sandbox.journal.effects('mobileUpdated').filter(({ patch }) => patch.name === name);
      expect(effects.map(({ id }) => id)).toEqual([1, 2]);
      // More often than it has attempts.
      expect(proxy.calls.filter(({ headers }) => headers['x-job-id'] === jobId).length).toBeGreaterThan(1);
    }
    for (const [code, some] of Object.entries(TURNED_AWAY)) {
      expect([code, await counted({ outcome: 'delayed', reason: code }, behind)]).toEqual([code, some.length]);
      expect(behind.logged()).toMatch(new RegExp(`"code":"${code}"[^\\n]*"event":"delivery.turned_away"`));
    }
    expect(behind.logged()).not.toContain('delivery.dead_letter');
  });

  it('is shown while it lasts, and a job that waits for it ends at once when it is cancelled', async () => {
    proxy.answer({ status: 404 });
    const { jobId } = await startJob(behind, 'mobiles', orderOf(2, 'waits'));
    await waitFor('the job to wait', async () => {
      expect(await pollJob(behind, 'mobiles', jobId)).toMatchObject({ state: 'PENDING' });
      return (await warningsOf(behind, jobId)).includes('Waiting');
    });
    const cancel = 'mutation($jobId: ID!) { cancelJob(jobId: $jobId) { state cancelled } }';
    const { data } = await behind.graphql(cancel, { jobId }, await behind.bearer());
    expect(data).toEqual({ cancelJob: { state: 'FINISHED', cancelled: true } });
    const ended = await pollJob(behind, 'mobiles', jobId);
    const errors = [0, 1].map((index) => `[${index}] not done, the job was cancelled`);
    expect(ended).toMatchObject({ status: 'Failure', errors });
    expect(await warningsOf(behind, jobId)).toEqual([]);
    const calls = proxy.replies.length;
    proxy.answer('forward');
    await waitFor('a later delivery', () => proxy.replies.length > calls);
    expect(proxy.replies.at(-1)).toMatchObject({ status: 200, headers: { 'x-job-replayed': 'true' } });
    expect(await pollJob(behind, 'mobiles', jobId)).toEqual(ended);
    expect(sandbox.journal.effects('mobileUpdated').filter(({ patch }) => patch.name === 'waits')).toEqual([]);
  });

  it('such as our key, refused by backend-api, costs no item, and the job goes on where it was', async () => {
    const prefix = randomUUID();
    const refusal = { kind: 'status', status: 401 } as const;
    sandbox.faults.set({ operation: 'listTags', fault: refusal });
    sandbox.faults.set({
      operation: 'createUserAccount',
      fault: refusal,
      match: ({ loginId }) => loginId !== `${prefix}-0`,
    });
    const { jobId } = await startJob(behind, 'accounts', createAccounts(prefix, 3));
    await waitFor('the job to wait', async () => (await warningsOf(behind, jobId)).includes('Waiting'));
    expect(behind.logged()).toMatch(/"scope":"everybody"[^\n]*"event":"backend.key_refused"/);
    expect((await behind.scrape()).value('gateway_backend_key_refused', { scope: 'everybody' })).toBe(1);
    sandbox.faults.clear();
    expectCreated(prefix, await finishedJob(behind, 'accounts', jobId, IN_TIME));
  });

  it('such as a place for reports that cannot be written lets a report wait, and no driver is asked for twice', async () => {
    const place = join(behind.dataDir, 'objects', 'objects', 'application%2Fpdf');
    await rm(place, { recursive: true, force: true });
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, 'a file where a directory should be');
    const { jobId } = await startJob(behind, 'reports', reportOf(1, 2));
    await waitFor('the report to wait', async () => (await warningsOf(behind, jobId)).includes('Waiting'));
    expect(behind.logged()).toMatch(/"fault":"Something else lies below DATA_DIR/);
    await rm(place);
    expect(await finishedJob(behind, 'reports', jobId, IN_TIME)).toMatchObject({ status: 'Success', errorList: null });
    expect(sandbox.journal.requests({ operation: 'getDrivingRecord' })).toHaveLength(2);
  });
});

it('An answer that is no JSON costs its own item, which is not asked for again', async () => {
  const fault = { kind: 'garbage' } as const;
  sandbox.faults.set({ operation: 'createUserAccount', loginId: 'garbage-1', fault });
  sandbox.faults.set({ operation: 'getDrivingRecord', mobileId: '2', fault });
  const reply = bulkReply(await call(USER_ACCOUNTS, createAccounts('garbage', 3)));
  const created = sandbox.journal.effects('userAccountCreated').map(({ id }) => id);
  expect(created).toHaveLength(2);
  expect(sandbox.journal.requests({ operation: 'createUserAccount' })).toHaveLength(3);
  expect(reply).toEqual({
    status: 'Failure',
    data: { created_user_account_id: created },
    errors: [expect.stringMatching(/^\[1\] garbage-1: .+/)],
  });
  expect(await call(DRIVING_REPORT, reportOf(1, 2, 3))).toMatchObject({
    body: { errorList: [{ mobileId: '2', code: 'ServiceUnavailable' }] },
  });
  expect(sandbox.journal.requests({ operation: 'getDrivingRecord' })).toHaveLength(3);
});

it('Whatever hangs, a job ends at JOB_DEADLINE_SECONDS, with what is not done and what is not known to be done', async () => {
  // By then the day of one driver is there on a busy machine, too.
  const deadlineSeconds = 8;
  const hung = closeAfterTest(
    await startTestGateway({
      JOB_DEADLINE_SECONDS: String(deadlineSeconds),
      BACKEND_TIMEOUT_SECONDS: '600',
      JOB_PATIENCE_SECONDS: '600',
    }),
  );
  // The first report waits for the fonts.
  await call(DRIVING_REPORT, reportOf(), hung);
  for (const operation of ['updateMobile', 'createUserAccount', 'reverseGeocode'])
    hung.sandbox.faults.hold({ operation });
  hung.sandbox.faults.hold({ operation: 'getDrivingRecord', match: ({ mobileId }) => mobileId !== '1' });
  const begunAt = performance.now();
  const [mobiles, accounts, reported] = await Promise.all([
    call(MOBILES, [{ id: 1 }, { id: 2 }], hung),
    call(USER_ACCOUNTS, createAccounts('hung', 2), hung),
    call(DRIVING_REPORT, reportOf(...numbers(9)), hung),
  ]);
  // The queue function waits for half a minute longer than the deadline.
  expect(performance.now() - begunAt).toBeLessThan((deadlineSeconds + 30) * 1_000);
  for (const [reply, name] of [
    [mobiles, '1'],
    [accounts, 'hung-0'],
  ] as const) {
    expect(bulkReply(reply).errors).toEqual([
      expect.stringMatching(`^\\[0\\] ${name}: not known to be done, .*time`),
      expect.stringMatching(/^\[1\] .*: not done, .*time/),
    ]);
  }
  // Without addresses, a driver whose day was there by then has a page.
  const message = expect.stringContaining('time allowed');
  const missing = numbers(9).slice(1);
  expect(reported.body).toMatchObject({
    key: expect.stringMatching(/\.pdf$/),
    errorList: missing.map((id) => ({ mobileId: String(id), code: 'ServiceUnavailable', message })),
  });
  expect(hung.sandbox.journal.requests({ operation: 'getDrivingRecord' }).length).toBeLessThan(missing.length);
});

describe('Once patience is spent', () => {
  const ITEMS = 60;
  const impatient = forAllTests(() => startTestGateway({ JOB_PATIENCE_SECONDS: '1' }));

  it('every account and every driver is still asked for, whatever a circuit says, and the jobs end soon', async () => {
    const { faults, journal } = impatient.sandbox;
    faults.set({ operation: 'createUserAccount', fault: { kind: 'status', status: 503 } });
    faults.set({ operation: 'getDrivingRecord', fault: { kind: 'status', status: 500 } });
    const startedAt = performance.now();
    const drivers = numbers(ITEMS).map((id) => 1 + (id % 5));
    const [created, reported] = await Promise.all([
      call(USER_ACCOUNTS, createAccounts('dead', ITEMS), impatient),
      call(DRIVING_REPORT, reportOf(...drivers), impatient),
    ]);
    // Not the 5 s that a circuit stays open for each of them.
    expect(performance.now() - startedAt).toBeLessThan(60_000);
    expect(bulkReply(created).errors).toHaveLength(ITEMS);
    expect(reported.body).toMatchObject({ errorList: drivers.map((id) => ({ mobileId: String(id) })) });
    expect(impatient.logged()).toContain('"event":"circuit.opened"');
    const keys = journal.requests({ operation: 'createUserAccount' }).map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(keys).size).toBe(ITEMS);
    expect(journal.requests({ operation: 'getDrivingRecord' }).length).toBeGreaterThanOrEqual(ITEMS);

    faults.clear();
    faults.set({ operation: 'getDrivingRecord', mobileId: '2', fault: { kind: 'status', status: 500 } });
    const onlyHers = await call(DRIVING_REPORT, reportOf(2, 2, 2, 2, 2, 1, 3), impatient);
    expect(onlyHers.body).toMatchObject({ errorList: Array(5).fill({ mobileId: '2' }) });
  });
});

describe('An outage of backend-api in the middle of jobs', () => {
  const ITEMS = 100;
  const MIDDLE = 40;
  /** Longer than a circuit stays open, so that it is probed in vain. */
  const AWAY_MS = 7_000;

  const redis = requireTool('redis-server') ? forAllTests(() => startRedis()) : undefined;
  const shared = redis && forAllTests(() => startTestGateway({ ...environment, REDIS_URL: redis.url }, { sandbox }));

  /** Whether a request is for the item that a job is in the middle of when the outage begins. */
  const isInTheMiddle = ({ mobileId = '', loginId = '' }: FaultTarget): boolean =>
    ['101', '102'].includes(mobileId) || loginId.endsWith(`-of-outage-${MIDDLE}`);
  const mobileAt = (index: number, middle: number): number => (index === MIDDLE ? middle : 1 + (index % 5));

  it('which answers 503 and then has its port closed fails none of their items, and each is done once', async () => {
    const middle = sandbox.faults.hold({ match: isInTheMiddle });
    const names = numbers(ITEMS).map((number) => `Name ${number}`);
    const updates = names.map((name, index) => ({ id: mobileAt(index, 101), name }));
    const orders: [TestGateway, StartedKind, unknown][] = [
      [gateway, 'mobiles', updates],
      [gateway, 'reports', reportOf(...names.map((_, index) => mobileAt(index, 102)))],
      [gateway, 'accounts', createAccounts('embedded-of-outage', ITEMS)],
      ...(shared
        ? [[shared, 'accounts', createAccounts('shared-of-outage', ITEMS)] as [TestGateway, StartedKind, unknown]]
        : []),
    ];
    const jobs = await Promise.all(orders.map(([at, kind, value]) => startJob(at, kind, value)));
    const poll = (): Promise<PolledStatus[]> =>
      Promise.all(orders.map(([at, kind], index) => pollJob(at, kind, jobs[index]?.jobId ?? '')));
    const waits = (jobId: string): boolean =>
      [gateway, shared].some((at) =>
        entriesOf(at?.logged() ?? '', 'job.waiting').some((line) => line['jobId'] === jobId),
      );
    await middle.held(jobs.length);

    const over = sandbox.faults.set({
      match: ({ path }) => /\/mobiles|\/user-accounts/.test(path),
      fault: { kind: 'status', status: 503, retryAfter: 1 },
    });
    middle.release();
    await waitFor('the jobs to wait', () => jobs.every(({ jobId }) => waits(jobId)));
    // Answers that were under way are lost.
    await line.shut();
    over();
    expect(await accepts(line.port)).toBe(false);
    const before = await waitFor('the jobs to stand still', async () => {
      const polled = await poll();
      await delay(500);
      return isDeepStrictEqual(polled, await poll()) && polled;
    });
    await delay(AWAY_MS);
    const after = await poll();
    // A poll meanwhile shows a job that runs and gets no further.
    expect(after).toEqual(before);
    for (const polled of after) expect(polled).toMatchObject({ state: 'RUNNING', completed: false, status: null });
    await waitFor('the port to be free', () => succeeds(line.reopen()));

    const ended = await Promise.all(
      orders.map(([at, kind], index) => finishedJob(at, kind, jobs[index]?.jobId ?? '', IN_TIME)),
    );
    const progress = { done: ITEMS, total: ITEMS };
    for (const outcome of ended) expect(outcome).toMatchObject({ status: 'Success', errors: null, progress });
    expect(ended[1]).toMatchObject({ errorList: null });
    for (const [index, prefix] of [
      [2, 'embedded'],
      [3, 'shared'],
    ] as const) {
      // oxfmt-ignore
      if (ended[index] === undefined) continue;
      const created = sandbox.journal.effects('userAccountCreated').filter(({ loginId }) => loginId.startsWith(prefix));
      expect(created.map(({ loginId }) => loginId)).toEqual(names.map((_, at) => `${prefix}-of-outage-${at}`));
      expect(ended[index].createdUserAccountId).toEqual(created.map(({ id }) => String(id)));
    }
    // An update in doubt is repeated.
    const updated = sandbox.journal.effects('mobileUpdated').map(({ patch }) => patch.name);
    expect(updated.filter((name, at) => name !== updated[at - 1])).toEqual(names);
  });
});

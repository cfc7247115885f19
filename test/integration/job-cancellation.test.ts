/** A job that is cancelled finishes what has begun and begins nothing further, whatever it does at that moment. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { startTestGateway, type GraphQLReply, type TestGateway } from '../support/gateway.js';
import { createAccount, createAccounts, jobHeaders, USER_ACCOUNTS } from '../support/job-requests.js';
import { readPdf } from '../support/pdf-text.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { finishedJob, pollJob, requestStart, startJob } from '../support/started-jobs.js';
import { startBackends, startSharedGround, type SharedGround } from '../support/successive-gateways.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const NOT_DONE = 'not done, the job was cancelled';
const DATE = '2026-11-19T00:00:00+09:00';
const CANCEL = 'mutation($jobId: ID!) { cancelJob(jobId: $jobId) { jobId createdAt } }';
/** Jobs that a gateway handles at the same time. */
const AT_ONCE = 4;
/** Far longer than any test: what waits out an outage goes on waiting. */
const PATIENT = { JOB_PATIENCE_SECONDS: '3000', JOB_DEADLINE_SECONDS: '3600' };

let backends: Sandbox;
let gateway: TestGateway;
beforeAll(async () => {
  backends = await startBackends();
});
afterEach(() => {
  backends.faults.clear();
  expect(backends.journal.contractViolations()).toEqual([]);
  backends.journal.clear();
});
afterAll(() => backends.close());

type Environment = Parameters<typeof startTestGateway>[0];

async function requestCancel(jobId: string, bearer?: string, at = gateway): Promise<GraphQLReply> {
  return at.graphql(CANCEL, { jobId }, bearer ?? (await at.bearer()));
}

/** Cancels a job that may be cancelled. */
async function cancel(jobId: string, bearer?: string, at = gateway): Promise<unknown> {
  const { data, errors } = await requestCancel(jobId, bearer, at);
  expect(errors).toBeUndefined();
  return data?.['cancelJob'];
}

async function isCancelled(jobId: string): Promise<unknown> {
  const query = '{ jobs(first: 200) { edges { node { jobId cancelled } } } }';
  const { data } = await gateway.graphql(query, {}, await gateway.bearer());
  const { edges } = (data as { jobs: { edges: { node: { jobId: string; cancelled: boolean } }[] } }).jobs; // as selected
  return edges.find(({ node }) => node.jobId === jobId)?.node.cancelled;
}

/** Events of a job in the log. */
function eventsOf(jobId: string, event: string, at = gateway): readonly Record<string, unknown>[] {
  return at
    .logged()
    .split('\n')
    .filter((line) => line.includes(`"event":"${event}"`) && line.includes(`"jobId":"${jobId}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>); // written by our own logger
}

/** The gateway that runs a job has learned that it was cancelled. */
async function windsUp(jobId: string): Promise<void> {
  await waitFor('the running job to notice', () => eventsOf(jobId, 'job.winding_up').length > 0);
}

const driver = (id: number): object => ({
  mobileId: `${id}`,
  employeeCode: `E-${id}`,
  employeeName: `Driver number ${id}.`,
});
const drivers = (count: number): object[] => Array.from({ length: count }, (_, index) => driver(index + 1));
const mobiles = (count: number): { id: number; name: string }[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `Renamed ${index}` }));
const updated = (): unknown[] => backends.journal.effects('mobileUpdated').map(({ id }) => id);

/** What the engine has its part in: how a job learns that it was cancelled, and what is kept of that. */
function cancelling(engine: () => Environment): { readonly open: () => Promise<TestGateway> } {
  let ground: SharedGround;
  const open = (environment: Environment = {}): Promise<TestGateway> =>
    startTestGateway({ ...ground.environment, ...PATIENT, ...engine(), ...environment }, ground);

  beforeAll(async () => {
    ground = await startSharedGround(backends);
    gateway = await open();
  });
  afterAll(async () => {
    await gateway.close();
    await ground.close();
  });

  it('ends without doing anything when it has not begun', async () => {
    const busy = backends.faults.hold({ operation: 'updateMobile' });
    const others = await Promise.all(mobiles(AT_ONCE).map((mobile) => startJob(gateway, 'mobiles', [mobile])));
    await busy.held(AT_ONCE);
    const prefix = randomUUID();
    const { jobId, createdAt } = await startJob(gateway, 'accounts', createAccounts(prefix, 3));
    expect(await isCancelled(jobId)).toBe(false);
    expect(await cancel(jobId)).toEqual({ jobId, createdAt });
    expect(await pollJob(gateway, 'accounts', jobId)).toMatchObject({ state: 'PENDING', completed: false });
    expect(await isCancelled(jobId)).toBe(true);
    busy.release();
    expect(await finishedJob(gateway, 'accounts', jobId)).toMatchObject({
      state: 'FINISHED',
      status: 'Failure',
      progress: { done: 0, total: 3 },
      errors: [0, 1, 2].map((index) => `[${index}] ${prefix}-${index}: ${NOT_DONE}`),
      createdUserAccountId: null,
    });
    expect(backends.journal.effects('userAccountCreated')).toEqual([]);
    await waitFor('the message to be settled', () => eventsOf(jobId, 'delivery.done').length > 0);
    for (const other of others)
      expect(await finishedJob(gateway, 'mobiles', other.jobId)).toMatchObject({ errors: null });
  });

  it('begins no further mobile', async () => {
    const held = backends.faults.hold({ operation: 'updateMobile', mobileId: '3' });
    const { jobId } = await startJob(gateway, 'mobiles', mobiles(20));
    await held.held();
    await cancel(jobId);
    await windsUp(jobId);
    held.release();
    const errors = mobiles(20).flatMap(({ id }) => (id > 3 ? [`[${id - 1}] ${id}: ${NOT_DONE}`] : []));
    expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ errors, progress: { done: 3, total: 20 } });
    expect(updated()).toEqual([1, 2, 3]);
  });

  it('waits out an outage no longer', async () => {
    backends.faults.set({ operation: 'updateMobile', fault: { kind: 'status', status: 503 } });
    const { jobId } = await startJob(gateway, 'mobiles', mobiles(3));
    await waitFor('the job to wait', () => eventsOf(jobId, 'job.waiting').length > 0);
    await cancel(jobId);
    const { errors } = await finishedJob(gateway, 'mobiles', jobId);
    // What was begun names the outage.
    expect(errors?.join()).toContain('backend-api');
    expect(errors?.at(-1)).toContain(NOT_DONE);
  });

  it('that has ended stays as it is, and one that is cancelled twice is cancelled once', async () => {
    const { jobId, createdAt } = await startJob(gateway, 'mobiles', mobiles(2));
    const ended = await finishedJob(gateway, 'mobiles', jobId);
    expect(await cancel(jobId)).toEqual({ jobId, createdAt });
    expect(await pollJob(gateway, 'mobiles', jobId)).toEqual(ended);
    expect(await isCancelled(jobId)).toBe(false);
    expect(eventsOf(jobId, 'job.cancelled')).toEqual([]);

    const held = backends.faults.hold({ operation: 'updateMobile' });
    const other = await startJob(gateway, 'mobiles', mobiles(2));
    await held.held();
    const bearer = await gateway.bearer({ claims: { preferred_username: 'backend-user', loggedin_id: 'chief' } });
    const replies = await Promise.all([cancel(other.jobId, bearer), cancel(other.jobId, bearer)]);
    expect(replies).toEqual([other, other]);
    expect(await cancel(other.jobId)).toEqual(other);
    expect(eventsOf(other.jobId, 'job.cancelled')).toMatchObject([
      { kind: 'mobiles', org: 'acme', cancelledBy: { BackendUser: 'backend-user', LoggedInId: 'chief' } },
    ]);
    held.release();
    await finishedJob(gateway, 'mobiles', other.jobId);
  });

  describe('where there is room for one', () => {
    beforeAll(async () => {
      await gateway.close();
      gateway = await open({ JOBS_MAX_OPEN_PER_ORG: '1', SHUTDOWN_DRAIN_SECONDS: '0' });
    });

    it('makes room for another one once it has ended', async () => {
      const held = backends.faults.hold({ operation: 'updateMobile' });
      const { jobId } = await startJob(gateway, 'mobiles', mobiles(3));
      await held.held();
      await cancel(jobId);
      expectRefused(await requestStart(gateway, 'mobiles', mobiles(1)), 'TooManyRequests', expect.any(String), 'job');
      held.release();
      await finishedJob(gateway, 'mobiles', jobId);
      const next = await startJob(gateway, 'mobiles', mobiles(1));
      expect(await finishedJob(gateway, 'mobiles', next.jobId)).toMatchObject({ status: 'Success' });
    });

    it('stays cancelled where its gateway stops and another one takes it up', async () => {
      const held = backends.faults.hold({ operation: 'createUserAccount' });
      const prefix = randomUUID();
      const { jobId } = await startJob(gateway, 'accounts', createAccounts(prefix, 4));
      await held.held();
      await cancel(jobId);
      await gateway.close();
      backends.faults.clear();
      gateway = await open();
      const { errors, createdUserAccountId } = await finishedJob(gateway, 'accounts', jobId);
      // The first one was in doubt, and is known by its key.
      expect(errors).toEqual([1, 2, 3].map((index) => `[${index}] ${prefix}-${index}: ${NOT_DONE}`));
      expect(createdUserAccountId).toEqual(backends.journal.effects('userAccountCreated').map(({ id }) => id));
    });
  });

  return { open };
}

/** What becomes of what a job has in hand, and who may end it: whatever it is kept in. */
function windingUp(): void {
  it('finishes the account that has begun, names all that were created, and says so in its callback', async () => {
    const [prefix, jobId] = [randomUUID(), randomUUID()];
    const held = backends.faults.hold({ operation: 'createUserAccount', loginId: `${prefix}-1` });
    const reply = gateway.callback(USER_ACCOUNTS, createAccounts(prefix, 5), jobHeaders(jobId));
    await held.held();
    expect(await cancel(jobId)).toMatchObject({ jobId });
    expect(await pollJob(gateway, 'accounts', jobId)).toMatchObject({ state: 'RUNNING', status: null });
    held.release();
    const { status, body } = await reply;
    const ids = backends.journal.effects('userAccountCreated').map(({ id }) => id);
    expect(ids).toHaveLength(2);
    const errors = [2, 3, 4].map((index) => `[${index}] ${prefix}-${index}: ${NOT_DONE}`);
    expect([status, body]).toEqual([200, { status: 'Failure', data: { created_user_account_id: ids }, errors }]);
    expect(await pollJob(gateway, 'accounts', jobId)).toMatchObject({
      progress: { done: 2, total: 5 },
      createdUserAccountId: ids,
      errors,
    });
    const again = await gateway.callback(USER_ACCOUNTS, createAccounts(prefix, 5), jobHeaders(jobId));
    expect([again.body, again.headers.get('x-job-replayed')]).toEqual([body, 'true']);
    expect(eventsOf(jobId, 'job.finished')).toMatchObject([{ outcome: 'Failure', failedItems: 3, cancelledItems: 3 }]);
  });

  it('still makes a report of the drivers that have begun, and names the others', async () => {
    const held = backends.faults.hold({ operation: 'getDrivingRecord', mobileId: '2' });
    const { jobId } = await startJob(gateway, 'reports', { date: DATE, drivers: drivers(12) });
    await held.held();
    await waitFor('the drivers before and behind it', () => begun().length === 5);
    await cancel(jobId);
    await windsUp(jobId);
    held.release();
    const { errorList, downloadUrl, progress, ...rest } = await finishedJob(gateway, 'reports', jobId);
    const expected = [6, 7, 8, 9, 10, 11, 12].map((id) => {
      return { mobileId: `${id}`, employeeCode: `E-${id}`, code: 'ServiceUnavailable', message: NOT_DONE };
    });
    expect(errorList).toEqual(expected);
    expect(rest).toMatchObject({ status: 'Failure', errors: expected.map((each) => `${each.mobileId} ${each.employeeCode}: ${NOT_DONE}`) }); // prettier-ignore
    expect(progress).toEqual({ done: 5, total: 12 });
    expect(begun().toSorted()).toEqual(['1', '2', '3', '4', '5']);
    const text = await pdfAt(downloadUrl);
    expect(text.match(/Not fetched, this report was cancelled/g)?.length).toBeGreaterThanOrEqual(7);
    for (const id of [1, 2, 3, 4, 5, 6, 12]) expect(text).toContain(`E-${id}`);
  });

  it('is one the user may see: of the own organisation, and of accounts only for administrators', async () => {
    const [stranger, colleague] = [
      await gateway.bearer({ loginId: 'globex-admin' }),
      await gateway.bearer({ loginId: 'driver' }),
    ];
    const held = backends.faults.hold({ match: ({ operation }) => OF_JOBS.has(operation ?? '') });
    const accounts = await startJob(gateway, 'accounts', [createAccount(randomUUID())]);
    const reports = await startJob(gateway, 'reports', { date: DATE, drivers: drivers(1) });
    await held.held(2);
    for (const jobId of [accounts.jobId, reports.jobId, randomUUID(), '']) {
      expectRefused(await requestCancel(jobId, stranger), 'NotFound', 'There is no such job.');
    }
    expectRefused(await requestCancel(randomUUID(), colleague), 'NotFound', 'There is no such job.');
    expectRefused(await requestCancel(accounts.jobId, colleague), 'Forbidden', 'Only administrators may do this.');
    expect([await isCancelled(accounts.jobId), await isCancelled(reports.jobId)]).toEqual([false, false]);
    expect(await cancel(reports.jobId, colleague)).toEqual(reports);
    expect([await isCancelled(accounts.jobId), await isCancelled(reports.jobId)]).toEqual([false, true]);
    held.release();
    expect(await finishedJob(gateway, 'accounts', accounts.jobId)).toMatchObject({ status: 'Success' });
    // Its one driver had begun.
    expect(await finishedJob(gateway, 'reports', reports.jobId)).toMatchObject({ status: 'Success' });
  });
}

/** What jobs ask for, as opposed to what users do. */
const OF_JOBS = new Set(['updateMobile', 'createUserAccount', 'getDrivingRecord']);

function begun(): string[] {
  return backends.journal.requests({ operation: 'getDrivingRecord' }).map(({ path }) => path.split('/')[3] ?? '');
}

async function pdfAt(link: string | null | undefined): Promise<string> {
  const response = await fetch(link ?? '');
  expect(response.status).toBe(200);
  return (await readPdf(new Uint8Array(await response.arrayBuffer()))).pages.join('\n');
}

function expectRefused({ data, errors }: GraphQLReply, code: string, message: unknown, field = 'cancelJob'): void {
  expect(data).toEqual({ [field]: null });
  expect(errors).toMatchObject([{ message, path: [field], extensions: { code, path: [field] } }]);
}

describe('a job that is cancelled, embedded,', () => {
  cancelling(() => ({}));
  windingUp();
});

describeWith(['redis-server'], 'a job that is cancelled, in Redis,', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis({ port: 'tcp' });
  });
  const { open } = cancelling(() => ({ REDIS_URL: redis.url }));
  // Behind the gateway.
  afterAll(() => redis.stop());

  it('learns of it from another gateway, between its items and while it waits', async () => {
    const other = await open();
    try {
      const held = backends.faults.hold({ operation: 'updateMobile', mobileId: '2' });
      const jobId = randomUUID();
      const reply = gateway.callback('/api/v1/Mobile/BulkUpdateCallback', mobiles(4), jobHeaders(jobId));
      await held.held();
      await cancel(jobId, undefined, other);
      await windsUp(jobId);
      held.release();
      expect((await reply).body).toEqual({ status: 'Failure', errors: [`[2] 3: ${NOT_DONE}`, `[3] 4: ${NOT_DONE}`] });
    } finally {
      await other.close();
    }
  });
});

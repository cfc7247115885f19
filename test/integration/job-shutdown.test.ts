/** A gateway that is asked to stop in the middle of its jobs, and the next one on the same data directory. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Hold } from '../support/test-sandbox.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import {
  bulkReply,
  createAccount,
  createAccounts,
  deleteAccount,
  DRIVING_REPORT,
  jobHeaders,
  MOBILES,
  outcomeOf,
  reportOf,
  USER_ACCOUNTS,
} from '../support/job-requests.js';
import { forAllTests, forEachTest } from '../support/resources.js';
import { finishedJob, pollJob, startJob } from '../support/started-jobs.js';
import { startBackends, startSharedGround } from '../support/successive-gateways.js';
import { waitFor } from '../support/wait-for.js';

const OF_JOBS = new Set(['updateMobile', 'getDrivingRecord']);

const backends = forAllTests(startBackends);
const ground = forEachTest(() => startSharedGround(backends));
const headers = forEachTest(() => jobHeaders(randomUUID()));

const startGateway = (environment: Parameters<typeof startTestGateway>[0] = {}): Promise<TestGateway> =>
  // A call that a test holds must not be repeated because the machine is busy.
  startTestGateway({ BACKEND_TIMEOUT_SECONDS: '240', ...ground.environment, ...environment }, ground);

/** Uses the next gateway on the same ground. @returns its result */
async function onTheNext<T>(use: (gateway: TestGateway) => Promise<T>): Promise<T> {
  const gateway = await startGateway();
  try {
    return await use(gateway);
  } finally {
    await gateway.close();
  }
}

/** Asks a gateway to stop while a request is held, and lets the request go on once it is stopping. */
async function stopWhile(held: Hold, gateway: TestGateway): Promise<void> {
  await held.held();
  const closed = gateway.close();
  await waitFor('the gateway to be draining', () => gateway.logged().includes('"step":"jobs"'));
  held.release();
  await closed;
}

const created = (): readonly string[] =>
  ground.sandbox.journal.effects('userAccountCreated').map(({ loginId }) => loginId);
const createdIds = (): readonly number[] => ground.sandbox.journal.effects('userAccountCreated').map(({ id }) => id);

describe('a bulk job that is interrupted by a shutdown', () => {
  const ITEMS = 30;
  const items = createAccounts('stop', ITEMS);
  const loginIds = items.map(({ userAccountInput }) => userAccountInput.loginId);

  it('stops at the end of its item, gives its lease back and keeps its checkpoint; the next gateway does the rest', async () => {
    const held = ground.sandbox.faults.hold({ operation: 'createUserAccount', loginId: 'stop-20' });
    const first = await startGateway();
    const delivery = first.callback(USER_ACCOUNTS, items, headers);
    await stopWhile(held, first);
    const stopped = await delivery;
    expect([stopped.status, stopped.headers.get('x-job-id')]).toEqual([503, headers['x-job-id']]);
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(created()).toEqual(loginIds.slice(0, 21));

    await onTheNext(async (second) => {
      const polled = await pollJob(second, 'accounts', headers['x-job-id'] ?? '');
      expect(polled).toMatchObject({ completed: false, progress: { done: 21, total: ITEMS } });
      // With the lease of 60 s still there, this would be a 409.
      const reply = await second.callback(USER_ACCOUNTS, items, headers);
      expect(outcomeOf(reply)).toMatchObject({ status: 200, replayed: null });
      expect(created()).toEqual(loginIds);
      expect(bulkReply(reply)).toEqual({ status: 'Success', data: { created_user_account_id: createdIds() } });
      expect(ground.sandbox.journal.requests({ operation: 'createUserAccount' })).toHaveLength(ITEMS);
    });
  });

  it('is cut off when its item does not end within SHUTDOWN_DRAIN_SECONDS, and the item takes effect once', async () => {
    const jobs = [
      { last: 'cut-5', items: createAccounts('cut', ITEMS) },
      // A delete in doubt that then finds nothing counts as done.
      { last: 'staff-03', items: [createAccount('before'), deleteAccount('staff-03')] },
    ].map((job) => ({ ...job, headers: jobHeaders(randomUUID()) }));
    const holds = jobs.map(({ last }) => ground.sandbox.faults.hold({ loginId: last, stage: 'reply' }));
    const first = await startGateway({ SHUTDOWN_DRAIN_SECONDS: '1' });
    const deliveries = jobs.map((job) => first.callback(USER_ACCOUNTS, job.items, job.headers));
    await Promise.all(holds.map((hold) => hold.held()));
    await first.close();
    for (const delivery of deliveries) expect((await delivery).status).toBe(503);
    for (const hold of holds) hold.release();

    await onTheNext(async (second) => {
      for (const job of jobs) {
        const reply = await second.callback(USER_ACCOUNTS, job.items, job.headers);
        expect(bulkReply(reply)).toMatchObject({ status: 'Success' });
      }
    });
    const [cut] = jobs;
    expect(created().filter((loginId) => loginId.startsWith('cut-'))).toEqual(
      cut?.items.map(({ userAccountInput }) => userAccountInput.loginId),
    );
    const { journal } = ground.sandbox;
    const inDoubt = `acme:${cut?.headers['x-job-id'] ?? ''}:5`;
    const again = journal.requests().filter(({ idempotencyKey }) => idempotencyKey === inDoubt);
    expect(again.map(({ replayed }) => replayed)).toEqual([false, true]);
    expect(journal.effects('userAccountDeleted')).toHaveLength(1);
    const deletes = journal.requests({ operation: 'deleteUserAccount' });
    expect(deletes.map(({ status }) => status)).toContain(404);
  });
});

it('A driving report that is interrupted leaves nothing behind, and the next gateway makes it under the same key, as ordered', async () => {
  const files = async (): Promise<string[]> => {
    const directory = path.join(ground.dataDir, 'objects');
    const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
    // Beside the time by which files grow old.
    return entries.flatMap((entry) => (entry.isFile() && entry.name !== 'clock.json' ? entry.name : []));
  };
  const held = ground.sandbox.faults.hold({ operation: 'getDrivingRecord', mobileId: '3' });
  const first = await startGateway({ SHUTDOWN_DRAIN_SECONDS: '0' });
  const { jobId, createdAt } = await startJob(first, 'reports', reportOf(1, 2, 3));
  await held.held();
  await waitFor('the upload to begin', async () => (await files()).length === 1);
  await first.close();
  expect(await files()).toEqual([]);
  held.release();

  const ended = await onTheNext((second) => finishedJob(second, 'reports', jobId));
  expect(ended).toMatchObject({
    status: 'Success',
    errorList: null,
    createdAt,
    progress: { done: 3, total: 3 },
    key: `driving-reports/org/acme/2026-11-19/${jobId}.pdf`,
  });
  expect((await files()).sort()).toEqual([`${jobId}.csv`, `${jobId}.pdf`]);
});

describe('a gateway that is stopping', () => {
  it('fails readiness while load balancers take notice, and answers requests that still come', async () => {
    const maxLateMs = 200;
    const gateway = await startGateway({ SHUTDOWN_DELAY_SECONDS: '6', MAX_EVENT_LOOP_DELAY_MS: String(maxLateMs) });
    const closed = gateway.close();
    expect((await gateway.rest('GET', '/health/ready')).status).toBe(503);
    const since = performance.now();
    await waitFor('an answer', async () => {
      if (performance.now() - since < 2 * maxLateMs) return false;
      return (await gateway.graphql('{ serviceVersion }')).status === 200;
    });
    await closed;
  });

  it('refuses a callback with 503 and Retry-After, and lets jobs be finished that end in time', async () => {
    const gateway = await startGateway();
    const held = ground.sandbox.faults.hold({ match: ({ operation = '' }) => OF_JOBS.has(operation) });
    const running = gateway.callback(MOBILES, [{ id: 1, name: 'last' }], headers);
    const report = gateway.callback(DRIVING_REPORT, reportOf(1), jobHeaders(randomUUID()));
    await held.held(2);
    const closed = gateway.close();
    await waitFor('the gateway to be draining', () => gateway.logged().includes('"step":"jobs"'));
    const late = await gateway.callback(MOBILES, [{ id: 2, name: 'late' }], jobHeaders(randomUUID()));
    expect(late.status).toBe(503);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    held.release();
    // It had no further item, so it ended.
    expect((await running).text).toBe('{"status":"Success"}');
    expect(await report).toMatchObject({ status: 200, body: { errorList: null } });
    await closed;
    expect(ground.sandbox.journal.effects('mobileUpdated').map(({ id }) => id)).toEqual([1]);
  });

  it('does not wait for a connection that has never sent a request', async () => {
    const gateway = await startGateway({ SHUTDOWN_DRAIN_SECONDS: '600' });
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    socket.resume();
    await gateway.close();
    await closed;
  });
});

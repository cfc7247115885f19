/** A gateway that is asked to stop in the middle of its jobs, and the next one on the same data directory. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Hold, Sandbox } from '../../src/sandbox/sandbox.js';
import { startTestGateway, type Reply, type TestGateway } from '../support/gateway.js';
import {
  bulkReply,
  createAccount,
  createAccounts,
  deleteAccount,
  DRIVING_REPORT,
  jobHeaders,
  MOBILES,
  outcomeOf,
  USER_ACCOUNTS,
  type AccountItem,
} from '../support/job-requests.js';
import { finishedJob, pollJob, startJob } from '../support/started-jobs.js';
import { startBackends, startSharedGround, type SharedGround } from '../support/successive-gateways.js';
import { waitFor } from '../support/wait-for.js';

let backends: Sandbox;
let ground: SharedGround;

beforeAll(async () => {
  backends = await startBackends();
});
beforeEach(async () => {
  ground = await startSharedGround(backends);
});
afterEach(() => ground.close());
afterAll(() => backends.close());

function startGateway(environment: Parameters<typeof startTestGateway>[0] = {}): Promise<TestGateway> {
  return startTestGateway({ ...ground.environment, ...environment }, ground);
}

/** Asks a gateway to stop while a request is held, and lets the request go on once it is stopping. */
async function stopWhile(held: Hold, gateway: TestGateway): Promise<void> {
  await held.held();
  const closed = gateway.close();
  await waitFor('the gateway to be draining', () => gateway.logged().includes('"step":"jobs"'));
  held.release();
  await closed;
}

function created(): { readonly loginIds: readonly string[]; readonly ids: readonly number[] } {
  const effects = ground.sandbox.journal.effects('userAccountCreated');
  return { loginIds: effects.map(({ loginId }) => loginId), ids: effects.map(({ id }) => id) };
}

describe('a bulk job of 50 items that is interrupted by a shutdown', () => {
  let prefix: string;
  let items: AccountItem[];
  let loginIds: string[];
  beforeEach(() => {
    prefix = `stop-${randomUUID()}`;
    items = createAccounts(prefix, 50);
    loginIds = items.map(({ userAccountInput }) => userAccountInput.loginId);
  });

  it('stops at the end of its item, gives its lease back and keeps its checkpoint; the next gateway does the rest', async () => {
    const headers = jobHeaders(randomUUID());
    const held = ground.sandbox.faults.hold({ operation: 'createUserAccount', loginId: `${prefix}-20` });
    const first = await startGateway();
    const delivery = first.callback(USER_ACCOUNTS, items, headers);
    await stopWhile(held, first);
    const stopped = await delivery;
    expect([stopped.status, stopped.headers.get('x-job-id')]).toEqual([503, headers['x-job-id']]);
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(created().loginIds).toEqual(loginIds.slice(0, 21));

    const second = await startGateway();
    try {
      expect(await pollJob(second, 'accounts', headers['x-job-id'] ?? '')).toMatchObject({
        completed: false,
        progress: { done: 21, total: 50 },
      });
      // With the lease of 60 s still there, this would be a 409.
      const reply = await second.callback(USER_ACCOUNTS, items, headers);
      expect(outcomeOf(reply)).toMatchObject({ status: 200, replayed: null });
      expect(created().loginIds).toEqual(loginIds);
      expect(bulkReply(reply)).toEqual({ status: 'Success', data: { created_user_account_id: created().ids } });
      expect(ground.sandbox.journal.requests({ operation: 'createUserAccount' })).toHaveLength(50);
    } finally {
      await second.close();
    }
  });

  it('is finished by the queue of the next gateway when it came through the queue', async () => {
    const held = ground.sandbox.faults.hold({ operation: 'createUserAccount', loginId: `${prefix}-31` });
    const first = await startGateway();
    const { jobId } = await startJob(first, 'accounts', items);
    await stopWhile(held, first);
    expect(created().loginIds).toEqual(loginIds.slice(0, 32));

    const second = await startGateway();
    try {
      const status = await finishedJob(second, 'accounts', jobId);
      expect(created().loginIds).toEqual(loginIds);
      expect(status).toMatchObject({
        status: 'Success',
        progress: { done: 50, total: 50 },
        createdUserAccountId: created().ids,
      });
    } finally {
      await second.close();
    }
  });

  it('is cut off when its item does not end within SHUTDOWN_DRAIN_SECONDS, and the item takes effect once', async () => {
    const headers = jobHeaders(randomUUID());
    const held = ground.sandbox.faults.hold({ operation: 'createUserAccount', loginId: `${prefix}-5`, stage: 'reply' });
    const first = await startGateway({ SHUTDOWN_DRAIN_SECONDS: '1' });
    const delivery = first.callback(USER_ACCOUNTS, items, headers);
    await held.held();
    await first.close();
    expect((await delivery).status).toBe(503);
    held.release();

    const second = await startGateway();
    try {
      const reply = await second.callback(USER_ACCOUNTS, items, headers);
      expect(created().loginIds).toEqual(loginIds);
      expect(bulkReply(reply)).toEqual({ status: 'Success', data: { created_user_account_id: created().ids } });
      const inDoubt = ground.sandbox.journal
        .requests()
        .filter(({ idempotencyKey }) => idempotencyKey === `acme:${headers['x-job-id'] ?? ''}:5`);
      expect(inDoubt.map(({ replayed }) => replayed)).toEqual([false, true]);
    } finally {
      await second.close();
    }
  });
});

describe('what an interrupted delete reports', () => {
  const headers = (): Record<string, string> => jobHeaders(randomUUID());

  /** Runs the items on a gateway that is stopped at the held request, and then on the next one. */
  async function runTwice(items: readonly AccountItem[], held: Hold, drainSeconds: string): Promise<Reply> {
    const job = headers();
    const first = await startGateway({ SHUTDOWN_DRAIN_SECONDS: drainSeconds });
    const delivery = first.callback(USER_ACCOUNTS, items, job);
    if (drainSeconds === '1') {
      await held.held();
      await first.close();
      held.release();
    } else {
      await stopWhile(held, first);
    }
    expect((await delivery).status).toBe(503);
    const second = await startGateway();
    try {
      return await second.callback(USER_ACCOUNTS, items, job);
    } finally {
      await second.close();
    }
  }

  it.each([
    ['the first item', [deleteAccount('staff-03')]],
    ['a later item', [createAccount('before'), deleteAccount('staff-04')]],
  ])('is done when it was in doubt and finds nothing: as %s', async (_place, items) => {
    const held = ground.sandbox.faults.hold({ operation: 'deleteUserAccount', stage: 'reply' });
    const reply = await runTwice(items, held, '1');
    expect(bulkReply(reply).status).toBe('Success');
    expect(ground.sandbox.journal.effects('userAccountDeleted')).toHaveLength(1);
    expect(ground.sandbox.journal.requests({ operation: 'deleteUserAccount' }).map(({ status }) => status)).toContain(
      404,
    );
  });

  it('is a failure when it had not begun and finds nothing', async () => {
    const held = ground.sandbox.faults.hold({ operation: 'createUserAccount' });
    const reply = await runTwice([createAccount('earlier'), deleteAccount('nobody')], held, '25');
    expect(bulkReply(reply).errors).toEqual(['[1] nobody: user account not found']);
  });
});

describe('a driving report that is interrupted by a shutdown', () => {
  it('is made from its beginning by the next gateway, under the same key and with the time it was ordered', async () => {
    const drivers = ['1', '2', '3'].map((mobileId) => ({
      mobileId,
      employeeCode: `E-${mobileId}`,
      employeeName: '佐藤',
    }));
    const held = ground.sandbox.faults.hold({ operation: 'getDrivingRecord', mobileId: '3' });
    const first = await startGateway({ SHUTDOWN_DRAIN_SECONDS: '1' });
    const { jobId, createdAt } = await startJob(first, 'reports', { date: '2026-11-19T00:00:00+09:00', drivers });
    await held.held();
    await first.close();
    held.release();

    const second = await startGateway();
    try {
      expect(await finishedJob(second, 'reports', jobId)).toMatchObject({
        status: 'Success',
        errorList: null,
        createdAt,
        progress: { done: 3, total: 3 },
        key: `driving-reports/org/acme/2026-11-19/${jobId}.pdf`,
      });
    } finally {
      await second.close();
    }
  });
});

describe('a gateway that is stopping', () => {
  it('fails readiness while load balancers take notice, and answers whoever still comes', async () => {
    const maxLateMs = 200;
    const gateway = await startGateway({ SHUTDOWN_DELAY_SECONDS: '4', MAX_EVENT_LOOP_DELAY_MS: String(maxLateMs) });
    const closed = gateway.close();
    expect((await gateway.rest('GET', '/health/ready')).status).toBe(503);
    const since = performance.now();
    await waitFor('an answer', async () => {
      if (performance.now() - since < 2 * maxLateMs) return false;
      return (await gateway.graphql('{ serviceVersion }')).status === 200;
    });
    await closed;
  });

  it('refuses a callback with 503 and Retry-After while another job ends', async () => {
    const gateway = await startGateway();
    const held = ground.sandbox.faults.hold({ operation: 'updateMobile', mobileId: '1' });
    const running = gateway.callback(MOBILES, [{ id: 1, name: 'last' }], jobHeaders(randomUUID()));
    await held.held();
    const closed = gateway.close();
    await waitFor('the gateway to be draining', () => gateway.logged().includes('"step":"jobs"'));
    const late = await gateway.callback(MOBILES, [{ id: 2, name: 'late' }], jobHeaders(randomUUID()));
    expect(late.status).toBe(503);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    held.release();
    // It had no further item, so it ended.
    expect((await running).text).toBe('{"status":"Success"}');
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

  it('lets a driving report that ends in time be finished', async () => {
    const gateway = await startGateway();
    const held = ground.sandbox.faults.hold({ operation: 'getDrivingRecord' });
    const driver = { mobileId: '1', employeeCode: 'E', employeeName: '佐藤' };
    const delivery = gateway.callback(
      DRIVING_REPORT,
      { date: '2026-11-19T00:00:00Z', drivers: [driver] },
      jobHeaders(randomUUID()),
    );
    await stopWhile(held, gateway);
    expect(await delivery).toMatchObject({ status: 200, body: { errorList: null } });
  });
});

/** From the starting mutation through the queue to the callback, over HTTP, with a proxy that answers as told. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startCallbackProxy, type Answer, type CallbackProxy } from '../support/callback-proxy.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { createAccount, DRIVING_REPORT, MOBILES, USER_ACCOUNTS } from '../support/job-requests.js';
import { startSharedGround } from '../support/successive-gateways.js';
import { finishedJob, pollJob, startJob } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';

const ATTEMPTS = 3;

let proxy: CallbackProxy;
let gateway: TestGateway;

beforeAll(async () => {
  proxy = await startCallbackProxy();
  gateway = await startTestGateway({ ...proxy.environment, QUEUE_MAX_ATTEMPTS: String(ATTEMPTS) });
});
beforeEach(() => proxy.answer('forward'));
afterEach(() => gateway.sandbox.faults.clear());
afterAll(async () => {
  await gateway.close();
  await proxy.close();
});

/** The deliveries of one job so far. */
function deliveries(jobId: string): CallbackProxy['calls'] {
  return proxy.calls.filter(({ headers }) => headers['x-job-id'] === jobId);
}

/** Milliseconds between the deliveries of a job. */
function gaps(jobId: string): number[] {
  const times = deliveries(jobId).map(({ at }) => at);
  return times.slice(1).map((time, index) => time - (times[index] ?? 0));
}

describe('a delivery', () => {
  it.each([
    ['accounts', USER_ACCOUNTS, [createAccount('delivered', { indivs: [1, { any: ['値'] }] })]],
    ['mobiles', MOBILES, [{ id: 1, num: 'M-1', name: '配達', tagIds: [1] }]],
    [
      'reports',
      DRIVING_REPORT,
      { date: '2026-11-19T00:00:00+09:00', drivers: [{ mobileId: '1', employeeCode: 'E', employeeName: '佐藤' }] },
    ],
  ] as const)('of %s is a POST of the body with x-api-key, x-job-id and x-org-id', async (kind, path, body) => {
    const { jobId } = await startJob(gateway, kind, body);
    expect(await finishedJob(gateway, kind, jobId)).toMatchObject({ status: 'Success' });
    expect(deliveries(jobId)).toHaveLength(1);
    const [call] = deliveries(jobId);
    expect(call?.path).toBe(path);
    expect(call?.headers).toMatchObject({
      'x-api-key': 'development-callback-key',
      'x-job-id': jobId,
      'x-org-id': 'acme',
      'content-type': 'application/json',
    });
    expect(JSON.parse(call?.body ?? '')).toEqual(body);
  });

  it.each(['東京運送株式会社', '100%運送', 'a b/c?d&e=f', 'Übersee'])(
    'carries the organisation code %s intact',
    async (org) => {
      const bearer = await gateway.bearer({ claims: { 'org:id': org } });
      const { jobId } = await startJob(gateway, 'accounts', [createAccount('somewhere')], bearer);
      await waitFor('the job to end', async () => (await pollJob(gateway, 'accounts', jobId, bearer)).completed);
      expect(deliveries(jobId).map(({ headers }) => headers['x-org-id'])).toEqual([encodeURIComponent(org)]);
      const requests = gateway.sandbox.journal.requests({ operation: 'createUserAccount', org });
      expect(requests.map(({ idempotencyKey }) => idempotencyKey)).toContain(`${encodeURIComponent(org)}:${jobId}:0`);
    },
  );
});

describe('what a status means', () => {
  it('200: done, and not delivered again', async () => {
    proxy.answer({ status: 200, body: { status: 'Success' } }, 'forward');
    const { jobId } = await startJob(gateway, 'mobiles', []);
    await waitFor('the delivery', () => deliveries(jobId).length === 1);
    // A job that is put off for a second and then delivered: the first one would have come again by then.
    proxy.answer({ status: 503, headers: { 'retry-after': '2' } }, 'forward');
    const later = await startJob(gateway, 'mobiles', []);
    await finishedJob(gateway, 'mobiles', later.jobId);
    expect(deliveries(jobId)).toHaveLength(1);
  });

  it.each([409, 503])('%i: not now; comes back after Retry-After without using attempts', async (status) => {
    const later = { status, headers: { 'retry-after': '1' } } satisfies Answer;
    proxy.answer(later, later, later, later, 'forward');
    const { jobId } = await startJob(gateway, 'mobiles', [{ id: 2, name: 'patience' }]);
    expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Success' });
    expect(deliveries(jobId)).toHaveLength(5);
    for (const gap of gaps(jobId)) expect(gap).toBeGreaterThanOrEqual(950);
  });

  it('503: waits as long as Retry-After says', async () => {
    proxy.answer({ status: 503, headers: { 'retry-after': '3' } }, 'forward');
    const { jobId } = await startJob(gateway, 'mobiles', []);
    await finishedJob(gateway, 'mobiles', jobId);
    expect(gaps(jobId)).toEqual([expect.any(Number)]);
    expect(gaps(jobId)[0]).toBeGreaterThanOrEqual(2_950);
  });

  it('500, or a connection that breaks: an attempt; comes back with back-off, and may succeed at last', async () => {
    proxy.answer({ status: 500 }, 'cut', 'forward');
    const { jobId } = await startJob(gateway, 'mobiles', [{ id: 3, name: 'persistence' }]);
    expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Success', errors: null });
    const [first = 0, second = 0] = gaps(jobId);
    expect(gaps(jobId)).toHaveLength(2);
    expect(first).toBeGreaterThanOrEqual(950);
    expect(second).toBeGreaterThanOrEqual(1_950);
  });

  it.each([
    ['500', { status: 500, body: { message: 'stack trace' } }, 'The callback answered 500.'],
    ['a connection that breaks', 'cut', 'No usable reply came from the gateway.'],
  ] as const)(
    '%s, to the last of QUEUE_MAX_ATTEMPTS: a dead letter, and the record is a failure',
    async (_what, answer, text) => {
      proxy.answer(answer);
      const { jobId } = await startJob(gateway, 'mobiles', [{ id: 4, name: 'never' }]);
      const status = await finishedJob(gateway, 'mobiles', jobId);
      expect(status).toMatchObject({ state: 'FINISHED', status: 'Failure', errors: [text] });
      expect(deliveries(jobId)).toHaveLength(ATTEMPTS);
    },
  );

  it.each([400, 401, 413, 415, 422])('%i: final at once', async (status) => {
    proxy.answer({ status, body: { message: 'No.' } });
    const { jobId } = await startJob(gateway, 'mobiles', [{ id: 5, name: 'final' }]);
    expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({
      status: 'Failure',
      errors: [`The callback answered ${status} (No.).`],
    });
    expect(deliveries(jobId)).toHaveLength(1);
  });

  it('a reply that is lost on its way: delivered again, and the job is not run twice', async () => {
    const held = gateway.sandbox.faults.hold({ operation: 'createUserAccount', loginId: 'once-0' });
    proxy.answer('forward-and-cut', 'forward');
    const { jobId } = await startJob(gateway, 'accounts', [createAccount('once-0'), createAccount('once-1')]);
    await held.held();
    held.release();
    await waitFor('the second delivery', () => deliveries(jobId).length === 2);
    expect(await finishedJob(gateway, 'accounts', jobId)).toMatchObject({ status: 'Success' });
    expect(
      gateway.sandbox.journal.effects('userAccountCreated').filter(({ loginId }) => loginId.startsWith('once-')),
    ).toHaveLength(2);
    expect(
      gateway.sandbox.journal.requests().filter(({ idempotencyKey }) => idempotencyKey?.startsWith(`acme:${jobId}:`)),
    ).toHaveLength(2);
  });
});

describe('a gateway that is started again', () => {
  it('delivers what was left in its queue', async () => {
    const ground = await startSharedGround();
    const firstProxy = await startCallbackProxy();
    try {
      const first = await startTestGateway({ ...ground.environment, ...firstProxy.environment }, ground);
      firstProxy.answer({ status: 503, headers: { 'retry-after': '1' } });
      const { jobId, createdAt } = await startJob(first, 'accounts', [createAccount('survivor')]);
      await waitFor('a delivery', () => firstProxy.calls.length > 0);
      await first.close();
      expect(ground.sandbox.journal.effects()).toEqual([]);

      const second = await startTestGateway(ground.environment, ground);
      expect(await finishedJob(second, 'accounts', jobId)).toMatchObject({ status: 'Success', createdAt });
      await second.close();
      expect(ground.sandbox.journal.effects('userAccountCreated').map(({ loginId }) => loginId)).toEqual(['survivor']);
    } finally {
      await firstProxy.close();
      await ground.close();
    }
  });
});

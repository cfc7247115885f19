/** From the starting mutation through the queue to the callback, over HTTP, with a proxy that answers as told. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { startCallbackProxy, type CallbackProxy } from '../support/callback-proxy.js';
import { createAccount, DRIVING_REPORT, MOBILES, reportOf, USER_ACCOUNTS } from '../support/job-requests.js';
import { forAllTests, gatewayForAllTests } from '../support/resources.js';
import { finishedJob, pollJob, startJob } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';

const NOT_DELIVERED = 'The job could not be delivered. Order it again.';
const ATTEMPTS = 3;

const proxy = forAllTests(startCallbackProxy);
const gateway = gatewayForAllTests(() => ({ ...proxy.environment, QUEUE_MAX_ATTEMPTS: String(ATTEMPTS) }));

beforeEach(() => proxy.answer('forward'));

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
    ['reports', DRIVING_REPORT, reportOf(1)],
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

  it.each(['東京運送株式会社', '100% a b/c?d&e=f'])('carries the organisation code %s intact', async (org) => {
    const bearer = await gateway.bearer({ claims: { 'org:id': org } });
    const { jobId } = await startJob(gateway, 'accounts', [createAccount('somewhere')], bearer);
    // The simulated backend knows no such organisation, and refuses the account.
    const requests = (): readonly { idempotencyKey: string | undefined }[] =>
      gateway.sandbox.journal.requests({ operation: 'createUserAccount', org });
    await waitFor('the account to be asked for', () => requests().length > 0);
    expect(requests()[0]?.idempotencyKey).toBe(`${encodeURIComponent(org)}:${jobId}:0`);
    expect(deliveries(jobId)[0]?.headers['x-org-id']).toBe(encodeURIComponent(org));
    await waitFor('the job to end', async () => (await pollJob(gateway, 'accounts', jobId, bearer)).completed);
  });
});

describe('an answer of', () => {
  it('200 is the end: the job is not delivered again', async () => {
    proxy.answer({ status: 200, body: { status: 'Success' } }, 'forward');
    const { jobId } = await startJob(gateway, 'mobiles', [{ id: 1 }]);
    await waitFor('the delivery', () => deliveries(jobId).length === 1);
    // A job that is put off for a second and then delivered: the first one would have come again by then.
    proxy.answer({ status: 503, headers: { 'retry-after': '1' } }, 'forward');
    const later = await startJob(gateway, 'mobiles', [{ id: 1 }]);
    await finishedJob(gateway, 'mobiles', later.jobId);
    expect(deliveries(jobId)).toHaveLength(1);
  });

  it('409 or 503 is a delay as long as Retry-After says, of which there may be as many as attempts', async () => {
    const later = (status: number, seconds: number) => ({ status, headers: { 'retry-after': String(seconds) } });
    proxy.answer(later(409, 1), later(503, 2), later(409, 1), 'forward');
    const { jobId } = await startJob(gateway, 'mobiles', [{ id: 2, name: 'patience' }]);
    expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Success' });
    expect(gaps(jobId)).toHaveLength(ATTEMPTS);
    for (const [index, seconds] of [1, 2, 1].entries()) {
      expect(gaps(jobId)[index]).toBeGreaterThanOrEqual(seconds * 1_000 - 50);
    }
  });

  it('500 is an attempt with back-off, and may succeed at last', async () => {
    proxy.answer({ status: 500 }, { status: 500 }, 'forward');
    const { jobId } = await startJob(gateway, 'mobiles', [{ id: 3, name: 'persistence' }]);
    expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Success', errors: null });
    expect(gaps(jobId)).toHaveLength(2);
    expect(gaps(jobId)[0]).toBeGreaterThanOrEqual(950);
    expect(gaps(jobId)[1]).toBeGreaterThanOrEqual(1_950);
  });

  it('500 to the last of QUEUE_MAX_ATTEMPTS makes the record a failure, whatever connections break between', async () => {
    proxy.answer({ status: 500 }, 'cut', { status: 500, body: { message: 'stack trace' } });
    const { jobId } = await startJob(gateway, 'mobiles', [{ id: 4, name: 'never' }]);
    const status = await finishedJob(gateway, 'mobiles', jobId);
    expect(status).toMatchObject({ state: 'FINISHED', status: 'Failure', errors: [NOT_DELIVERED] });
    expect(deliveries(jobId)).toHaveLength(ATTEMPTS + 1);
  });

  it.each([400, 413, 415, 422])('%i is final at once', async (status) => {
    proxy.answer({ status, body: { message: 'No.' } });
    const { jobId } = await startJob(gateway, 'mobiles', [{ id: 5, name: 'final' }]);
    expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Failure', errors: [NOT_DELIVERED] });
    expect(deliveries(jobId)).toHaveLength(1);
  });

  it('200 that is lost on its way has the job delivered again, which is not run twice', async () => {
    proxy.answer('forward-and-cut', 'forward');
    const { jobId } = await startJob(gateway, 'accounts', [createAccount('once-0'), createAccount('once-1')]);
    await waitFor('the second delivery', () => deliveries(jobId).length === 2);
    expect(await finishedJob(gateway, 'accounts', jobId)).toMatchObject({ status: 'Success' });
    const created = gateway.sandbox.journal.effects('userAccountCreated').map(({ loginId }) => loginId);
    expect(created.filter((loginId) => loginId.startsWith('once-'))).toEqual(['once-0', 'once-1']);
    const keys = gateway.sandbox.journal.requests().map(({ idempotencyKey }) => idempotencyKey);
    expect(keys.filter((key) => key?.startsWith(`acme:${jobId}:`))).toHaveLength(2);
  });
});

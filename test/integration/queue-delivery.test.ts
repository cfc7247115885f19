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

function deliveries(jobId: string): CallbackProxy['calls'] {
  return proxy.calls.filter(({ headers }) => headers['x-job-id'] === jobId);
}

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
});

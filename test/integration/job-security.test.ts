/** Passwords are at rest nowhere in clear, and the keys that see to that can be changed without losing a job. */
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { startCallbackProxy } from '../support/callback-proxy.js';
import { startTestGateway } from '../support/gateway.js';
import { createAccount, DRIVING_REPORT, jobHeaders, MOBILES, outcomeOf } from '../support/job-requests.js';
import { filesBelow, MarkedSecrets } from '../support/marked-secrets.js';
import { forAllTests, forEachTest } from '../support/resources.js';
import { finishedJob, pollJob, startJob } from '../support/started-jobs.js';
import { startBackends, startSharedGround } from '../support/successive-gateways.js';
import { waitFor } from '../support/wait-for.js';

const proxy = forEachTest(startCallbackProxy);
const ground = forEachTest(() => startSharedGround(backends));
const backends = forAllTests(startBackends);

it('the password of an account job is in no file and not in the log, while it waits or as a dead letter', async () => {
  const secrets = new MarkedSecrets();
  const password = secrets.password('password of an account');
  const gateway = await startTestGateway({ ...ground.environment, ...proxy.environment, LOG_LEVEL: 'trace' }, ground);
  const expectHidden = async (jobId: string): Promise<void> => {
    const seen = `${await filesBelow(gateway.dataDir)}${gateway.logged()}`;
    // It does look at the right places.
    expect(seen).toContain(jobId);
    expect(secrets.foundIn(seen)).toEqual([]);
  };
  try {
    proxy.answer({ status: 503, headers: { 'retry-after': '1' } }, { status: 422, body: { message: 'no' } });
    const { jobId } = await startJob(gateway, 'accounts', [createAccount('secret', { password })]);
    await waitFor('the first delivery', () => proxy.calls.length > 0);
    await expectHidden(jobId);
    expect(await finishedJob(gateway, 'accounts', jobId)).toMatchObject({ status: 'Failure' });
    await expectHidden(jobId);
  } finally {
    await gateway.close();
  }
});

describe('after JOB_ENCRYPTION_KEY was rotated to "new,old"', () => {
  const [oldKey, newKey] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')];
  const before = { JOB_ENCRYPTION_KEY: oldKey };
  const after = { JOB_ENCRYPTION_KEY: `${newKey},${oldKey}` };

  it('a message that was sealed with the old key is delivered', async () => {
    const first = await startTestGateway({ ...before, ...proxy.environment }, ground);
    proxy.answer({ status: 503, headers: { 'retry-after': '1' } });
    const { jobId } = await startJob(first, 'accounts', [createAccount('sealed')]);
    await waitFor('a delivery', () => proxy.calls.length > 0);
    await first.close();

    const second = await startTestGateway(after, ground);
    try {
      expect(await finishedJob(second, 'accounts', jobId)).toMatchObject({
        status: 'Success',
        createdUserAccountId: [expect.any(Number)],
      });
    } finally {
      await second.close();
    }
  });

  it('without the old key that message waits for it: nothing is lost, and its poller sees a job that is pending', async () => {
    const first = await startTestGateway({ ...before, ...proxy.environment }, ground);
    proxy.answer({ status: 503, headers: { 'retry-after': '1' } });
    const { jobId } = await startJob(first, 'mobiles', [{ id: 1, name: 'sealed' }]);
    await waitFor('a delivery', () => proxy.calls.length > 0);
    await first.close();

    const second = await startTestGateway({ JOB_ENCRYPTION_KEY: newKey }, ground);
    try {
      await waitFor('the message to be put off', () => second.logged().includes('"event":"delivery.delayed"'), 60_000);
      expect(await pollJob(second, 'mobiles', jobId)).toMatchObject({ state: 'PENDING', completed: false });
      expect(ground.sandbox.journal.effects()).toEqual([]);
    } finally {
      await second.close();
    }
  });

  it('fingerprints and derived ids of the old key still match, and its download links still work', async () => {
    const named = jobHeaders(randomUUID());
    const report = { date: '2026-11-19T00:00:00Z', drivers: [] };
    const first = await startTestGateway(before, ground);
    const byId = await first.callback(MOBILES, [{ id: 1, name: 'by id' }], named);
    const byContent = await first.callback(MOBILES, [{ id: 2, name: 'by content' }], { 'x-org-id': 'acme' });
    await first.callback(DRIVING_REPORT, report, jobHeaders('linked'));
    const { downloadUrl } = await pollJob(first, 'reports', 'linked');
    await first.close();

    const second = await startTestGateway(after, ground);
    try {
      const again = await second.callback(MOBILES, [{ id: 1, name: 'by id' }], named);
      expect(outcomeOf(again)).toEqual({ status: 200, text: byId.text, replayed: 'true' });
      expect((await second.callback(MOBILES, [{ id: 1, name: 'other' }], named)).status).toBe(422);
      const same = await second.callback(MOBILES, [{ id: 2, name: 'by content' }], { 'x-org-id': 'acme' });
      expect(outcomeOf(same)).toEqual({ status: 200, text: byContent.text, replayed: 'true' });
      expect(same.headers.get('x-job-id')).toBe(byContent.headers.get('x-job-id'));
      const { pathname, search } = new URL(downloadUrl ?? '');
      expect((await fetch(`${second.url}${pathname}${search}`)).status).toBe(200);
      // A new job is accepted.
      const fresh = await second.callback(MOBILES, [], { 'x-org-id': 'acme' });
      expect(outcomeOf(fresh)).toMatchObject({ status: 200, replayed: null });
    } finally {
      await second.close();
    }
  });
});

/** The key of the callbacks alone makes no account where every account needs a user's order. */
import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { startTestGateway } from '../support/gateway.js';
import { MOBILES, USER_ACCOUNTS } from '../support/job-requests.js';
import { forAllTests } from '../support/resources.js';
import { finishedJob, startJob } from '../support/started-jobs.js';

const gateway = forAllTests(() => startTestGateway({ CALLBACKS_ORDERED_ONLY: 'true' }));

const create = (loginId: string) => ({
  type: 0,
  userAccountInput: { loginId, password: 'p', name: 'n', isAdmin: true },
});

it.each([0, 1, 2])('refuses an account job of type %i that no user ordered, and claims nothing', async (type) => {
  const body = [{ ...create('intruder'), type }];
  for (const headers of [{}, { 'x-job-id': randomUUID() }, { 'x-job-id': randomUUID(), 'x-org-id': 'acme' }]) {
    gateway.sandbox.journal.clear();
    expect(await gateway.callback(USER_ACCOUNTS, body, headers)).toMatchObject({
      status: 422,
      body: { message: 'Account jobs run here only if a user ordered them.' },
    });
    expect(gateway.sandbox.journal.requests()).toEqual([]);
  }
  expect(gateway.logged()).not.toContain('job.started');
});

it('refuses it before the body is read', async () => {
  const headers = { 'content-type': 'application/json', 'x-api-key': 'development-callback-key' };
  const { status } = await fetch(`${gateway.url}${USER_ACCOUNTS}`, { method: 'POST', headers, body: '[' });
  expect(status).toBe(422);
});

it('runs account jobs that a user ordered, and other jobs of anybody', async () => {
  const { jobId } = await startJob(gateway, 'accounts', [create('ordered')]);
  expect(await finishedJob(gateway, 'accounts', jobId)).toMatchObject({ status: 'Success' });
  expect((await gateway.callback(MOBILES, [{ id: 1, name: 'x' }], { 'x-job-id': randomUUID() })).status).toBe(200);
});

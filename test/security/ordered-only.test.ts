/** The key of the callbacks alone makes no account where every account needs a user's order. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { keyedJobId } from '../../src/jobs/record/keyed-job-id.js';
import { JOB_KINDS } from '../../src/jobs/record/job-kinds.js';
import { ROOT } from '../support/built-programs.js';
import { CALLBACKS } from '../support/callbacks.js';
import { startTestGateway } from '../support/gateway.js';
import { USER_ACCOUNTS } from '../support/job-requests.js';
import { JOBS } from '../support/job-table.js';
import { forAllTests } from '../support/resources.js';
import { finishedJob, startJob } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';

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

it.each(CALLBACKS)('refuses what no user ordered of the kind $kind if only administrators may', async (callback) => {
  const { path: route, example, kind } = callback;
  const { status } = await gateway.callback(route, example, { 'x-job-id': randomUUID() });
  expect(status).toBe(JOBS[kind].administratorsOnly ? 422 : 200);
});

it.each(CALLBACKS)(
  'refuses a job of the kind $kind under an id that keys make, if no user ordered it',
  async (callback) => {
    const { path: route, example, kind } = callback;
    const order = { kind, org: 'acme', backendUser: 'chief', idempotencyKey: '2026-11-29' };
    const headers = { 'x-job-id': keyedJobId(order), 'x-org-id': 'acme' };
    expect(await gateway.callback(route, example, headers)).toMatchObject({ status: 422 });
  },
);

it('no rule is for a kind by its name: each asks the table of kinds', () => {
  const named = new RegExp(`(?:[!=]==|\\bcase) '(?:${JOB_KINDS.join('|')})'`);
  const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const found = files.filter(
    (file) => file.endsWith('.ts') && named.test(readFileSync(path.join(ROOT, 'src', file), 'utf8')),
  );
  expect(found).toEqual([]);
});

it('runs account jobs that a user ordered', async () => {
  const { jobId } = await startJob(gateway, 'accounts', [create('ordered')]);
  expect(await finishedJob(gateway, 'accounts', jobId)).toMatchObject({ status: 'Success' });
});

describe('with MOBILE_UPDATES=administrators', () => {
  const closed = forAllTests(() => startTestGateway({ MOBILE_UPDATES: 'administrators' }));
  const start = async (loginId: string) =>
    closed.graphql(
      'mutation { startBulkUpdateMobile(items: [{ id: 1, name: "new" }]) { jobId } }',
      {},
      await closed.bearer({ loginId }),
    );

  it('only an administrator starts an update of mobiles; others see their jobs as before', async () => {
    const { data, errors } = await start('driver');
    expect([data, errors?.[0]?.extensions.reason]).toEqual([{ startBulkUpdateMobile: null }, 'AdministratorsOnly']);
    expect(closed.sandbox.journal.requests({ operation: 'lookupMobiles' })).toEqual([]);
    const seen = await closed.graphql(
      '{ jobs(kind: MOBILES) { edges { cursor } } }',
      {},
      await closed.bearer({ loginId: 'driver' }),
    );
    expect([seen.data, seen.errors]).toEqual([{ jobs: { edges: [] } }, undefined]);
    expect((await start('demo')).errors).toBeUndefined();
    await waitFor('the update', () => closed.sandbox.journal.requests({ operation: 'updateMobile' }).length > 0);
  });
});

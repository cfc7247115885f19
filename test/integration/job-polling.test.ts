/** Jobs as the front end sees them: started by a mutation, polled by a query until they have ended. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { startCallbackProxy } from '../support/callback-proxy.js';
import { startTestGateway } from '../support/gateway.js';
import {
  createAccount,
  createAccounts,
  deleteAccount,
  DRIVING_REPORT,
  jobHeaders,
  MOBILES,
  reportOf,
  USER_ACCOUNTS,
} from '../support/job-requests.js';
import { unservedSchema } from '../support/job-table.js';
import { forAllTests } from '../support/resources.js';
import { finishedJob, pollJob, requestStart, startJob, type StartedKind } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const gateway = forAllTests(() => startTestGateway({ JOBS_CONCURRENCY: '4' }));

afterEach(() => gateway.sandbox.faults.clear());

describe('a job that was started', () => {
  it('is PENDING until it is delivered, then RUNNING with its progress, then FINISHED', async () => {
    const busy = gateway.sandbox.faults.hold({ operation: 'updateMobile' });
    // As many as the queue delivers at the same time, so that the next one waits.
    const others = await Promise.all([1, 2, 3, 4].map((id) => startJob(gateway, 'mobiles', [{ id, name: 'busy' }])));
    await busy.held(4);
    const { jobId, createdAt } = await startJob(gateway, 'accounts', createAccounts('polled', 3));
    const unfinished = {
      jobId,
      completed: false,
      createdAt,
      finishedAt: null,
      status: null,
      errors: null,
      createdUserAccountId: null,
    };
    const pending = { ...unfinished, state: 'PENDING', progress: { done: 0, total: 3 } };
    expect(await pollJob(gateway, 'accounts', jobId)).toEqual(pending);

    const held = gateway.sandbox.faults.hold({ operation: 'createUserAccount', loginId: 'polled-2' });
    busy.release();
    await held.held();
    const running = { ...unfinished, state: 'RUNNING', progress: { done: 2, total: 3 } };
    expect(await pollJob(gateway, 'accounts', jobId)).toEqual(running);

    held.release();
    const finished = await finishedJob(gateway, 'accounts', jobId);
    expect(finished).toEqual({
      ...unfinished,
      completed: true,
      state: 'FINISHED',
      progress: { done: 3, total: 3 },
      finishedAt: expect.stringMatching(RFC_3339),
      status: 'Success',
      createdUserAccountId: Array(3).fill(expect.stringMatching(/^\d+$/)),
    });
    expect(Date.parse(finished.finishedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(createdAt));
    await Promise.all(others.map((other) => finishedJob(gateway, 'mobiles', other.jobId)));
  });

  it('that failed in part shows its errors and what was done; null in its input is "not given"', async () => {
    const items = [
      createAccount('partly', { useChat: null, indivs: null }),
      deleteAccount('nobody'),
      createAccount('no-password', { password: null }),
    ];
    const { jobId } = await startJob(gateway, 'accounts', items);
    expect(await finishedJob(gateway, 'accounts', jobId)).toMatchObject({
      status: 'Failure',
      errors: [
        '[1] nobody: user account not found',
        // Judged by the job, not by the mutation.
        '[2] no-password: password is required to create an account',
      ],
      createdUserAccountId: [expect.stringMatching(/^\d+$/)],
      progress: { done: 3, total: 3 },
    });
    // Deleted between the check of visibility and the update, as far as the job can tell.
    const fault = { kind: 'status', status: 404, message: 'mobile not found' } as const;
    gateway.sandbox.faults.set({ operation: 'updateMobile', mobileId: '9', fault });
    const mobiles = await startJob(gateway, 'mobiles', [{ id: 8 }, { id: 9 }]);
    const errors = ['[1] 9: mobile not found'];
    expect(await finishedJob(gateway, 'mobiles', mobiles.jobId)).toMatchObject({ status: 'Failure', errors });
  });
});

const DETAILS = `progress { done failed } failureCount pollAfterSeconds first: failures(first: 1) { index }
  rest: failures(first: 9, after: 1) { index } all: failures { index }`;

describe('a page that shows a job', () => {
  const graphql = async (query: string, variables: Readonly<Record<string, unknown>>) =>
    gateway.graphql(query, variables, await gateway.bearer());

  it('sees its status with the start and the cancellation, counts failures meanwhile, and reads them in parts', async () => {
    const fault = { kind: 'status', status: 404, message: 'mobile not found' } as const;
    for (const mobileId of ['1', '2']) gateway.sandbox.faults.set({ operation: 'updateMobile', mobileId, fault });
    const held = gateway.sandbox.faults.hold({ operation: 'updateMobile', mobileId: '3' });
    const items = ['1', '2', '3'].map((id) => ({ id, name: 'shown' }));
    const started = await graphql(
      `mutation ($items: [MobileUpdateInput!]!) { job: startBulkUpdateMobile(items: $items) { id status { id ${DETAILS} } } }`,
      { items },
    );
    const { id: jobId, status } = started.data?.['job'] as { id: string; status: unknown }; // as selected above
    expect(status).toMatchObject({ id: jobId, failureCount: 0, pollAfterSeconds: 1, all: [] });
    await held.held();
    const read = async () =>
      (await graphql(`query ($jobId: ID!) { job(jobId: $jobId) { ${DETAILS} } }`, { jobId })).data?.['job'];
    const meanwhile = { progress: { done: 2, failed: 2 }, failureCount: 0, first: [], rest: [], all: [] };
    await waitFor('the note of the second item', async () => {
      const { progress } = (await read()) as { progress: { done: number } }; // as selected above
      return progress.done === 2;
    });
    expect(await read()).toEqual({ ...meanwhile, pollAfterSeconds: 1 });
    const cancelled = await graphql('mutation ($jobId: ID!) { cancelJob(jobId: $jobId) { status { cancelled } } }', {
      jobId,
    });
    expect(cancelled.data).toEqual({ cancelJob: { status: { cancelled: true } } });
    held.release();
    await finishedJob(gateway, 'mobiles', jobId);
    const [one, two] = [{ index: 0 }, { index: 1 }];
    const parts = { first: [one], rest: [two], all: [one, two] };
    expect(await read()).toMatchObject({ progress: { done: 3, failed: 2 }, failureCount: 2, ...parts });
    const { errors } = await graphql('query ($jobId: ID!) { job(jobId: $jobId) { failures(after: -1) { index } } }', {
      jobId,
    });
    expect(errors).toMatchObject([{ extensions: { code: 'BadInput', fields: [{ path: ['after'] }] } }]);
  });

  it('sees of a report no count of failures before its end, and for how many seconds its link works', async () => {
    const held = gateway.sandbox.faults.hold({ operation: 'getDrivingRecord' });
    const { jobId } = await startJob(gateway, 'reports', reportOf('1'));
    await held.held();
    const read = async () =>
      (
        await graphql(
          `
            query ($jobId: ID!) {
              report: fetchDrivingReportsStatus(jobId: $jobId) {
                progress {
                  failed
                }
                downloadUrlExpiresIn
              }
            }
          `,
          { jobId },
        )
      ).data?.['report'];
    expect(await read()).toEqual({ progress: { failed: null }, downloadUrlExpiresIn: null });
    held.release();
    await finishedJob(gateway, 'reports', jobId);
    expect(await read()).toEqual({ progress: { failed: 0 }, downloadUrlExpiresIn: 300 });
  });
});

/** Levels that the SDL gives a value of any type. */
const LEVELS = Number(/nested up to (\d+)/.exec(unservedSchema().getType('JSON')?.description ?? '')?.[1]);

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describe('a start that is refused', () => {
  /** Every job that was begun until now, as the log of the gateway knows them. */
  const begun = (): number => gateway.logged().split('"event":"job.started"').length - 1;
  const NOT_SEEN = 'There are no such mobiles:';

  it.each<[why: string, user: string, kind: StartedKind, value: unknown, code: string, says: string]>([
    [
      'mobiles that the user does not see',
      'driver',
      'mobiles',
      [{ id: 50 }, { id: 51 }, { id: 77 }],
      'NotFound',
      `${NOT_SEEN} 51, 77.`,
    ],
    ['a report of such', 'driver', 'reports', reportOf('1', '51', 'x'), 'NotFound', `${NOT_SEEN} 51, x.`],
    ['an unknown mobile', 'demo', 'mobiles', [{ id: 1 }, { id: 999_999 }], 'NotFound', `${NOT_SEEN} 999999.`],
    ['accounts by no administrator', 'driver', 'accounts', [], 'Forbidden', ''],
    [
      'deep nesting',
      'demo',
      'accounts',
      [{ type: 1, userAccountInput: { loginId: 'x', indivs: [nested(LEVELS + 1)] } }],
      'BadInput',
      'nested',
    ],
    ['no items', 'demo', 'mobiles', [], 'BadInput', 'The list is empty: a job needs at least one entry.'],
    ['no drivers', 'demo', 'reports', reportOf(), 'BadInput', 'The list is empty: a job needs at least one entry.'],
  ])('because of %s says so, and nothing is run', async (_why, loginId, kind, value, code, says) => {
    const before = begun();
    const { data, errors } = await requestStart(gateway, kind, value, await gateway.bearer({ loginId }));
    expect(data?.['job'] ?? null).toBeNull();
    expect(errors).toMatchObject([{ message: expect.stringContaining(says), extensions: { code } }]);
    // One more job that is allowed: had the refused one been enqueued, it would have been delivered before it.
    const { jobId } = await startJob(gateway, 'mobiles', [{ id: 1 }]);
    await finishedJob(gateway, 'mobiles', jobId);
    expect(begun()).toBe(before + 1);
  });

  it.each<[StartedKind, unknown, (string | number)[]]>([
    ['mobiles', [{ id: 50 }, { id: 51 }], ['items', 1, 'id']],
    ['reports', reportOf('1', '50', 'x'), ['input', 'drivers', 2, 'mobileId']],
  ])('names the place of a mobile that the user does not see, in %s', async (kind, value, path) => {
    const { errors } = await requestStart(gateway, kind, value, await gateway.bearer({ loginId: 'driver' }));
    expect(errors).toMatchObject([
      { extensions: { reason: 'UnknownMobile', fields: [{ path, message: 'is no known mobile' }] } },
    ]);
  });
});

const callbacks = forAllTests(startCallbackProxy);
const undelivered = forAllTests(() => startTestGateway(callbacks.environment));
const callsOf = (id: string) => callbacks.calls.filter(({ headers }) => headers['x-job-id'] === id);

it('A job that could not be delivered is a Failure with a text, and is taken up by a later delivery after all', async () => {
  callbacks.answer({ status: 400, body: { message: 'The request body does not match the specification.' } });
  const orders = [
    ['accounts', USER_ACCOUNTS, [createAccount('never', { indivs: [{ any: ['値'] }, nested(LEVELS)] })]],
    ['reports', DRIVING_REPORT, reportOf('1')],
    ['mobiles', MOBILES, [{ id: 1, name: 'late' }]],
  ] as const;
  let jobId = '';
  for (const [kind, path, value] of orders) {
    ({ jobId } = await startJob(undelivered, kind, value));
    const status = await finishedJob(undelivered, kind, jobId);
    const headers = { 'x-api-key': 'development-callback-key', 'x-job-id': jobId, 'x-org-id': 'acme' };
    expect(callsOf(jobId)).toMatchObject([{ path, headers: { ...headers, 'content-type': 'application/json' } }]);
    expect(JSON.parse(callsOf(jobId)[0]?.body ?? '')).toEqual(value);
    expect(status).toMatchObject({
      state: 'FINISHED',
      status: 'Failure',
      finishedAt: expect.stringMatching(RFC_3339),
      errors: ['The job could not be delivered. Order it again.'],
      progress: { done: 0, total: 1 },
    });
    for (const field of ['createdUserAccountId', 'key', 'downloadUrl', 'errorList'] as const) {
      expect(status[field] ?? null).toBeNull();
    }
  }
  callbacks.answer('forward');
  const reply = await undelivered.callback(MOBILES, [{ id: 1, name: 'late' }], jobHeaders(jobId));
  expect([reply.status, reply.text]).toEqual([200, '{"status":"Success"}']);
  const success = await waitFor('the record to follow', async () => {
    const status = await pollJob(undelivered, 'mobiles', jobId);
    return status.status === 'Success' && status;
  });
  expect(success).toMatchObject({ state: 'FINISHED', errors: null, progress: { done: 1, total: 1 } });
});

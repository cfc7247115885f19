/** Jobs as the front end sees them: started by a mutation, polled by a query until they have ended. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startCallbackProxy, type CallbackProxy } from '../support/callback-proxy.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import {
  createAccount,
  createAccounts,
  deleteAccount,
  DRIVING_REPORT,
  jobHeaders,
  MOBILES,
  USER_ACCOUNTS,
} from '../support/job-requests.js';
import {
  finishedJob,
  pollJob,
  requestStart,
  requestStatus,
  startJob,
  type StartedKind,
} from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';

const DATE = '2026-11-19T00:00:00+09:00';
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.sandbox.faults.clear());
afterAll(() => gateway.close());

const driver = (mobileId: string): object => ({ mobileId, employeeCode: `E-${mobileId}`, employeeName: '佐藤 健一' });

/** Every job id that was accepted until now, as the log of the gateway knows them. */
function startedJobs(): number {
  return gateway.logged().split('"event":"job.started"').length - 1;
}

describe('a job that was started', () => {
  it('is PENDING until it is delivered, then RUNNING with its progress, then FINISHED', async () => {
    const busy = gateway.sandbox.faults.hold({ operation: 'updateMobile' });
    // As many as the queue delivers at the same time, so that the next one waits.
    const others = await Promise.all(
      Array.from({ length: 4 }, (_, index) => startJob(gateway, 'mobiles', [{ id: 30 + index, name: 'busy' }])),
    );
    await busy.held(4);
    const { jobId, createdAt } = await startJob(gateway, 'accounts', createAccounts('polled', 3));
    expect(await pollJob(gateway, 'accounts', jobId)).toEqual({
      jobId,
      completed: false,
      state: 'PENDING',
      progress: { done: 0, total: 3 },
      createdAt,
      finishedAt: null,
      status: null,
      errors: null,
      createdUserAccountId: null,
    });

    const held = gateway.sandbox.faults.hold({ operation: 'createUserAccount', loginId: 'polled-2' });
    busy.release();
    await held.held();
    expect(await pollJob(gateway, 'accounts', jobId)).toEqual({
      jobId,
      completed: false,
      state: 'RUNNING',
      progress: { done: 2, total: 3 },
      createdAt,
      finishedAt: null,
      status: null,
      errors: null,
      createdUserAccountId: null,
    });

    held.release();
    const created = expect.any(Number);
    const finished = await finishedJob(gateway, 'accounts', jobId);
    expect(finished).toEqual({
      jobId,
      completed: true,
      state: 'FINISHED',
      progress: { done: 3, total: 3 },
      createdAt,
      finishedAt: expect.stringMatching(RFC_3339),
      status: 'Success',
      errors: null,
      createdUserAccountId: [created, created, created],
    });
    expect(Date.parse(finished.finishedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(createdAt));
    await Promise.all(others.map((other) => finishedJob(gateway, 'mobiles', other.jobId)));
  });

  it('that failed in part shows its errors and the ids that were created', async () => {
    const { jobId } = await startJob(gateway, 'accounts', [createAccount('partly'), deleteAccount('nobody')]);
    expect(await finishedJob(gateway, 'accounts', jobId)).toMatchObject({
      status: 'Failure',
      errors: ['[1] nobody: user account not found'],
      createdUserAccountId: [expect.any(Number)],
      progress: { done: 2, total: 2 },
    });
  });

  it('of mobiles shows its errors', async () => {
    // Deleted between the check of visibility and the update, as far as the job can tell.
    gateway.sandbox.faults.set({
      operation: 'updateMobile',
      mobileId: '9',
      fault: { kind: 'status', status: 404, message: 'mobile not found' },
    });
    const { jobId } = await startJob(gateway, 'mobiles', [
      { id: 8, name: 'there' },
      { id: 9, name: 'gone' },
    ]);
    expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({
      status: 'Failure',
      errors: ['[1] 9: mobile not found'],
    });
  });

  it('of driving reports shows key and download link, and no errorList when there is none', async () => {
    const { jobId } = await startJob(gateway, 'reports', { date: DATE, drivers: [driver('1')] });
    expect(await finishedJob(gateway, 'reports', jobId)).toMatchObject({
      status: 'Success',
      errors: null,
      errorList: null,
      progress: { done: 1, total: 1 },
      key: `driving-reports/org/acme/2026-11-19/${jobId}.pdf`,
      downloadUrl: expect.stringContaining(`/files/driving-reports/org/acme/2026-11-19/${jobId}.pdf?exp=`),
    });
  });

  it('of driving reports lists the drivers without a page, and still links to the report', async () => {
    gateway.sandbox.faults.set({
      operation: 'getDrivingRecord',
      mobileId: '2',
      fault: { kind: 'status', status: 403, message: 'sealed' },
    });
    const { jobId } = await startJob(gateway, 'reports', { date: DATE, drivers: [driver('1'), driver('2')] });
    const status = await finishedJob(gateway, 'reports', jobId);
    expect(status).toMatchObject({
      errorList: [{ mobileId: '2', employeeCode: 'E-2', code: 'Forbidden', message: 'sealed' }],
      errors: [expect.stringContaining('sealed')],
      downloadUrl: expect.any(String),
      key: expect.any(String),
    });
  });

  it('does not show a download link before there is a report', async () => {
    const held = gateway.sandbox.faults.hold({ operation: 'getDrivingRecord' });
    const { jobId } = await startJob(gateway, 'reports', { date: DATE, drivers: [driver('1')] });
    await held.held();
    expect(await pollJob(gateway, 'reports', jobId)).toMatchObject({
      state: 'RUNNING',
      completed: false,
      key: null,
      downloadUrl: null,
      errorList: null,
    });
    held.release();
    await finishedJob(gateway, 'reports', jobId);
  });

  it('passes null in the input on as "not given"', async () => {
    const { jobId } = await startJob(gateway, 'accounts', [createAccount('nulls', { useChat: null, indivs: null })]);
    expect(await finishedJob(gateway, 'accounts', jobId)).toMatchObject({ status: 'Success' });
  });
});

describe('who may poll a job', () => {
  it.each([
    ['reports', DRIVING_REPORT, { date: DATE, drivers: [] }],
    ['mobiles', MOBILES, []],
  ] as const)('everybody in the organisation, for %s', async (kind, path, body) => {
    const jobId = randomUUID();
    await gateway.callback(path, body, jobHeaders(jobId));
    const other = await gateway.bearer({ loginId: 'driver' });
    expect(await pollJob(gateway, kind, jobId, other)).toMatchObject({ jobId, state: 'FINISHED' });
  });

  it('administrators only, for accounts', async () => {
    const jobId = randomUUID();
    await gateway.callback(USER_ACCOUNTS, [], jobHeaders(jobId));
    expect(await pollJob(gateway, 'accounts', jobId)).toMatchObject({ jobId, state: 'FINISHED' });
    const { data, errors } = await requestStatus(
      gateway,
      'accounts',
      jobId,
      await gateway.bearer({ loginId: 'driver' }),
    );
    expect([data, errors?.[0]?.extensions]).toEqual([
      { status: null },
      { code: 'Forbidden', status: 403, path: ['status'] },
    ]);
  });

  it.each([
    ['reports', DRIVING_REPORT, { date: DATE, drivers: [] }],
    ['accounts', USER_ACCOUNTS, []],
    ['mobiles', MOBILES, []],
  ] as const)('nobody of another organisation: %s look like a job that never existed', async (kind, path, body) => {
    const jobId = randomUUID();
    await gateway.callback(path, body, jobHeaders(jobId, 'acme'));
    const stranger = await gateway.bearer({ loginId: 'globex-admin' });
    const foreign = await requestStatus(gateway, kind, jobId, stranger);
    const unknown = await requestStatus(gateway, kind, randomUUID(), stranger);
    expect(foreign.data).toEqual({ status: null });
    expect(foreign.errors?.[0]?.extensions).toEqual({ code: 'NotFound', status: 404, path: ['status'] });
    expect(foreign.text).toBe(unknown.text);
  });

  it('nobody through the query of another kind', async () => {
    const jobId = randomUUID();
    await gateway.callback(MOBILES, [], jobHeaders(jobId));
    expect((await requestStatus(gateway, 'reports', jobId)).errors?.[0]?.extensions.code).toBe('NotFound');
  });

  it.each(['', ' ', '../../x', 'x'.repeat(256), '日本', 'a:b}{', '%2e%2e'])(
    'nobody with an id such as %#',
    async (jobId) => {
      expect((await requestStatus(gateway, 'mobiles', jobId)).errors?.[0]?.extensions.code).toBe('NotFound');
    },
  );
});

describe('a start that is refused', () => {
  async function refusal(
    kind: StartedKind,
    value: unknown,
    loginId = 'demo',
  ): Promise<[string | undefined, string | undefined]> {
    const jobsBefore = startedJobs();
    const { data, errors } = await requestStart(gateway, kind, value, await gateway.bearer({ loginId }));
    expect(data?.['job'] ?? null).toBeNull();
    // One more job that is allowed: had the refused one been enqueued, it would have been delivered before it.
    const { jobId } = await startJob(gateway, 'mobiles', []);
    await finishedJob(gateway, 'mobiles', jobId);
    expect(startedJobs()).toBe(jobsBefore + 1);
    return [errors?.[0]?.extensions.code, errors?.[0]?.message];
  }

  it('because the user does not see some of the mobiles names them', async () => {
    expect(await refusal('mobiles', [{ id: 50, name: 'own' }, { id: 51, name: 'not' }, { id: 77 }], 'driver')).toEqual([
      'NotFound',
      'There are no such mobiles: 51, 77.',
    ]);
    expect(gateway.sandbox.journal.effects('mobileUpdated').filter(({ id }) => [50, 51, 77].includes(id))).toEqual([]);
  });

  it('because the user does not see a mobile of the report names it', async () => {
    expect(
      await refusal('reports', { date: DATE, drivers: [driver('1'), driver('51'), driver('x')] }, 'driver'),
    ).toEqual(['NotFound', 'There are no such mobiles: 51, x.']);
  });

  it('to an administrator, too, when a mobile is of another organisation or unknown', async () => {
    expect(await refusal('mobiles', [{ id: 1 }, { id: 999_999 }])).toEqual([
      'NotFound',
      'There are no such mobiles: 999999.',
    ]);
  });

  it('because account jobs are for administrators', async () => {
    expect(await refusal('accounts', [], 'driver')).toEqual(['Forbidden', expect.any(String)]);
  });

  it.each([
    ['a type beyond 2', 'accounts', [{ type: 3, userAccountInput: { loginId: 'x' } }], '/0/type'],
    ['a date that does not exist', 'reports', { date: '2026-02-29T00:00:00Z', drivers: [] }, '/date'],
    ['a date without an offset', 'reports', { date: '2026-02-28T00:00:00', drivers: [] }, '/date'],
    [
      'a value nested too deeply',
      'accounts',
      [{ type: 1, userAccountInput: { loginId: 'x', indivs: [JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`)] } }],
      'nested',
    ],
    ['too many items', 'mobiles', Array.from({ length: 1_001 }, () => ({ id: 1 })), 'BULK_MAX_ITEMS'],
  ] as const)('because of %s says what is wrong', async (_fault, kind, value, named) => {
    expect(await refusal(kind, value)).toEqual(['BadInput', expect.stringContaining(named)]);
  });

  it('lets the checks of one item pass that the job judges itself', async () => {
    const { jobId } = await startJob(gateway, 'accounts', [{ type: 0, userAccountInput: { loginId: 'no-password' } }]);
    expect(await finishedJob(gateway, 'accounts', jobId)).toMatchObject({
      status: 'Failure',
      errors: ['[0] no-password: password is required to create an account'],
    });
  });
});

describe('a job that could not be delivered', () => {
  let callbacks: CallbackProxy;
  let undelivered: TestGateway;
  beforeAll(async () => {
    callbacks = await startCallbackProxy();
    undelivered = await startTestGateway(callbacks.environment);
  });
  afterAll(async () => {
    await undelivered.close();
    await callbacks.close();
  });

  it('is FINISHED as a Failure with a text, so that nobody polls for ever', async () => {
    callbacks.answer({ status: 400, body: { message: 'The request body does not match the specification.' } });
    const started = await Promise.all([
      startJob(undelivered, 'accounts', [createAccount('never')]),
      startJob(undelivered, 'mobiles', [{ id: 1 }]),
      startJob(undelivered, 'reports', { date: DATE, drivers: [driver('1')] }),
    ]);
    for (const [index, kind] of (['accounts', 'mobiles', 'reports'] as const).entries()) {
      const status = await finishedJob(undelivered, kind, started[index]?.jobId ?? '');
      expect(status).toMatchObject({
        completed: true,
        state: 'FINISHED',
        status: 'Failure',
        finishedAt: expect.stringMatching(RFC_3339),
        errors: ['The callback answered 400 (The request body does not match the specification.).'],
        progress: { done: 0, total: 1 },
      });
      for (const field of ['createdUserAccountId', 'key', 'downloadUrl', 'errorList'] as const) {
        expect(status[field] ?? null).toBeNull();
      }
    }
  });

  it('is taken up by a later delivery after all', async () => {
    callbacks.answer({ status: 422 });
    const { jobId } = await startJob(undelivered, 'mobiles', [{ id: 1, name: 'late' }]);
    await finishedJob(undelivered, 'mobiles', jobId);
    callbacks.answer('forward');
    const reply = await undelivered.callback(MOBILES, [{ id: 1, name: 'late' }], jobHeaders(jobId));
    expect([reply.status, reply.text]).toEqual([200, '{"status":"Success"}']);
    const success = await waitFor('the record to follow', async () => {
      const status = await pollJob(undelivered, 'mobiles', jobId);
      return status.status === 'Success' && status;
    });
    expect(success).toMatchObject({ state: 'FINISHED', errors: null, progress: { done: 1, total: 1 } });
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '../../src/logging/logger.js';
import { startSandbox, type Fault, type Faults, type FaultScope, type Sandbox } from '../../src/sandbox/sandbox.js';
import { BACKEND_KEY, startTestGateway, type TestGateway } from '../support/gateway.js';
import {
  bulkReply,
  createAccounts,
  deleteAccount,
  DRIVING_REPORT,
  jobHeaders,
  MOBILES,
  updateAccount,
  USER_ACCOUNTS,
} from '../support/job-requests.js';

/** Makes a fault happen to the calls in scope. */
type Strike = (faults: Faults, scope: FaultScope) => void;

const suffer =
  (fault: Fault): Strike =>
  (faults, scope) =>
    void faults.set({ ...scope, fault });
const hangBeforeReply: Strike = (faults, scope) => void faults.hold({ ...scope, stage: 'reply' });

/** What can happen to a call and pass; whether backend-api has done what it was asked for does not matter. */
const FAULTS: readonly { readonly name: string; readonly strike: Strike }[] = [
  { name: 'answers 500', strike: suffer({ kind: 'status', status: 500 }) },
  { name: 'answers 429', strike: suffer({ kind: 'status', status: 429, retryAfter: 0 }) },
  { name: 'cuts the connection', strike: suffer({ kind: 'down' }) },
  { name: 'cuts the connection after its work', strike: suffer({ kind: 'down', stage: 'reply' }) },
  { name: 'answers with half a body', strike: suffer({ kind: 'halfBody' }) },
  { name: 'answers too late', strike: hangBeforeReply },
];

let sandbox: Sandbox;
/** Waits for a reply for as long as it takes on a busy machine. */
let patient: TestGateway;
/** For what never comes. */
let hasty: TestGateway;
beforeAll(async () => {
  sandbox = await startSandbox({
    logger: createLogger({ level: 'silent', pretty: false }),
    backendApiKey: BACKEND_KEY,
  });
  const start = (seconds: string): Promise<TestGateway> =>
    startTestGateway({ BACKEND_TIMEOUT_SECONDS: seconds, JOB_PATIENCE_SECONDS: '60' }, { production: true, sandbox });
  [patient, hasty] = [await start('60'), await start('3')];
});
afterAll(async () => {
  await Promise.all([patient.close(), hasty.close()]);
  await sandbox.close();
});
afterEach(() => {
  sandbox.faults.clear();
  sandbox.journal.clear();
});

describe.each(FAULTS)('A backend-api that once $name in the middle of a job', ({ name, strike }) => {
  const jobId = name.replaceAll(' ', '-');
  let gateway: TestGateway;
  beforeAll(() => {
    gateway = strike === hangBeforeReply ? hasty : patient;
  });

  it('costs no account: each is created once, the one it struck under its key', async () => {
    const items = createAccounts(jobId, 10);
    strike(sandbox.faults, { operation: 'createUserAccount', loginId: `${jobId}-4`, times: 1 });
    const reply = bulkReply(await gateway.callback(USER_ACCOUNTS, items, jobHeaders(`create-${jobId}`)));

    const { journal } = sandbox;
    const effects = journal.effects('userAccountCreated');
    expect(effects.map(({ loginId }) => loginId)).toEqual(
      items.map(({ userAccountInput }) => userAccountInput.loginId),
    );
    expect(reply).toEqual({ status: 'Success', data: { created_user_account_id: effects.map(({ id }) => id) } });
    const asked = journal.requests({ operation: 'createUserAccount' }).map(({ idempotencyKey }) => idempotencyKey);
    expect(asked).toHaveLength(items.length + 1);
    expect(new Set(asked).size).toBe(items.length);
  });

  it('costs no update and no delete, also when it was done and only the answer is missing', async () => {
    await gateway.callback(USER_ACCOUNTS, createAccounts(`old-${jobId}`, 4), jobHeaders(`old-${jobId}`));
    const items = [
      updateAccount(`old-${jobId}-0`, { name: 'New' }),
      updateAccount(`old-${jobId}-1`, { name: 'New' }),
      deleteAccount(`old-${jobId}-2`),
      deleteAccount(`old-${jobId}-3`),
    ];
    strike(sandbox.faults, { operation: 'updateUserAccount', loginId: `old-${jobId}-0`, times: 1 });
    strike(sandbox.faults, { operation: 'deleteUserAccount', loginId: `old-${jobId}-2`, times: 1 });
    const reply = bulkReply(await gateway.callback(USER_ACCOUNTS, items, jobHeaders(`change-${jobId}`)));
    expect(reply).toMatchObject({ status: 'Success' });
    const changed = sandbox.journal
      .effects()
      .filter(({ kind }) => kind === 'userAccountUpdated' || kind === 'userAccountDeleted')
      .map((effect) => ('loginId' in effect ? effect.loginId : ''));
    expect(new Set(changed)).toEqual(new Set(items.map(({ userAccountInput: { loginId } }) => loginId)));
  });

  it('costs no mobile', async () => {
    const updates = [1, 2, 3].map((id) => ({ id, name: `Truck ${id} ${jobId}` }));
    strike(sandbox.faults, { operation: 'updateMobile', mobileId: '2', times: 1 });
    expect(bulkReply(await gateway.callback(MOBILES, updates, jobHeaders(`mobiles-${jobId}`)))).toEqual({
      status: 'Success',
    });
    const updated = sandbox.journal.effects('mobileUpdated').map(({ id }) => id);
    expect([...new Set(updated)]).toEqual([1, 2, 3]);
  });

  it('costs a driving report nothing', async () => {
    strike(sandbox.faults, { operation: 'getDrivingRecord', mobileId: '2', times: 1 });
    const reply = await gateway.callback(DRIVING_REPORT, reportOf([1, 2, 3]), jobHeaders(`report-${jobId}`));
    expect(reply).toMatchObject({ status: 200, body: { errorList: null } });
    expect(sandbox.journal.requests({ operation: 'getDrivingRecord' })).toHaveLength(4);
  });
});

describe('A backend-api whose answer is no JSON', () => {
  const garbage = suffer({ kind: 'garbage' });

  it('costs that one account, which is not asked for again, and those behind it are created', async () => {
    const items = createAccounts('garbage', 10);
    garbage(sandbox.faults, { operation: 'createUserAccount', loginId: 'garbage-4', times: 1 });
    const reply = bulkReply(await patient.callback(USER_ACCOUNTS, items, jobHeaders('create-garbage')));
    const effects = sandbox.journal.effects('userAccountCreated');
    expect(effects).toHaveLength(9);
    expect(sandbox.journal.requests({ operation: 'createUserAccount' })).toHaveLength(10);
    expect(reply).toEqual({
      status: 'Failure',
      data: { created_user_account_id: effects.map(({ id }) => id) },
      errors: [expect.stringMatching(/^\[4\] garbage-4: .+/)],
    });
  });

  it('costs that one driver, whose page is replaced by a reason', async () => {
    garbage(sandbox.faults, { operation: 'getDrivingRecord', mobileId: '2', times: 1 });
    const reply = await patient.callback(DRIVING_REPORT, reportOf([1, 2, 3]), jobHeaders('report-garbage'));
    expect(reply).toMatchObject({ status: 200, body: { errorList: [{ mobileId: '2', code: 'ServiceUnavailable' }] } });
    expect(sandbox.journal.requests({ operation: 'getDrivingRecord' })).toHaveLength(3);
  });
});

function reportOf(mobileIds: readonly number[]): object {
  const drivers = mobileIds.map((id) => ({
    mobileId: String(id),
    employeeCode: `E-${id}`,
    employeeName: `Driver ${id}`,
  }));
  return { date: '2026-11-19T12:34:56+09:00', drivers };
}

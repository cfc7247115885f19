import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '../../src/logger.js';
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

/** What can happen to a call, and whether backend-api has done what it was asked for nevertheless. */
const FAULTS: readonly { readonly name: string; readonly strike: Strike; readonly done: boolean }[] = [
  { name: 'answers 500', strike: suffer({ kind: 'status', status: 500 }), done: false },
  { name: 'answers 429', strike: suffer({ kind: 'status', status: 429, retryAfter: 0 }), done: false },
  { name: 'answers garbage', strike: suffer({ kind: 'garbage' }), done: false },
  { name: 'cuts the connection', strike: suffer({ kind: 'down' }), done: false },
  { name: 'cuts the connection after its work', strike: suffer({ kind: 'down', stage: 'reply' }), done: true },
  { name: 'answers with half a body', strike: suffer({ kind: 'halfBody' }), done: true },
  { name: 'answers too late', strike: hangBeforeReply, done: true },
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
    startTestGateway({ BACKEND_TIMEOUT_SECONDS: seconds }, { production: true, sandbox });
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

describe.each(FAULTS)('A backend-api that $name in the middle of a job', ({ name, strike, done }) => {
  const jobId = name.replaceAll(' ', '-');
  let gateway: TestGateway;
  beforeAll(() => {
    gateway = strike === hangBeforeReply ? hasty : patient;
  });

  it('costs that one account: it is not created twice, and those behind it are', async () => {
    const items = createAccounts(jobId, 10);
    strike(sandbox.faults, { operation: 'createUserAccount', loginId: `${jobId}-4`, times: 1 });
    const reply = bulkReply(await gateway.callback(USER_ACCOUNTS, items, jobHeaders(`create-${jobId}`)));

    const { journal } = sandbox;
    const effects = journal.effects('userAccountCreated');
    const others = [0, 1, 2, 3, 5, 6, 7, 8, 9].map((index) => `${jobId}-${index}`);
    expect(effects.map(({ loginId }) => loginId).toSorted()).toEqual(
      [...others, ...(done ? [`${jobId}-4`] : [])].toSorted(),
    );
    // A create is never repeated blindly.
    expect(journal.requests({ operation: 'createUserAccount' })).toHaveLength(items.length);
    expect(reply).toEqual({
      status: 'Failure',
      data: { created_user_account_id: others.map((each) => effects.find(({ loginId }) => loginId === each)?.id) },
      errors: [expect.stringMatching(new RegExp(`^\\[4\\] ${jobId}-4: .+`))],
    });
  });

  it('costs that one update or delete at most, and every other item is done', async () => {
    await gateway.callback(USER_ACCOUNTS, createAccounts(`old-${jobId}`, 4), jobHeaders(`old-${jobId}`));
    const items = [
      updateAccount(`old-${jobId}-0`, { name: 'New' }),
      updateAccount(`old-${jobId}-1`, { name: 'New' }),
      deleteAccount(`old-${jobId}-2`),
      deleteAccount(`old-${jobId}-3`),
    ];
    strike(sandbox.faults, { operation: 'updateUserAccount', loginId: `old-${jobId}-0`, times: 1 });
    strike(sandbox.faults, { operation: 'deleteUserAccount', loginId: `old-${jobId}-2`, times: 1 });
    const { errors = [] } = bulkReply(await gateway.callback(USER_ACCOUNTS, items, jobHeaders(`change-${jobId}`)));

    const changed = sandbox.journal
      .effects()
      .filter(({ kind }) => kind === 'userAccountUpdated' || kind === 'userAccountDeleted')
      .map((effect) => ('loginId' in effect ? effect.loginId : ''));
    expect(changed).toEqual(expect.arrayContaining([`old-${jobId}-1`, `old-${jobId}-3`]));
    expect(new Set(changed).size).toBe(changed.length);
    // Whatever is not reported as failed was done.
    for (const [
      index,
      {
        userAccountInput: { loginId },
      },
    ] of items.entries()) {
      if (!errors.some((error) => error.startsWith(`[${index}] ${loginId}: `))) expect(changed).toContain(loginId);
    }
    for (const error of errors) expect(error).toMatch(/^\[[02]\] /);
  });

  it('costs that one mobile at most, and every other one is updated', async () => {
    const updates = [1, 2, 3].map((id) => ({ id, name: `Truck ${id} ${jobId}` }));
    strike(sandbox.faults, { operation: 'updateMobile', mobileId: '2', times: 1 });
    const { errors = [] } = bulkReply(await gateway.callback(MOBILES, updates, jobHeaders(`mobiles-${jobId}`)));
    const updated = sandbox.journal.effects('mobileUpdated').map(({ id }) => id);
    expect(updated).toEqual(done ? [1, 2, 3] : [1, 3]);
    expect(errors).toEqual(errors.length === 0 ? [] : [expect.stringMatching(/^\[1\] 2: .+/)]);
    if (!done) expect(errors).toHaveLength(1);
  });

  it('costs a driving report nothing, because reading is repeated', async () => {
    strike(sandbox.faults, { operation: 'getDrivingRecord', mobileId: '2', times: 1 });
    const drivers = [1, 2, 3].map((id) => ({
      mobileId: String(id),
      employeeCode: `E-${id}`,
      employeeName: `Driver ${id}`,
    }));
    const reply = await gateway.callback(
      DRIVING_REPORT,
      { date: '2026-11-19T12:34:56+09:00', drivers },
      jobHeaders(`report-${jobId}`),
    );
    expect(reply).toMatchObject({ status: 200, body: { errorList: null } });
    expect(sandbox.journal.requests({ operation: 'getDrivingRecord' })).toHaveLength(drivers.length + 1);
  });
});

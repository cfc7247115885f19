import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Fault } from '../../src/sandbox/sandbox.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
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

const BACKEND_TIMEOUT_MS = 2_000;

/**
 * What can happen to a call, whether backend-api has done what it was asked for nevertheless, and whether it is worth
 * asking again.
 */
const FAULTS: readonly {
  readonly name: string;
  readonly fault: Fault;
  readonly done: boolean;
  readonly mayPass?: false;
}[] = [
  { name: 'answers 500', fault: { kind: 'status', status: 500 }, done: false },
  { name: 'answers 429', fault: { kind: 'status', status: 429, retryAfter: 0 }, done: false },
  { name: 'answers garbage', fault: { kind: 'garbage' }, done: false, mayPass: false },
  { name: 'cuts the connection', fault: { kind: 'down' }, done: false },
  { name: 'cuts the connection after its work', fault: { kind: 'down', stage: 'reply' }, done: true },
  { name: 'answers with half a body', fault: { kind: 'halfBody' }, done: true },
  {
    name: 'answers too late',
    fault: { kind: 'slow', milliseconds: 2 * BACKEND_TIMEOUT_MS, stage: 'reply' },
    done: true,
  },
];

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ BACKEND_TIMEOUT_SECONDS: String(BACKEND_TIMEOUT_MS / 1_000) });
});
afterAll(() => gateway.close());
afterEach(() => {
  gateway.sandbox.faults.clear();
  gateway.sandbox.journal.clear();
});

describe.each(FAULTS)('A backend-api that $name in the middle of a job', ({ name, fault, done, mayPass = true }) => {
  const jobId = name.replaceAll(' ', '-');

  it('costs that one account: it is not created twice, and those behind it are', async () => {
    const items = createAccounts(jobId, 10);
    gateway.sandbox.faults.set({ operation: 'createUserAccount', loginId: `${jobId}-4`, fault, times: 1 });
    const reply = bulkReply(await gateway.callback(USER_ACCOUNTS, items, jobHeaders(`create-${jobId}`)));

    const { journal } = gateway.sandbox;
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
    gateway.sandbox.faults.set({ operation: 'updateUserAccount', loginId: `old-${jobId}-0`, fault, times: 1 });
    gateway.sandbox.faults.set({ operation: 'deleteUserAccount', loginId: `old-${jobId}-2`, fault, times: 1 });
    const { errors = [] } = bulkReply(await gateway.callback(USER_ACCOUNTS, items, jobHeaders(`change-${jobId}`)));

    const changed = gateway.sandbox.journal
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
    gateway.sandbox.faults.set({ operation: 'updateMobile', mobileId: '2', fault, times: 1 });
    const { errors = [] } = bulkReply(await gateway.callback(MOBILES, updates, jobHeaders(`mobiles-${jobId}`)));
    const updated = gateway.sandbox.journal.effects('mobileUpdated').map(({ id }) => id);
    expect(updated).toEqual(done ? [1, 2, 3] : [1, 3]);
    expect(errors).toEqual(errors.length === 0 ? [] : [expect.stringMatching(/^\[1\] 2: .+/)]);
    if (!done) expect(errors).toHaveLength(1);
  });

  it('costs a driving report nothing where reading is repeated, and that one driver where it is not', async () => {
    gateway.sandbox.faults.set({ operation: 'getDrivingRecord', mobileId: '2', fault, times: 1 });
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
    const errorList = mayPass ? null : [expect.objectContaining({ mobileId: '2', code: 'ServiceUnavailable' })];
    expect(reply).toMatchObject({ status: 200, body: { errorList } });
    expect(gateway.sandbox.journal.requests({ operation: 'getDrivingRecord' })).toHaveLength(
      drivers.length + (mayPass ? 1 : 0),
    );
  });
});

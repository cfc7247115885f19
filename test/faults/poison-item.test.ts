/** Items that a backend fails on, or hangs on: they cost themselves, and neither their job nor others. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import {
  bulkReply,
  createAccount,
  createAccounts,
  DRIVING_REPORT,
  jobHeaders,
  MOBILES,
  USER_ACCOUNTS,
} from '../support/job-requests.js';

const IN_TIME = 240_000;
const DATE = '2026-11-19T00:00:00+09:00';

const drivers = (...mobileIds: readonly string[]): object[] =>
  mobileIds.map((mobileId) => ({ mobileId, employeeCode: `E-${mobileId}`, employeeName: `Driver ${mobileId}` }));

let gateway: TestGateway;
async function start(environment: Record<string, string>): Promise<void> {
  gateway = await startTestGateway(environment);
}
afterEach(() => gateway.close());

describe('While backend-api goes on serving others', () => {
  /** Ends the jobs of another organisation that go on all the time. */
  let quiet: () => Promise<void>;
  beforeEach(async () => {
    await start({ JOB_PATIENCE_SECONDS: '60' });
    const over = new AbortController();
    const going = (async () => {
      while (!over.signal.aborted)
        await gateway.callback(MOBILES, [{ id: 1001, name: 'n' }], jobHeaders(randomUUID(), 'globex'));
    })();
    quiet = async () => {
      over.abort();
      await going;
    };
  });
  afterEach(() => quiet());

  it(
    'an account that is always answered 500 fails after a few tries, and the others are created',
    async () => {
      const fault = { kind: 'status', status: 500 } as const;
      gateway.sandbox.faults.set({ operation: 'createUserAccount', loginId: 'poison', fault });
      const accounts = [...createAccounts('good', 10), createAccount('poison'), ...createAccounts('more', 9)];
      const created = bulkReply(await gateway.callback(USER_ACCOUNTS, accounts, jobHeaders(randomUUID())));
      expect(created.data?.created_user_account_id).toHaveLength(19);
      expect(created.errors).toEqual([expect.stringMatching(/^\[10\] poison: /)]);
      const tries = gateway.sandbox.journal
        .requests({ operation: 'createUserAccount' })
        .filter(({ status }) => status === 500);
      // Six, besides those after which nobody was served yet; a minute of patience would be fifteen.
      expect(tries.length).toBeGreaterThanOrEqual(6);
      expect(tries.length).toBeLessThan(10);
    },
    IN_TIME,
  );
});

describe('Whatever hangs', () => {
  it(
    'no job lasts much longer than JOB_DEADLINE_SECONDS',
    async () => {
      // By then the day of one driver is there on a busy machine, too.
      const deadlineSeconds = 10;
      await start({
        JOB_DEADLINE_SECONDS: String(deadlineSeconds),
        BACKEND_TIMEOUT_SECONDS: '600',
        JOB_PATIENCE_SECONDS: '600',
      });
      // The first report waits for the fonts.
      await gateway.callback(DRIVING_REPORT, { date: DATE, drivers: [] }, jobHeaders(randomUUID()));
      for (const operation of ['updateMobile', 'createUserAccount', 'reverseGeocode'])
        gateway.sandbox.faults.hold({ operation });
      gateway.sandbox.faults.hold({ operation: 'getDrivingRecord', mobileId: '2' });
      const begunAt = performance.now();
      const [mobiles, accounts, report] = await Promise.all([
        gateway.callback(MOBILES, [{ id: 1 }, { id: 2 }], jobHeaders(randomUUID())),
        gateway.callback(USER_ACCOUNTS, createAccounts('hung', 2), jobHeaders(randomUUID())),
        gateway.callback(DRIVING_REPORT, { date: DATE, drivers: drivers('1', '2') }, jobHeaders(randomUUID())),
      ]);
      // The queue function waits for half a minute longer than the deadline.
      expect(performance.now() - begunAt).toBeLessThan((deadlineSeconds + 30) * 1_000);
      for (const [reply, name] of [
        [mobiles, '1'],
        [accounts, 'hung-0'],
      ] as const) {
        expect(bulkReply(reply).errors).toEqual([
          expect.stringMatching(`^\\[0\\] ${name}: not known to be done, .*time`),
          expect.stringMatching(/^\[1\] .*: not done, .*time/),
        ]);
      }
      // Without addresses, a driver whose day was there by then has a page.
      expect(report.body).toMatchObject({
        key: expect.any(String),
        errorList: [{ mobileId: '2', message: expect.stringContaining('time') }],
      });
    },
    IN_TIME,
  );
});

describe('However much a backend says', () => {
  it('a reason is kept to its first 500 characters, in replies and records', async () => {
    await start({});
    const fault = { kind: 'status', status: 422, message: 'x'.repeat(100_000) } as const;
    gateway.sandbox.faults.set({ backend: 'backend-api', fault });
    const accounts = await gateway.callback(USER_ACCOUNTS, createAccounts('long', 10), jobHeaders(randomUUID()));
    const mobiles = await gateway.callback(MOBILES, [{ id: 1 }, { id: 2 }], jobHeaders(randomUUID()));
    const report = await gateway.callback(
      DRIVING_REPORT,
      { date: DATE, drivers: drivers('1', '2', '3', '4', '5') },
      jobHeaders(randomUUID()),
    );
    for (const { errors = [] } of [bulkReply(accounts), bulkReply(mobiles)]) {
      expect(errors.length).toBeGreaterThan(1);
      for (const error of errors) expect(error.length).toBeLessThan(540);
    }
    const { errorList } = report.body as { errorList: { message: string }[] };
    expect(errorList).toHaveLength(5);
    for (const { message } of errorList) expect(message).toHaveLength(500);
  });
});

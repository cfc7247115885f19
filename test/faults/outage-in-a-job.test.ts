/** A backend that is away for a while in the middle of a job costs nothing: the job waits, and no item fails. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Fault } from '../../src/sandbox/sandbox.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { createAccounts } from '../support/job-requests.js';
import { finishedJob, pollJob, startJob, type PolledStatus, type StartedKind } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';

const ITEMS = 1_000;
const POLL_MS = 100;
/** Long enough for 1,000 items and the longest outage on a busy machine. */
const LIMIT_MS = 240_000;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ JOB_PATIENCE_SECONDS: '60' });
});
afterAll(() => gateway.close());
afterEach(() => {
  gateway.sandbox.faults.clear();
  gateway.sandbox.journal.clear();
});

/** Starts a job, takes backend-api away in its middle for as long as is said, and polls it to its end. */
async function throughAnOutage(
  kind: StartedKind,
  value: unknown,
  fault: Fault,
  outageMs: number,
): Promise<{ readonly outcome: PolledStatus; readonly polls: readonly PolledStatus[] }> {
  const { jobId } = await startJob(gateway, kind, value);
  const polls: PolledStatus[] = [];
  const poll = async (): Promise<PolledStatus> => {
    // As a front end would, so that the job has the processor.
    await delay(POLL_MS);
    const status = await pollJob(gateway, kind, jobId);
    polls.push(status);
    return status;
  };
  await waitFor('the middle of the job', async () => (await poll()).progress.done >= ITEMS / 4, LIMIT_MS);
  // Users can still log in: the outage is of what the job needs.
  const over = gateway.sandbox.faults.set({
    backend: 'backend-api',
    match: ({ path }) => /\/mobiles|\/user-accounts/.test(path),
    fault,
  });
  await waitFor('the job to wait', () => gateway.logged().includes(`"jobId":"${jobId}"`) && waits(jobId), LIMIT_MS);
  await delay(outageMs);
  await poll();
  over();
  const outcome = await finishedJob(gateway, kind, jobId, LIMIT_MS);
  return { outcome, polls };
}

/** Whether the log says that the job waits for a backend. */
function waits(jobId: string): boolean {
  return gateway
    .logged()
    .split('\n')
    .some((line) => line.includes('"event":"job.waiting"') && line.includes(`"jobId":"${jobId}"`));
}

/** Progress never goes back, and the last look, in the outage, finds a job that runs. */
function expectSteadyProgress(polls: readonly PolledStatus[]): void {
  const done = polls.map(({ progress }) => progress.done);
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  expect(polls.at(-1)).toMatchObject({ state: 'RUNNING', completed: false, status: null });
}

describe('an outage of backend-api in the middle of', () => {
  it(
    'a thousand updates, 500 for 3 seconds, fails none of them',
    async () => {
      const items = Array.from({ length: ITEMS }, (_, index) => ({ id: 1 + (index % 5), name: `Name ${index}` }));
      const { outcome, polls } = await throughAnOutage('mobiles', items, { kind: 'status', status: 500 }, 3_000);
      expect(outcome).toMatchObject({ status: 'Success', errors: null, progress: { done: ITEMS, total: ITEMS } });
      expectSteadyProgress(polls);
    },
    LIMIT_MS,
  );

  it(
    'a report of a thousand drivers, 503 for 3 seconds, costs no driver',
    async () => {
      const drivers = Array.from({ length: ITEMS }, (_, index) => ({
        mobileId: String(1 + (index % 5)),
        employeeCode: `E-${index}`,
        employeeName: '佐藤 健一',
      }));
      const value = { date: '2026-11-19T00:00:00+09:00', drivers };
      const fault = { kind: 'status', status: 503, retryAfter: 1 } as const;
      const { outcome, polls } = await throughAnOutage('reports', value, fault, 3_000);
      expect(outcome).toMatchObject({ status: 'Success', errors: null, errorList: null });
      expectSteadyProgress(polls);
    },
    LIMIT_MS,
  );

  it(
    'a thousand creates, gone for 20 seconds, creates every account once and in order',
    async () => {
      const accounts = createAccounts('outage', ITEMS);
      const { outcome, polls } = await throughAnOutage('accounts', accounts, { kind: 'down' }, 20_000);
      expect(outcome).toMatchObject({ status: 'Success', errors: null });
      expectSteadyProgress(polls);
      const created = gateway.sandbox.journal.effects('userAccountCreated');
      expect(created.map(({ loginId }) => loginId)).toEqual(
        accounts.map(({ userAccountInput }) => userAccountInput.loginId),
      );
      expect(outcome.createdUserAccountId).toEqual(created.map(({ id }) => id));
    },
    LIMIT_MS,
  );
});

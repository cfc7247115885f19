/** A backend that fails for a while in the middle of a job costs nothing: the job waits, and no item fails. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Fault } from '../../src/sandbox/sandbox.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import type { PolledStatus, StartedKind } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';
import { WatchedJob } from './watched-job.js';

const ITEMS = 1_000;
/** Long enough for 1,000 items and the longest outage on a busy machine. */
const LIMIT_MS = 240_000;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ JOB_PATIENCE_SECONDS: '60', LOG_LEVEL: 'info' });
});
afterAll(() => gateway.close());
afterEach(() => {
  gateway.sandbox.faults.clear();
  gateway.sandbox.journal.clear();
});

/** Starts a job, takes backend-api away in its middle for as long as is said, and polls it all the time. */
async function throughAnOutage(
  kind: StartedKind,
  value: unknown,
  fault: Fault,
  outageMs: number,
): Promise<PolledStatus> {
  const job = await WatchedJob.start(gateway, kind, value, LIMIT_MS);
  await waitFor('the middle of the job', () => job.done >= ITEMS / 4, LIMIT_MS);
  // Users can still log in: the outage is of what the job needs.
  const over = gateway.sandbox.faults.set({
    backend: 'backend-api',
    match: ({ path }) => /\/mobiles|\/user-accounts/.test(path),
    fault,
  });
  await waitFor('the job to wait', () => waits(job.jobId), LIMIT_MS);
  await Promise.all([delay(outageMs), job.standsStill(performance.now())]);
  over();
  const outcome = await job.ended;
  job.expectSteadyProgress();
  return outcome;
}

/** Whether the log says that the job waits for a backend. */
function waits(jobId: string): boolean {
  return gateway
    .logged()
    .split('\n')
    .some((line) => line.includes('"event":"job.waiting"') && line.includes(`"jobId":"${jobId}"`));
}

describe('an outage of backend-api in the middle of', () => {
  it(
    'a thousand updates, 500 for 3 seconds, fails none of them',
    async () => {
      const items = Array.from({ length: ITEMS }, (_, index) => ({ id: 1 + (index % 5), name: `Name ${index}` }));
      const outcome = await throughAnOutage('mobiles', items, { kind: 'status', status: 500 }, 3_000);
      expect(outcome).toMatchObject({ status: 'Success', errors: null, progress: { done: ITEMS, total: ITEMS } });
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
      const outcome = await throughAnOutage('reports', value, fault, 3_000);
      expect(outcome).toMatchObject({ status: 'Success', errors: null, errorList: null });
    },
    LIMIT_MS,
  );
});

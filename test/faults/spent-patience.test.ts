/** What becomes of the items of a job whose patience is spent: each is sent before it fails, whatever a circuit says. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { createAccounts } from '../support/job-requests.js';
import { finishedJob, startJob } from '../support/started-jobs.js';

const LIMIT_MS = 60_000;
/** Enough to open a circuit several times over. */
const ITEMS = 100;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ JOB_PATIENCE_SECONDS: '1' });
});
afterAll(() => gateway.close());
afterEach(() => {
  gateway.sandbox.faults.clear();
  gateway.sandbox.journal.clear();
});

describe('while backend-api is dead', () => {
  it(
    'every account of a job is sent, and the job ends soon',
    async () => {
      gateway.sandbox.faults.set({ operation: 'createUserAccount', fault: { kind: 'status', status: 503 } });
      const { jobId } = await startJob(gateway, 'accounts', createAccounts('dead', ITEMS));
      const startedAt = performance.now();
      const outcome = await finishedJob(gateway, 'accounts', jobId, LIMIT_MS);
      // Not the 5 s that the circuit stays open for each of them.
      expect(performance.now() - startedAt).toBeLessThan(30_000);
      expect(outcome.errors).toHaveLength(ITEMS);
      expect(gateway.logged()).toContain('"event":"circuit.opened"');
      const sent = gateway.sandbox.journal.requests({ operation: 'createUserAccount' });
      expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(ITEMS);
    },
    LIMIT_MS,
  );

  it(
    'every driver of a report is asked for',
    async () => {
      gateway.sandbox.faults.set({ operation: 'getDrivingRecord', fault: { kind: 'status', status: 500 } });
      const drivers = Array.from({ length: ITEMS }, (_, index) => ({
        mobileId: String(1 + (index % 5)),
        employeeCode: `E-${index}`,
        employeeName: 'Driver',
      }));
      const { jobId } = await startJob(gateway, 'reports', { date: '2026-11-19T00:00:00+09:00', drivers });
      const outcome = await finishedJob(gateway, 'reports', jobId, LIMIT_MS);
      expect(outcome.errorList).toHaveLength(ITEMS);
      const sent = gateway.sandbox.journal.requests({ operation: 'getDrivingRecord' });
      expect(sent.length).toBeGreaterThanOrEqual(ITEMS);
    },
    LIMIT_MS,
  );
});

it(
  'a driver whose data alone cannot be had costs no other driver',
  async () => {
    gateway.sandbox.faults.set({
      operation: 'getDrivingRecord',
      mobileId: '2',
      fault: { kind: 'status', status: 500 },
    });
    const drivers = ['2', '2', '2', '2', '2', '2', '2', '1', '3'].map((mobileId, index) => ({
      mobileId,
      employeeCode: `E-${index}`,
      employeeName: 'Driver',
    }));
    const { jobId } = await startJob(gateway, 'reports', { date: '2026-11-19T00:00:00+09:00', drivers });
    const outcome = await finishedJob(gateway, 'reports', jobId, LIMIT_MS);
    expect(outcome.errorList?.map(({ mobileId }) => mobileId)).toEqual(Array<string>(7).fill('2'));
  },
  LIMIT_MS,
);

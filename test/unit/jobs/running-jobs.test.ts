/** Signals, timers and listeners of a job, none of which outlives it; its lease, its cancellation, and giving way. */
import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { JobIdentity } from '../../../src/jobs/record/job-record.js';
import type { LeaseState } from '../../../src/jobs/record/job-store.js';
import { JobCancelledError, LeaseLostError } from '../../../src/jobs/job.js';
import { Patience } from '../../../src/jobs/run/patience.js';
import { RunningJobs, type RunningJob, type RunningJobOptions } from '../../../src/jobs/run/running-jobs.js';
import { captureLog, type CapturedLog } from '../../support/captured-log.js';
import { outageError } from '../../support/failed-calls.js';

const LONG_MS = 600_000;
const LEASE_MS = 60_000;
const LOOK_MS = 500;

const timers = (): number => jest.getTimerCount();

let log: CapturedLog;
let jobs: RunningJobs;
let begun: RunningJob[];
let asked: { renew: number; cancelled: number; jobsToPreempt: (string | undefined)[] };
/** The jobs that should give way; none by default. */
let jobsToPreempt: () => Promise<readonly Pick<JobIdentity, 'kind' | 'jobId'>[]>;

beforeEach(() => {
  jest.useFakeTimers();
  log = captureLog();
  asked = { renew: 0, cancelled: 0, jobsToPreempt: [] };
  begun = [];
  jobsToPreempt = () => Promise.resolve([]);
  const organisations = {
    jobsToPreempt: (org: string | undefined) => {
      asked.jobsToPreempt.push(org);
      return jobsToPreempt();
    },
  };
  jobs = new RunningJobs(organisations, log.logger);
});
afterEach(() => {
  for (const job of begun) job.end();
  const left = timers();
  jest.useRealTimers();
  expect(left).toBe(0);
});

/** Begins a job that never ends by itself. */
function begin(options: Partial<RunningJobOptions> = {}): RunningJob {
  const held = (): Promise<LeaseState> => Promise.resolve('held');
  const { renew = held, isCancelled = () => Promise.resolve(false), ...more } = options;
  const job = jobs.begin({
    job: { kind: 'mobiles', org: 'acme', jobId: '1' },
    resumes: true,
    wasCancelled: false,
    leaseMs: LEASE_MS,
    deadlineMs: LONG_MS,
    renew: () => {
      asked.renew += 1;
      return renew();
    },
    isCancelled: () => {
      asked.cancelled += 1;
      return isCancelled();
    },
    log: log.logger,
    ...more,
  });
  begun.push(job);
  return job;
}

describe('The signals of a running job', () => {
  it('hear nothing any more once the job has ended', () => {
    const [ended, running] = [begin(), begin()];
    ended.end();
    jobs.stop();
    jobs.cutOff();
    for (const { signal, stopping, interrupted } of [ended, running]) {
      const expected = signal === running.signal;
      expect([signal.aborted, stopping.aborted, interrupted.aborted]).toEqual([expected, expected, expected]);
    }
  });

  it('say at once that the process stops when it does already', () => {
    expect(jobs.isStopping).toBe(false);
    jobs.stop();
    const { stopping, interrupted, signal } = begin();
    expect([stopping.aborted, interrupted.aborted, signal.aborted]).toEqual([true, true, false]);
  });
});

describe('The lease of a running job', () => {
  it('is renewed three times in its length until the job has ended', async () => {
    const job = begin({ deadlineMs: 20 * LEASE_MS });
    await jest.advanceTimersByTimeAsync(10 * LEASE_MS);
    expect(asked.renew).toBe(30);
    job.end();
    await jest.advanceTimersByTimeAsync(LEASE_MS);
    expect([asked.renew, job.signal.aborted]).toEqual([30, false]);
  });

  it('is lost as soon as it may have ended, and no later', async () => {
    const { signal } = begin({ renew: () => Promise.reject(new Error('away')) });
    await jest.advanceTimersByTimeAsync(LEASE_MS - 1);
    expect(signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(signal.reason).toBeInstanceOf(LeaseLostError);
  });

  it('is not asked for any more once another process has taken over', async () => {
    const { signal } = begin({ renew: () => Promise.resolve('lost') });
    await jest.advanceTimersByTimeAsync(3 * LEASE_MS);
    expect([asked.renew, signal.reason]).toEqual([1, expect.any(LeaseLostError)]);
  });
});

describe('The cancellation of a running job', () => {
  it('is known from what the job writes, and then the store is not asked any more', async () => {
    const job = begin({ isCancelled: () => Promise.resolve(true) });
    expect([job.onStoreReply('held'), job.cancelled.aborted]).toEqual([true, false]);
    expect([job.onStoreReply('cancelled'), job.onStoreReply('cancelled'), job.onStoreReply('lost')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(job.cancelled.reason).toBeInstanceOf(JobCancelledError);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(asked.cancelled).toBe(0);
    expect(log.entries().map(({ event }) => event)).toEqual(['job.winding_up']);
  });

  it('is not asked for while the job writes', async () => {
    const job = begin();
    for (let passed = 0; passed < 10_000; passed += 100) {
      job.onStoreReply('held');
      await jest.advanceTimersByTimeAsync(100);
    }
    expect(asked.cancelled).toBe(0);
  });

  it('is known within a second while the job writes nothing, also after the store could not be asked', async () => {
    let isAway = true;
    const isCancelled = () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(true));
    const { cancelled } = begin({ isCancelled });
    await jest.advanceTimersByTimeAsync(2_000);
    expect([asked.cancelled, cancelled.aborted]).toEqual([4, false]);
    isAway = false;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(cancelled.aborted).toBe(true);
  });

  it('is asked for once at a time, and no more when the job has ended', async () => {
    const answers: ((cancelled: boolean) => void)[] = [];
    const job = begin({ isCancelled: () => new Promise((resolve) => answers.push(resolve)) });
    await jest.advanceTimersByTimeAsync(5_000);
    expect(asked.cancelled).toBe(1);
    answers[0]?.(false);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(asked.cancelled).toBe(2);
    job.end();
    answers[1]?.(false);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(asked.cancelled).toBe(2);
  });
});

describe('Running jobs that may have to give way', () => {
  const of = (org: string | undefined, jobId: string, kind: JobIdentity['kind'] = 'mobiles'): RunningJob =>
    begin({ job: { kind, org, jobId } });

  it('are looked at twice a second, once for each organisation, and not at all when none runs', async () => {
    const all = [of('acme', '1'), of('acme', '2'), of('globex', '3'), of(undefined, '4')];
    await jest.advanceTimersByTimeAsync(LOOK_MS - 1);
    expect(asked.jobsToPreempt).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(asked.jobsToPreempt).toEqual(['acme', 'globex', undefined]);
    for (const job of all.slice(1)) job.end();
    await jest.advanceTimersByTimeAsync(LOOK_MS);
    expect(asked.jobsToPreempt.slice(3)).toEqual(['acme']);
    all[0]?.end();
    await jest.advanceTimersByTimeAsync(10 * LOOK_MS);
    expect(asked.jobsToPreempt).toHaveLength(4);
    of('acme', '5');
    await jest.advanceTimersByTimeAsync(LOOK_MS);
    expect(asked.jobsToPreempt).toHaveLength(5);
  });

  it('give way when they are among those that should, by kind, organisation and id', async () => {
    jobsToPreempt = () => Promise.resolve(asked.jobsToPreempt.length === 1 ? [{ kind: 'mobiles', jobId: '1' }] : []);
    const all = [of('acme', '1'), of('acme', '1', 'user-accounts'), of('acme', '2'), of('globex', '1')];
    await jest.advanceTimersByTimeAsync(LOOK_MS);
    expect(all.map(({ isPreempted }) => isPreempted)).toEqual([true, false, false, false]);
  });

  it('go on when the store cannot be asked, which is logged, and are looked at again', async () => {
    jobsToPreempt = () => Promise.reject(new Error('the store is away'));
    const job = begin();
    await jest.advanceTimersByTimeAsync(LOOK_MS);
    expect([job.isPreempted, log.complaints()]).toEqual([false, ['job.surplus_unknown']]);
    jobsToPreempt = () => Promise.resolve([{ kind: 'mobiles', jobId: '1' }]);
    await jest.advanceTimersByTimeAsync(LOOK_MS);
    expect(job.isPreempted).toBe(true);
  });

  it('are not looked at again while a look takes its time', async () => {
    let answer = (): void => undefined;
    jobsToPreempt = () => new Promise((resolve) => (answer = () => resolve([])));
    begin();
    await jest.advanceTimersByTimeAsync(10 * LOOK_MS);
    expect(asked.jobsToPreempt).toHaveLength(1);
    answer();
    await jest.advanceTimersByTimeAsync(LOOK_MS);
    expect(asked.jobsToPreempt).toHaveLength(2);
    answer();
  });
});

describe('The wait of a job for a backend that is down', () => {
  const stop = new Error('stop');
  const outage = outageError({ httpStatus: 503 });
  let interrupted: AbortController;
  let deadline: AbortController;
  let patience: Patience;
  beforeEach(() => {
    [interrupted, deadline] = [new AbortController(), new AbortController()];
    patience = new Patience({ patienceMs: LONG_MS, interrupted: interrupted.signal, deadline: deadline.signal });
  });

  const listeners = (): number =>
    [interrupted, deadline].flatMap(({ signal }) => getEventListeners(signal, 'abort')).length;

  /** Items that fail once. */
  const items = (count: number): Promise<string[]> =>
    Promise.all(
      Array.from({ length: count }, () => {
        let tries = 0;
        return patience.run(() => ((tries += 1) === 1 ? Promise.reject(outage) : Promise.resolve('done')));
      }),
    );

  it('leaves neither timer nor listener when it is over', async () => {
    const working = items(5);
    await jest.advanceTimersByTimeAsync(1);
    expect([timers(), listeners()]).toEqual([5, 10]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await working).toEqual(Array(5).fill('done'));
    expect([timers(), listeners()]).toEqual([0, 0]);
  });

  it.each([
    ['interrupted', () => interrupted.abort(stop), stop],
    ['cut short by the deadline', () => deadline.abort(stop), outage],
  ])('leaves neither when it is %s, or was before it began', async (_how, end, error) => {
    const working = items(5).catch((thrown: unknown) => thrown);
    await jest.advanceTimersByTimeAsync(1);
    expect([timers(), listeners()]).toEqual([5, 10]);
    end();
    expect(await working).toBe(error);
    expect([timers(), listeners()]).toEqual([0, 0]);
    await expect(items(1)).rejects.toBe(error);
    expect([timers(), listeners()]).toEqual([0, 0]);
  });
});

/** Signals, timers and listeners of a job, none of which outlives it. */
import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BackendOutage } from '../../../src/clients/call-errors.js';
import { LeaseLostError } from '../../../src/jobs/job.js';
import { keepLease } from '../../../src/jobs/run/lease.js';
import { Patience } from '../../../src/jobs/run/patience.js';
import { RunningJobs } from '../../../src/jobs/run/running-jobs.js';
import { captureLog } from '../../support/captured-log.js';

const LONG_MS = 600_000;
const LEASE_MS = 60_000;

/** Timers that run. */
const timers = (): number => jest.getTimerCount();

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  const left = timers();
  jest.useRealTimers();
  expect(left).toBe(0);
});

describe('The signals of a running job', () => {
  it('have a timer until the job has ended', () => {
    const jobs = new RunningJobs();
    const many = Array.from({ length: 100 }, () => jobs.begin(LONG_MS));
    expect(timers()).toBe(100);
    for (const signals of many) signals.end();
    expect(timers()).toBe(0);
  });

  it('hear nothing any more once the job has ended', () => {
    const jobs = new RunningJobs();
    const [ended, running] = [jobs.begin(LONG_MS), jobs.begin(LONG_MS)];
    ended.end();
    jobs.stop();
    jobs.cutOff();
    running.end();
    const aborted = [ended, running].map(({ signal, stopping, interrupted }) =>
      [signal, stopping, interrupted].map((each) => each.aborted),
    );
    expect(aborted).toEqual([
      [false, false, false],
      [true, true, true],
    ]);
  });

  it('say at once that the process stops when it does already', () => {
    const jobs = new RunningJobs();
    expect(jobs.isStopping).toBe(false);
    jobs.stop();
    const signals = jobs.begin(LONG_MS);
    expect([signals.stopping.aborted, signals.interrupted.aborted, signals.signal.aborted]).toEqual([
      true,
      true,
      false,
    ]);
    signals.end();
  });

  it('say that its time is over, and have no timer then', () => {
    const signals = new RunningJobs().begin(LONG_MS);
    jest.advanceTimersByTime(LONG_MS - 1);
    expect(signals.deadline.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(signals.deadline.aborted).toBe(true);
    expect(timers()).toBe(0);
    expect(signals.interrupted.aborted).toBe(false);
    signals.end();
  });
});

describe('A kept lease', () => {
  function keep(renew: () => Promise<boolean>): { lost: LeaseLostError[]; asked(): number; end(): void } {
    const lost: LeaseLostError[] = [];
    let asked = 0;
    const counted = (): Promise<boolean> => {
      asked += 1;
      return renew();
    };
    const { logger } = captureLog();
    const lease = keepLease({ leaseMs: LEASE_MS, renew: counted, onLost: (reason) => lost.push(reason), logger });
    return { lost, asked: () => asked, end: () => lease.end() };
  }

  it('has a timer until it is ended, and asks nobody any more', async () => {
    const lease = keep(() => Promise.resolve(true));
    expect(timers()).toBe(1);
    await jest.advanceTimersByTimeAsync(10 * LEASE_MS);
    expect(lease.asked()).toBe(30);
    lease.end();
    expect(timers()).toBe(0);
    await jest.advanceTimersByTimeAsync(LEASE_MS);
    expect(lease.asked()).toBe(30);
    expect(lease.lost).toEqual([]);
  });

  it('is lost as soon as it may have ended, and no later', async () => {
    const lease = keep(() => Promise.reject(new Error('away')));
    await jest.advanceTimersByTimeAsync(LEASE_MS - 1);
    expect(lease.lost).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(lease.lost).toHaveLength(1);
    lease.end();
  });

  it.each<[string, () => Promise<boolean>]>([
    ['somebody else has taken over', () => Promise.resolve(false)],
    ['the store does not answer for its whole length', () => Promise.reject(new Error('away'))],
  ])('has none when it is lost because %s, which is said once', async (_why, renew) => {
    const lease = keep(renew);
    await jest.advanceTimersByTimeAsync(3 * LEASE_MS);
    expect(timers()).toBe(0);
    expect(lease.lost).toEqual([expect.any(LeaseLostError)]);
    lease.end();
  });
});

describe('The wait of a job for a backend that is down', () => {
  const stop = new Error('stop');
  const outage = new BackendOutage('backend-api', { httpStatus: 503 });
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
  ])('leaves neither when it is %s', async (_how, end, error) => {
    const working = items(5).catch((thrown: unknown) => thrown);
    await jest.advanceTimersByTimeAsync(1);
    expect([timers(), listeners()]).toEqual([5, 10]);
    end();
    expect(await working).toBe(error);
    expect([timers(), listeners()]).toEqual([0, 0]);
  });

  it('is none when the deadline has passed before', async () => {
    deadline.abort();
    await expect(items(1)).rejects.toBe(outage);
    expect([timers(), listeners()]).toEqual([0, 0]);
  });

  it('leaves neither when the job was interrupted before it began', async () => {
    interrupted.abort(stop);
    await expect(items(1)).rejects.toBe(stop);
    expect([timers(), listeners()]).toEqual([0, 0]);
  });
});

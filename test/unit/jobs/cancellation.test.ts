import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { watchCancellation, type Cancellation } from '../../../src/jobs/run/cancellation.js';
import { JobCancelledError } from '../../../src/jobs/job.js';

let watched: Cancellation | undefined;
let asked: number;
let noticed: number;

beforeEach(() => {
  jest.useFakeTimers();
  [asked, noticed] = [0, 0];
});
afterEach(() => {
  watched?.end();
  jest.useRealTimers();
});

function watch(isCancelled: () => Promise<boolean>, atOnce = false): Cancellation {
  watched = watchCancellation({
    isCancelled: () => {
      asked += 1;
      return isCancelled();
    },
    atOnce,
    onCancelled: () => {
      noticed += 1;
    },
  });
  return watched;
}

describe('the cancellation of a running job', () => {
  it('is told by what the job writes, and then nobody is asked any more', async () => {
    const cancellation = watch(() => Promise.resolve(true));
    const { signal } = cancellation;
    cancellation.heard('held');
    expect(signal.aborted).toBe(false);
    cancellation.heard('cancelled');
    cancellation.heard('cancelled');
    expect(signal.reason).toBeInstanceOf(JobCancelledError);
    await jest.advanceTimersByTimeAsync(10_000);
    expect([asked, noticed]).toEqual([0, 1]);
  });

  it('is not asked for while the job writes', async () => {
    const cancellation = watch(() => Promise.resolve(false));
    for (let passed = 0; passed < 10_000; passed += 100) {
      cancellation.heard('held');
      await jest.advanceTimersByTimeAsync(100);
    }
    expect(asked).toBe(0);
  });

  it('is asked for twice a second while the job writes nothing', async () => {
    watch(() => Promise.resolve(false));
    await jest.advanceTimersByTimeAsync(2_000);
    expect(asked).toBe(4);
  });

  it('is known within a second while the job writes nothing, also after the store could not be asked', async () => {
    let isAway = true;
    const { signal } = watch(() => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(true)));
    await jest.advanceTimersByTimeAsync(2_000);
    expect(signal.aborted).toBe(false);
    isAway = false;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(signal.aborted).toBe(true);
    expect(noticed).toBe(1);
  });

  it('is asked for once at a time, and no more when the job has ended', async () => {
    const answers: ((cancelled: boolean) => void)[] = [];
    const cancellation = watch(() => new Promise((resolve) => answers.push(resolve)));
    await jest.advanceTimersByTimeAsync(5_000);
    expect(asked).toBe(1);
    answers[0]?.(false);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(asked).toBe(2);
    cancellation.end();
    answers[1]?.(false);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(asked).toBe(2);
  });

  it('may have come before the job was claimed', () => {
    expect(watch(() => Promise.resolve(false), true).signal.aborted).toBe(true);
    expect(noticed).toBe(1);
  });
});

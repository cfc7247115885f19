import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { storeCheck } from '../../../src/gateway/http/dependency-checks.js';

const TIMEOUT_MS = 800;

let asked: string[];
let fault: Error | undefined;
let isHanging: boolean;
let isInDoubt: boolean;
let check: ReturnType<typeof storeCheck>;
beforeEach(() => {
  jest.useFakeTimers();
  asked = [];
  [fault, isHanging, isInDoubt] = [undefined, false, false];
  const ask = (how: string) => (): Promise<void> => {
    asked.push(how);
    if (isHanging) return new Promise(() => undefined);
    return fault === undefined ? Promise.resolve() : Promise.reject(fault);
  };
  check = storeCheck({ ping: ask('ping'), write: ask('write'), isInDoubt: () => isInDoubt });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('the health of a store', () => {
  it('is found by a small write at first and every quarter of a minute, and by an answer in between', async () => {
    for (let second = 0; second < 60; second += 1) {
      await check(TIMEOUT_MS);
      jest.advanceTimersByTime(1_000);
    }
    expect(asked.filter((how) => how === 'write')).toHaveLength(4);
    expect(asked).toHaveLength(60);
  });

  it('is bad until something could be written again, and found by a small write while a job may have met a failure', async () => {
    await check(TIMEOUT_MS);
    isInDoubt = true;
    await check(TIMEOUT_MS);
    fault = new Error('it may not be written');
    await expect(check(TIMEOUT_MS)).rejects.toBe(fault);
    isInDoubt = false;
    await expect(check(TIMEOUT_MS)).rejects.toBe(fault);
    fault = undefined;
    await check(TIMEOUT_MS);
    await check(TIMEOUT_MS);
    expect(asked).toEqual(['write', 'write', 'write', 'write', 'write', 'ping']);
  });

  it('that hangs is asked once, and each check waits for its own time', async () => {
    isHanging = true;
    const checks = Promise.allSettled([check(TIMEOUT_MS), check(TIMEOUT_MS)]);
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
    expect((await checks).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const late = check(TIMEOUT_MS);
    const refused = expect(late).rejects.toThrow('no answer within');
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
    await refused;
    expect(asked).toEqual(['write']);
    expect(jest.getTimerCount()).toBe(0);
  });
});

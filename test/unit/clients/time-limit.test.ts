import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { CutOffError, within } from '../../../src/clients/time-limit.js';

const forever = (): Promise<never> => new Promise(() => undefined);

describe('what has to end in time', () => {
  it('does not begin when its result is not wanted', async () => {
    let begun = false;
    const run = (): Promise<void> => {
      begun = true;
      return Promise.resolve();
    };
    await expect(within(10_000, AbortSignal.abort(), run)).rejects.toThrow(CutOffError);
    expect(begun).toBe(false);
  });

  it('leaves neither listeners nor timers behind, however it ends', async () => {
    const operation = new AbortController();
    const timers = (): number => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
    const before = timers();
    for (let count = 0; count < 100; count += 1) {
      await within(60_000, operation.signal, () => Promise.resolve());
      await within(60_000, operation.signal, () => Promise.reject(new Error('no'))).catch(() => undefined);
      await within(1, operation.signal, forever).catch(() => undefined);
    }
    expect(getEventListeners(operation.signal, 'abort')).toEqual([]);
    // Others of the process come and go; 200 of these would stay for a minute.
    expect(timers()).toBeLessThan(before + 50);
  });
});

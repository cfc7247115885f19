import { describe, expect, it } from '@jest/globals';
import { mapAhead } from '../../../src/jobs/kinds/driving-reports-job.js';

/** Calls that the test ends. */
class Calls {
  readonly begun: number[] = [];
  readonly #ends = new Map<number, (outcome: Error | string) => void>();

  readonly map = (item: number): Promise<string> => {
    this.begun.push(item);
    return new Promise((resolve, reject) => {
      this.#ends.set(item, (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)));
    });
  };

  end(item: number, outcome: Error | string = `done ${item}`): void {
    this.#ends.get(item)?.(outcome);
  }
}

describe('mapAhead', () => {
  it('has at most so many calls under way and yields in order, whichever ends first', async () => {
    const calls = new Calls();
    const results = mapAhead([1, 2, 3, 4], 2, calls.map);
    const first = results.next();
    expect(calls.begun).toEqual([1, 2]);
    calls.end(2);
    calls.end(1);
    expect(await first).toEqual({ value: 'done 1', done: false });
    expect(calls.begun).toEqual([1, 2, 3]);
    expect(await results.next()).toEqual({ value: 'done 2', done: false });
    expect(calls.begun).toEqual([1, 2, 3, 4]);
    calls.end(3);
    calls.end(4);
    expect(
      [await results.next(), await results.next(), await results.next()].map(({ value }): unknown => value),
    ).toEqual(['done 3', 'done 4', undefined]);
  });

  it('throws a failure when its turn comes, also one that came early', async () => {
    const calls = new Calls();
    const results = mapAhead([1, 2, 3], 3, calls.map);
    const first = results.next();
    calls.end(2, new Error('second'));
    calls.end(1);
    expect((await first).value).toBe('done 1');
    await expect(results.next()).rejects.toThrow('second');
    expect(await results.next()).toEqual({ value: undefined, done: true });
  });

  it('starts no further call when it is left early', async () => {
    const calls = new Calls();
    const results = mapAhead([1, 2, 3, 4], 2, calls.map);
    const first = results.next();
    calls.end(1);
    await first;
    await results.return(undefined);
    expect(calls.begun).toEqual([1, 2, 3]);
  });

  it('yields nothing for nothing', async () => {
    expect(await mapAhead([], 4, () => Promise.reject(new Error('never'))).next()).toEqual({
      value: undefined,
      done: true,
    });
  });
});

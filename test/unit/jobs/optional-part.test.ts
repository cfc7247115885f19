/** Parts that a report can do without: how long an outage of their source holds reports, and that its end is seen. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CallError } from '../../../src/clients/call-error.js';
import { optionalSources, type OptionalPart } from '../../../src/jobs/kinds/driving-reports/optional-part.js';
import { outageError, refusalError } from '../../support/failed-calls.js';

const { signal } = new AbortController();

let sources: ReturnType<typeof optionalSources>;
/** Calls under way, and the signal of each. */
let calls: AbortSignal[];
let answer: () => Promise<string>;

/** Time passes only while a part waits. */
beforeEach(() => {
  jest.useFakeTimers();
  jest.setTimerTickMode({ mode: 'nextAsync' });
  sources = optionalSources();
  calls = [];
  answer = () => Promise.resolve('address');
});

afterEach(() => {
  jest.useRealTimers();
});

const hanging = (): Promise<never> => new Promise(() => undefined);

/** Asks for a report. @returns the answer, or the end of the call, and the seconds for which the report was held */
async function ask(part: OptionalPart): Promise<readonly [string, number]> {
  const since = performance.now();
  const call = (ending: AbortSignal): Promise<string> => {
    calls.push(ending);
    return answer();
  };
  const said = await part.ask(call, signal).catch((error: unknown) => (error instanceof CallError ? error.end : 'bug'));
  return [said, Math.round((performance.now() - since) / 1_000)];
}

async function pass(seconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
}

describe('an outage of geo-api', () => {
  it('that hangs holds a report for 15 s, one that comes later for less, and then none', async () => {
    answer = hanging;
    const first = ask(sources.addresses());
    await pass(12);
    expect(await ask(sources.addresses())).toEqual(['failed', 3]);
    expect(await first).toEqual(['failed', 15]);
    expect(await ask(sources.addresses())).toEqual(['failed', 0]);
    expect(calls.slice(0, -1).every(({ aborted }) => aborted)).toBe(true);
  });

  it('that refuses is waited out for 10 s from the first failure, by all reports together', async () => {
    answer = () => Promise.reject(outageError());
    const reports = [ask(sources.addresses()), ask(sources.addresses())];
    expect(await Promise.all(reports)).toEqual([
      ['failed', 10],
      ['failed', 10],
    ]);
  });

  it('that ends meanwhile costs no report its addresses', async () => {
    answer = () => Promise.reject(outageError());
    const waiting = ask(sources.addresses());
    await pass(4);
    answer = () => Promise.resolve('address');
    expect((await waiting)[0]).toBe('address');
    expect(await ask(sources.addresses())).toEqual(['address', 0]);
  });

  it('is probed by one call at a time, whose answer brings the addresses back', async () => {
    answer = hanging;
    await ask(sources.addresses());
    calls = [];
    const reports = Array.from({ length: 5 }, () => ask(sources.addresses()));
    expect(await Promise.all(reports)).toEqual(reports.map(() => ['failed', 0]));
    expect(calls).toHaveLength(1);
    await pass(6);
    answer = () => Promise.resolve('address');
    expect(await ask(sources.addresses())).toEqual(['failed', 0]);
    await pass(0);
    expect(await ask(sources.addresses())).toEqual(['address', 0]);
  });

  it('that answers one call of several holds no report for more than 15 s', async () => {
    const part = sources.addresses();
    let held = 0;
    for (let driver = 0; driver < 100; driver += 1) {
      answer = driver % 7 === 0 ? () => Promise.resolve('address') : hanging;
      held += (await ask(part))[1];
    }
    expect(held).toBeLessThanOrEqual(15);
  });

  it('that leaves each first try without an answer holds no report for more than 20 s', async () => {
    const part = sources.addresses();
    let held = 0;
    for (let driver = 0; driver < 100; driver += 1) {
      const before = calls.length;
      answer = () => (calls.length === before + 1 ? hanging() : Promise.resolve('address'));
      held += (await ask(part))[1];
    }
    // A try that began within the 15 s may end beyond them.
    expect(held).toBeLessThanOrEqual(20);
  });

  it('is none when geo-api refuses, or answers something unreadable', async () => {
    answer = () => Promise.reject(refusalError(422));
    expect(await ask(sources.addresses())).toEqual(['refused', 0]);
    answer = () => Promise.resolve('address');
    expect(await ask(sources.addresses())).toEqual(['address', 0]);
  });
});

describe('an outage of backend-api', () => {
  it('holds a report for 5 s, when it could have a vehicle or further trips', async () => {
    answer = hanging;
    for (const part of [sources.vehicles, sources.weighedTrips]) {
      expect([await ask(part()), await ask(part())]).toEqual([
        ['failed', 5],
        ['failed', 0],
      ]);
    }
  });

  it('is none when one call is answered 500, which may concern that call alone', async () => {
    const part = sources.vehicles();
    answer = () => Promise.reject(outageError({ httpStatus: 500 }));
    expect(await ask(part)).toEqual(['answered 500', 0]);
    answer = () => Promise.resolve('vehicle');
    expect(await ask(part)).toEqual(['vehicle', 0]);
  });

  it.each([
    ['is none when it refuses for as long as it likes', refusalError(404), ['vehicle', 0]],
    ['that answers 500 after a while is told as such', outageError({ httpStatus: 500 }), ['answered 500', 0]],
  ])('%s', async (_, error, last) => {
    const part = sources.vehicles();
    answer = () => pass(4).then(() => Promise.reject(error));
    for (let driver = 0; driver < 5; driver += 1) await ask(part);
    answer = () => Promise.resolve('vehicle');
    expect(await ask(part)).toEqual(last);
  });
});

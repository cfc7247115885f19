import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CallError, contractBreach } from '../../../src/clients/call-error.js';
import { Circuit } from '../../../src/clients/circuit.js';
import { Patience } from '../../../src/jobs/run/patience.js';
import { captureLog } from '../../support/captured-log.js';
import {
  foreignError,
  heldBackError,
  keyRefusal,
  outageError,
  redirection,
  refusalError,
} from '../../support/failed-calls.js';

const PATIENCE_MS = 60_000;

let startedAt: number;
let pauses: jest.SpiedFunction<typeof setTimeout>;
let interruption: AbortController;
let deadline: AbortController;
let patience: Patience;
let outages: unknown[];

const now = (): number => performance.now() - startedAt;
const pausesMs = (): (number | undefined)[] => pauses.mock.calls.map(([, milliseconds]) => milliseconds);

/** Time passes only while patience waits. */
beforeEach(() => {
  jest.useFakeTimers();
  jest.setTimerTickMode({ mode: 'nextAsync' });
  startedAt = performance.now();
  pauses = jest.spyOn(globalThis, 'setTimeout');
  outages = [];
  interruption = new AbortController();
  deadline = new AbortController();
  patience = new Patience({
    patienceMs: PATIENCE_MS,
    interrupted: interruption.signal,
    deadline: deadline.signal,
    onOutage: (reason) => outages.push(reason),
  });
});

afterEach(() => {
  jest.useRealTimers();
});

const down = (): CallError => outageError();
/** Sets when the backend last answered another call. */
const served = (error: CallError, servedAt?: number): CallError => Object.assign(error, { servedAt });
const answered500 = (servedAt?: number): CallError => served(outageError({ httpStatus: 500 }), servedAt);
const foreign = (servedAt?: number, status = 404): CallError => served(foreignError(status), servedAt);
const refusal = (): CallError => refusalError(404, 'no such mobile');

/** A call that fails as listed and then succeeds. @returns how often it was asked, and whether as a repetition */
function failing(errors: readonly Error[]): { run: () => Promise<string>; asked: boolean[] } {
  const asked: boolean[] = [];
  const run = (): Promise<string> =>
    patience.run((repeated) => {
      const error = errors[asked.length];
      asked.push(repeated);
      return error === undefined ? Promise.resolve('done') : Promise.reject(error);
    });
  return { run, asked };
}

describe('an item that meets an outage', () => {
  it.each<[string, () => Error]>([
    ['a connection that fails', down],
    ['a 500', () => answered500()],
    ['a 429', () => refusalError(429, 'slow down')],
    ['something in front of the backend', () => foreign()],
    ['our own circuit', () => heldBackError()],
  ])('by %s is tried again until it is done', async (_what, error) => {
    const { run, asked } = failing([error(), error(), error()]);
    await expect(run()).resolves.toBe('done');
    expect(asked).toHaveLength(4);
  });

  it('is in doubt once a call was sent, and not when it was refused or found no connection before', async () => {
    const unsent = new CallError('backend-api', 'unsent', new Error('ECONNREFUSED'));
    const refused = failing([heldBackError(), unsent, heldBackError()]);
    await refused.run();
    expect(refused.asked).toEqual([false, false, false, false]);
    const sent = failing([heldBackError(), down(), heldBackError()]);
    await sent.run();
    expect(sent.asked).toEqual([false, false, true, true]);
  });

  it('waits as long as the backend asks', async () => {
    await failing([outageError({ httpStatus: 503, retryAfterMs: 17_000 })]).run();
    expect(pausesMs()).toEqual([17_000]);
  });

  it('fails when patience is spent, which the clock of the first failure decides', async () => {
    const error = down();
    await expect(failing(Array<Error>(1_000).fill(error)).run()).rejects.toBe(error);
    expect(now()).toBe(PATIENCE_MS);
    expect(outages).toEqual([error]);
  });

  it.each([
    ['is answered 500', answered500],
    ['is answered by something in front of the backend', foreign],
  ])('and %s is tried six times over ten seconds when the backend answers others meanwhile', async (_how, fail) => {
    const error = fail(performance.now() + 60_000);
    const { run, asked } = failing(Array<Error>(1_000).fill(error));
    await expect(run()).rejects.toBe(error);
    expect(asked).toHaveLength(6);
    expect(now()).toBeGreaterThan(8_500);
    expect(now()).toBeLessThan(11_500);
  });
});

describe('an item that is answered 500 in a job that has the backend to itself', () => {
  const poison = (): ReturnType<typeof failing> => failing(Array<Error>(1_000).fill(answered500()));
  const good = (): Promise<string> => failing([]).run();

  it('takes the patience of the job once; when the next one is answered, those that follow get tries of their own', async () => {
    await good();
    await expect(poison().run()).rejects.toThrow();
    expect(now()).toBe(PATIENCE_MS);
    await good();
    for (let item = 0; item < 3; item += 1) {
      const before = now();
      const { run, asked } = poison();
      await expect(run()).rejects.toThrow();
      expect(asked).toHaveLength(6);
      expect(now() - before).toBeLessThan(11_500);
      await good();
    }
  });

  it('shows nothing when the ones after it fail as well, or when it was no 500', async () => {
    await expect(poison().run()).rejects.toThrow();
    await expect(failing([down(), down()]).run()).rejects.toThrow();
    await good();
    const before = now();
    await expect(poison().run()).rejects.toThrow();
    expect(now() - before).toBe(PATIENCE_MS);
  });

  it('is the only one with a few tries when the backend then answers nobody', async () => {
    await expect(poison().run()).rejects.toThrow();
    await good();
    const [first, second] = [poison(), poison()];
    await expect(first.run()).rejects.toThrow();
    expect(first.asked).toHaveLength(6);
    await expect(second.run()).rejects.toThrow();
    expect(now()).toBe(2 * PATIENCE_MS);
  });

  it('is tried as long as before when the clock is set back, because the backend served nobody since', async () => {
    const circuit = new Circuit({ backend: 'backend-api', caller: 'job', mode: 'write', logger: captureLog().logger });
    const caller = { kind: 'job', org: 'acme' } as const;
    await circuit.run(caller, () => Promise.resolve('done'));
    const error = answered500();
    await expect(circuit.run(caller, () => Promise.reject(error))).rejects.toBe(error);
    jest.setSystemTime(Date.now() - 9 * 3_600_000);
    await expect(failing(Array<Error>(1_000).fill(error)).run()).rejects.toThrow();
    expect(now()).toBe(PATIENCE_MS);
  });

  it('shows nothing by what the backend served before the item was begun', async () => {
    const error = answered500(performance.now() - 60_000);
    const { run, asked } = failing(Array<Error>(1_000).fill(error));
    await expect(run()).rejects.toBe(error);
    expect([now(), asked.length > 6]).toEqual([PATIENCE_MS, true]);
  });
});

it.each([
  ['502 to 504', (servedAt: number) => served(outageError({ httpStatus: 503 }), servedAt)],
  ['429 by something in front of the backend', (servedAt: number) => foreign(servedAt, 429)],
])('an item that is answered %s waits for its end, even when others are served meanwhile', async (_what, outage) => {
  const error = outage(performance.now() + 60_000);
  await expect(failing(Array<Error>(1_000).fill(error)).run()).rejects.toBe(error);
  expect(now()).toBe(PATIENCE_MS);
});

it.each([
  ['a 4xx', refusal()],
  ['a reply that breaks its contract', contractBreach('backend-api', 'nothing')],
  ['an error of ours', new TypeError('undefined is not a function')],
])('an item fails at once by %s, which does not pass', async (_what, error) => {
  const { run, asked } = failing([error]);
  await expect(run()).rejects.toBe(error);
  expect([asked.length, pausesMs()]).toEqual([1, []]);
});

describe('once patience is spent', () => {
  beforeEach(async () => {
    await expect(failing(Array<Error>(1_000).fill(down())).run()).rejects.toThrow();
    pauses.mockClear();
  });

  it('every further item gets one try', async () => {
    for (const asked of [failing([down(), down()]), failing([down(), down()])]) {
      await expect(asked.run()).rejects.toThrow();
      expect(asked.asked).toEqual([false]);
    }
    expect(pausesMs()).toEqual([]);
  });

  it.each([
    ['succeeds', []],
    ['is refused by the backend', [refusal()]],
    ['is answered in breach of the contract', [contractBreach('backend-api', 'no JSON')]],
  ])('an item that %s brings it back', async (_what, errors) => {
    await failing(errors)
      .run()
      .catch(() => undefined);
    const { run, asked } = failing([down(), down()]);
    await expect(run()).resolves.toBe('done');
    expect(asked).toHaveLength(3);
  });

  it.each([
    ['by an error of ours', new TypeError('undefined is not a function')],
    ['with a redirection', redirection()],
    ['with a refusal of our key', keyRefusal()],
    ['with 429', refusalError(429, 'slow down')],
    ['by something in front of the backend', foreign()],
  ])('an item that fails %s does not', async (_how, error) => {
    await expect(failing([error]).run()).rejects.toBe(error);
    expect(patience.isExhausted).toBe(true);
  });
});

describe('a call that we refused ourselves', () => {
  const refused = (): CallError => heldBackError();
  const spend = (): Promise<void> => expect(failing(Array<Error>(1_000).fill(down())).run()).rejects.toThrow();

  it('is sent in the end when patience runs out meanwhile, and only that counts', async () => {
    let sent = 0;
    let refusals = 0;
    const outcome = patience.run(() => {
      // As the circuit does it: calls that may not wait any longer are let through.
      if (patience.isExhausted) return Promise.resolve((sent += 1));
      refusals += 1;
      return Promise.reject(refused());
    });
    await expect(outcome).resolves.toBe(1);
    expect(refusals).toBeGreaterThan(10);
    expect([now(), sent]).toEqual([PATIENCE_MS, 1]);
  });

  it('is no failure of an item once patience is spent: what was sent decides', async () => {
    await spend();
    pauses.mockClear();
    const done = failing([refused(), refused()]);
    await expect(done.run()).resolves.toBe('done');
    expect([done.asked, pausesMs()]).toEqual([
      [false, false, false],
      [5_000, 5_000],
    ]);
    await spend();
    const error = down();
    await expect(failing([refused(), error]).run()).rejects.toBe(error);
  });

  it('is not waited for beyond the deadline', async () => {
    await spend();
    const error = refused();
    deadline.abort();
    await expect(failing([error]).run()).rejects.toBe(error);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { ItemOutcome } from '../../../src/jobs/record/job-record.js';
import type { BulkOutcome } from '../../../src/jobs/record/job-ends.js';
import { runBulk } from '../../../src/jobs/kinds/run-bulk.js';
import { observerOf } from '../../../src/programs/telemetry/observers.js';
import { impatience, jobExecution } from './job-execution.js';
import {
  JobCancelledError,
  JobStoppedError,
  LeaseLostError,
  type ItemEnd,
  type JobExecution,
} from '../../../src/jobs/job.js';
import { Patience } from '../../../src/jobs/run/patience.js';
import { cutOffError, heldBackError, outageError, refusalError } from '../../support/failed-calls.js';
import { deferred } from '../../support/wait-for.js';

/** The refusal of the backend `not there`, as it is noted. */
const NOT_THERE = { code: 'NotFound', reason: 'UnknownToBackend', values: { backendText: 'not there' } };

/** The outcome of a job whose items failed for reasons of ours, as `[label, code, reason]` by their index. */
function failing(
  failures: Readonly<Record<number, readonly [label: string, code: string, reason: string, text: string]>>,
): object {
  return {
    errors: Object.entries(failures).map(([index, [label, , , text]]) => `[${index}] ${label}: ${text}`),
    failures: Object.entries(failures).map(([index, [label, code, reason]]) => {
      return { from: Number(index), label, code, reason };
    }),
  };
}

interface Run {
  readonly outcome: Promise<BulkOutcome>;
  /** Items that were applied, with whether they were in doubt. */
  readonly applied: [string, boolean][];
  readonly noted: { readonly done: number; readonly checkpoint: unknown; readonly items: readonly ItemOutcome[] }[];
  /** Whether the work of each event may be done again. */
  readonly repeatable: (boolean | undefined)[];
}

type Apply = (item: string) => Promise<undefined> | number | undefined;

function run(
  items: readonly string[],
  apply: Apply,
  changes: Partial<JobExecution> = {},
  { repeatable = false, secret }: { readonly repeatable?: boolean; readonly secret?: string | undefined } = {},
): Run {
  const applied: Run['applied'] = [];
  const noted: Run['noted'] = [];
  const repeatables: Run['repeatable'] = [];
  const execution = jobExecution({
    saveProgress: ({ done, checkpoint, items: outcomes = [], repeatable: isRepeatable }) => {
      repeatables.push(isRepeatable);
      noted.push({ done, checkpoint: JSON.parse(checkpoint) as unknown, items: outcomes });
      return Promise.resolve();
    },
    ...changes,
  });
  const outcome = runBulk<string>(
    {
      items,
      repeatable,
      label: (item) => item,
      secret: () => secret,
      apply: (item, { inDoubt }) => {
        applied.push([item, inDoubt]);
        // A rejection, as a call to a backend would give, also where `apply` throws.
        return new Promise((resolve) => resolve(apply(item)));
      },
    },
    execution,
  );
  return { outcome, applied, noted, repeatable: repeatables };
}

const nothing: Apply = () => undefined;

type Told = 'stopping' | 'deadline' | 'cancelled' | 'signal';

/** Items, during one of which a signal of the job is aborted. */
function during(
  item: string,
  told: Told,
  { reason, apply = nothing }: { readonly reason?: Error; readonly apply?: Apply } = {},
): [apply: Apply, changes: Partial<JobExecution>] {
  const telling = new AbortController();
  const tell: Apply = (each) => {
    if (each === item) telling.abort(reason);
    return apply(each);
  };
  return [tell, { [told]: telling.signal }];
}

const aborted =
  (item: string): Apply =>
  (each) => {
    if (each === item) throw new Error('aborted');
    return undefined;
  };
const codeOf: Apply = (item) => item.charCodeAt(0);
const notThere = (): Error => refusalError(404, 'not there');

const never = new AbortController().signal;

/** Patience that tells nothing of a call during which the job was let go. */
function lettingGo(signal: AbortSignal): Patience {
  const patience = impatience();
  patience.run = async (call) => {
    const value = await call(false);
    signal.throwIfAborted();
    return value;
  };
  return patience;
}

describe('the items', () => {
  it('are applied in order and noted one by one, with what was created and what went wrong', async () => {
    const { outcome, noted } = run(['a', 'b', 'c'], (item) => {
      if (item === 'b') throw notThere();
      return codeOf(item);
    });
    expect(await outcome).toEqual({
      createdIds: [97, 99],
      failures: [{ from: 1, label: 'b', ...NOT_THERE }],
      errors: ['[1] b: not there'],
    });
    expect(noted).toEqual([
      { done: 1, checkpoint: { next: 1 }, items: [{ index: 0, createdId: 97 }] },
      { done: 2, checkpoint: { next: 2 }, items: [{ index: 1, failure: 'not there', ...NOT_THERE }] },
      { done: 3, checkpoint: { next: 3 }, items: [{ index: 2, createdId: 99 }] },
    ]);
  });

  it('that fail with an unexpected error keep its text inside', async () => {
    const { outcome } = run(['a'], () => {
      throw new Error('at line 5');
    });
    expect((await outcome).errors).toEqual(['[0] a: internal error']);
  });

  it('of which there is nothing to tell are noted as done, and no more', async () => {
    const { outcome, noted } = run(['a'], nothing);
    await outcome;
    expect(noted).toEqual([{ done: 1, checkpoint: { next: 1 }, items: [] }]);
  });

  it('that fail have 500 characters of a reason at most, and a password is looked for behind them as well', async () => {
    const reasonOf = async (message: string, secret?: string): Promise<string> => {
      const fail = (): never => {
        throw refusalError(422, message);
      };
      return (await run(['a'], fail, {}, { secret }).outcome).errors[0]?.slice('[0] a: '.length) ?? '';
    };
    expect(await reasonOf('x'.repeat(600))).toBe('x'.repeat(500));
    const hidden = 'the password was refused';
    for (const form of ['a"b c', 'a\\"b c', 'a%22b%20c']) expect(await reasonOf(`bad: ${form}`, 'a"b c')).toBe(hidden);
    expect(await reasonOf(`${'x'.repeat(498)}secret`, 'secret')).toBe(hidden);
    expect(await reasonOf(`${'x '.repeat(4_000)} secret`, 'secret')).toBe(hidden);
    // So far behind no part of it can stay.
    expect(await reasonOf(`${'x '.repeat(5_000)} secret`, 'secret')).toBe('x '.repeat(250));
  });

  it('are watched one by one: done, failed, or interrupted and done later', async () => {
    const ends: [number, ItemEnd][] = [];
    const observer = observerOf({
      item: (index) => ({ within: (work) => work(), finish: (end) => void ends.push([index, end]) }),
    });
    const apply: Apply = (item) => {
      if (item === 'b') throw notThere();
      return undefined;
    };
    const [telling, { signal = never }] = during('c', 'signal', { reason: new LeaseLostError(), apply });
    const { outcome } = run(['a', 'b', 'c'], telling, { observer, signal, patience: lettingGo(signal) });
    await expect(outcome).rejects.toThrow(LeaseLostError);
    expect(ends).toEqual([
      [0, 'done'],
      [1, 'failed'],
      [2, 'interrupted'],
    ]);
  });
});

describe('an attempt that goes on', () => {
  const resumed = {
    attempt: 2,
    checkpoint: JSON.stringify({ next: 2 }),
    items: [
      { index: 0, createdId: 7 },
      { index: 1, failure: 'no' },
    ],
  };

  it('begins behind the last finished item, keeps what it brought, and doubts the first one it does', async () => {
    const { outcome, applied } = run(['a', 'b', 'c', 'd'], () => 8, resumed);
    expect(await outcome).toEqual({
      createdIds: [7, 8, 8],
      // No code can be read any more.
      failures: [{ from: 1, label: 'b', code: 'InternalError' }],
      errors: ['[1] b: no'],
    });
    expect(applied).toEqual([
      ['c', true],
      ['d', false],
    ]);
  });

  it.each([
    ['nothing when the attempt before it stopped in good order', 2, { next: 1, stoppedIn: 1 }, [['b', false]]],
    [
      'its first item when the attempt before it was not the one that stopped',
      3,
      { next: 1, stoppedIn: 1 },
      [['b', true]],
    ],
    ['the very first item when the attempt before it noted nothing', 2, undefined, [['a', true], ['b', false]]], // oxfmt-ignore
  ])('doubts %s', async (_what, attempt, noted, expected) => {
    const { outcome, applied } = run(['a', 'b'], nothing, { attempt, checkpoint: noted && JSON.stringify(noted) });
    await outcome;
    expect(applied).toEqual(expected);
  });

  it('keeps its doubts when it has to stop, or its time is over, before it could do anything', async () => {
    const stopped = run(['a', 'b'], nothing, { attempt: 2, stopping: AbortSignal.abort() });
    await expect(stopped.outcome).rejects.toThrow(JobStoppedError);
    expect([stopped.applied, stopped.noted]).toEqual([[], []]);
    const late = run(['a', 'b'], nothing, { attempt: 2, deadline: AbortSignal.abort() });
    const over = 'the time allowed for the job was over';
    expect((await late.outcome).errors).toEqual([`[0] a: not known to be done, ${over}`, `[1] b: not done, ${over}`]);
  });

  it('has nothing to do when every item was done', async () => {
    const { outcome, applied } = run(['a', 'b'], nothing, resumed);
    expect(await outcome).toMatchObject({ createdIds: [7], failures: [{ from: 1 }], errors: ['[1] b: no'] });
    expect(applied).toEqual([]);
  });
});

describe('a job that was cancelled', () => {
  const NOT_DONE = 'not done, the job was cancelled';

  it('finishes the item that has begun and begins nothing further', async () => {
    const told = during('b', 'cancelled', { reason: new JobCancelledError(), apply: codeOf });
    const { outcome, applied, noted } = run(['a', 'b', 'c', 'd'], ...told);
    expect(await outcome).toEqual({
      createdIds: [97, 98],
      ...failing({ 2: ['c', 'Cancelled', 'NotBegun', NOT_DONE], 3: ['d', 'Cancelled', 'NotBegun', NOT_DONE] }),
    });
    expect(applied.map(([item]) => item)).toEqual(['a', 'b']);
    // The next runner begins behind what was done.
    expect(noted.at(-1)).toMatchObject({ done: 2, checkpoint: { next: 2 } });
  });

  it('before it began ends without doing anything, even while its process stops', async () => {
    const { outcome, applied } = run(['a', 'b'], nothing, { cancelled: cancelled(), stopping: cancelled() });
    expect(await outcome).toMatchObject({
      failures: [{ from: 0 }, { from: 1 }].map((at) => ({ ...at, reason: 'NotBegun' })),
    });
    expect(applied).toEqual([]);
  });

  it.each([
    ['one', false, [['c', true]]],
    ['two, where they may be done again', true, [['c', true], ['d', true]]], // oxfmt-ignore
  ])('still does what an attempt that died may have begun: %s', async (_what, repeatable, expected) => {
    const resumed = { attempt: 2, checkpoint: JSON.stringify({ next: 2 }), cancelled: cancelled() };
    const { outcome, applied } = run(['a', 'b', 'c', 'd', 'e'], nothing, resumed, { repeatable });
    const { failures = [] } = await outcome;
    expect(failures.map(({ reason }) => reason)).toEqual(
      expected.length === 2 ? ['NotBegun'] : ['NotBegun', 'NotBegun'],
    );
    expect(applied).toEqual(expected);
  });

  it.each([
    ['was never sent', heldBackError(), `[0] a: ${NOT_DONE}`],
    ['may have been carried out', outageError(), expect.not.stringContaining(NOT_DONE)],
  ])('waits out no outage for an item whose call %s', async (_what, error, expected) => {
    const stop = new AbortController();
    const patience = new Patience({
      patienceMs: 3_600_000,
      interrupted: never,
      deadline: never,
      cancelled: stop.signal,
      onOutage: () => setImmediate(() => stop.abort(new JobCancelledError())),
    });
    const { outcome, applied } = run(['a', 'b'], () => Promise.reject(error), { cancelled: stop.signal, patience });
    const { errors } = await outcome;
    expect(errors).toEqual([expected, `[1] b: ${NOT_DONE}`]);
    expect(applied).toHaveLength(1);
  });

  it('while an item in doubt waited to be sent again does not know what became of that one', async () => {
    const patience = impatience();
    patience.run = () => Promise.reject(new JobCancelledError());
    const { outcome } = run(['a', 'b'], nothing, { attempt: 2, cancelled: cancelled(), patience });
    const unknown = 'not known to be done, the job was cancelled';
    expect(await outcome).toEqual({
      createdIds: [],
      ...failing({ 0: ['a', 'Cancelled', 'NotKnown', unknown], 1: ['b', 'Cancelled', 'NotBegun', NOT_DONE] }),
    });
  });

  function cancelled(): AbortSignal {
    return AbortSignal.abort(new JobCancelledError());
  }
});

/** A store whose writes end when the test says so. */
function heldWrites(): {
  readonly saveProgress: JobExecution['saveProgress'];
  /** Checkpoints whose write has begun, in that order. */
  readonly begun: number[];
  /** Ends the oldest write that has not ended. */
  end(error?: Error): void;
} {
  const waiting: ((error?: Error) => void)[] = [];
  const begun: number[] = [];
  return {
    begun,
    saveProgress: ({ done }) =>
      new Promise((resolve, reject) => {
        begun.push(done);
        waiting.push((error) => (error === undefined ? resolve() : reject(error)));
      }),
    end: (error) => waiting.shift()?.(error),
  };
}

/** Until everything has gone on that does not wait for the test. */
async function untilStill(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
}

describe('while a checkpoint is being written', () => {
  const names = (applied: Run['applied']): string[] => applied.map(([item]) => item);

  it('the call of the next item goes out first where items are repeatable', async () => {
    const events: (string | number)[] = [];
    const apply: Apply = (item) => {
      events.push(item);
      return undefined;
    };
    const saveProgress: JobExecution['saveProgress'] = ({ done }) => Promise.resolve(void events.push(done));
    await run(['a', 'b'], apply, { saveProgress }, { repeatable: true }).outcome;
    expect(events).toEqual(['a', 'b', 1, 2]);
  });

  it.each([
    ['may be forgotten where items are repeatable, but never that the job stopped', true, [true, false]],
    ['must not be forgotten where they are not', false, [false, false]],
  ])('it %s', async (_what, isRepeatable, expected) => {
    const { outcome, repeatable } = run(['a', 'b'], ...during('a', 'stopping'), { repeatable: isRepeatable });
    await expect(outcome).rejects.toThrow(JobStoppedError);
    expect(repeatable).toEqual(expected);
  });

  it('the next item is done where items are repeatable, and never the one after that', async () => {
    const store = heldWrites();
    const { applied, outcome } = run(['a', 'b', 'c', 'd'], nothing, store, { repeatable: true });
    const seen: string[] = [];
    for (let write = 1; write <= 4; write += 1) {
      await untilStill();
      seen.push(`${names(applied).join('')} ${store.begun.join('')}`);
      store.end();
    }
    expect(seen).toEqual(['ab 1', 'abc 12', 'abcd 123', 'abcd 1234']);
    expect((await outcome).errors).toEqual([]);
  });

  it('no item is begun where items are not repeatable', async () => {
    const store = heldWrites();
    const { applied, outcome } = run(['a', 'b'], nothing, store);
    for (const expected of [['a'], ['a', 'b']]) {
      await untilStill();
      expect(names(applied)).toEqual(expected);
      store.end();
    }
    await outcome;
  });

  const cutOff = { reason: new JobStoppedError('cut off'), apply: aborted('b') };
  it.each([true, false])(
    'the job ends when that of its last item has begun, repeatable or not: %s',
    async (repeatable) => {
      const store = heldWrites();
      const { outcome } = run(['a'], nothing, store, { repeatable });
      await outcome;
      expect(store.begun).toEqual([1]);
      store.end();
    },
  );

  it('the job does not end when it is cut off', async () => {
    const [apply, changes] = during('b', 'signal', cutOff);
    const store = heldWrites();
    const { outcome } = run(['a', 'b', 'c'], apply, { ...store, ...changes }, { repeatable: true });
    let isOver = false;
    const over = outcome.catch((error: unknown) => error).finally(() => (isOver = true));
    await untilStill();
    expect(isOver).toBe(false);
    store.end();
    expect(await over).toBe(cutOff.reason);
  });

  it('and that fails, the item under way is done, nothing is written of it, and no other is begun', async () => {
    const store = heldWrites();
    const held = deferred<undefined>();
    const apply: Apply = (item) => (item === 'b' ? held.promise : undefined);
    const { applied, outcome } = run(['a', 'b', 'c'], apply, store, { repeatable: true });
    await untilStill();
    store.end(new LeaseLostError('taken over'));
    await untilStill();
    expect(names(applied)).toEqual(['a', 'b']);
    held.resolve(undefined);
    await expect(outcome).rejects.toThrow('taken over');
    expect([names(applied), store.begun]).toEqual([['a', 'b'], [1]]);
  });

  it('and the job is asked to stop, both are noted before it does', async () => {
    const { outcome, noted } = run(['a', 'b', 'c'], ...during('b', 'stopping'), { repeatable: true });
    await expect(outcome).rejects.toThrow(JobStoppedError);
    expect(noted.map(({ checkpoint }) => checkpoint)).toEqual([{ next: 1 }, { next: 2 }, { next: 2, stoppedIn: 1 }]);
  });
});

it('an attempt that goes on with repeatable items doubts the two that may have been begun', async () => {
  const resumed = { attempt: 2, checkpoint: JSON.stringify({ next: 1 }) };
  const { outcome, applied } = run(['a', 'b', 'c', 'd'], nothing, resumed, { repeatable: true });
  await outcome;
  expect(applied).toEqual([
    ['b', true],
    ['c', true],
    ['d', false],
  ]);
});

describe('a job that has to end early', () => {
  it('stops behind its item when asked to, and notes that it did', async () => {
    const { outcome, applied, noted } = run(['a', 'b'], ...during('a', 'stopping'));
    await expect(outcome).rejects.toThrow(JobStoppedError);
    expect(applied).toEqual([['a', false]]);
    expect(noted.at(-1)).toEqual({ done: 1, checkpoint: { next: 1, stoppedIn: 1 }, items: [] });
  });

  it('is not held up by being asked to stop when its last item is done', async () => {
    const { outcome } = run(['a'], ...during('a', 'stopping', { apply: () => 1 }));
    expect(await outcome).toEqual({ createdIds: [1], errors: [] });
  });

  it('leaves an item unfinished whose call was cut off', async () => {
    const told = during('a', 'signal', { reason: new LeaseLostError('taken over'), apply: aborted('a') });
    const { outcome, noted } = run(['a', 'b'], ...told);
    await expect(outcome).rejects.toThrow(LeaseLostError);
    expect(noted).toEqual([]);
  });

  it('stops as well when the wait of its item for a backend was interrupted, which leaves the item unfinished', async () => {
    const interrupted = AbortSignal.abort(new JobStoppedError('shutting down'));
    const patience = new Patience({ patienceMs: 60_000, interrupted, deadline: new AbortController().signal });
    const { outcome, noted } = run(['a'], () => Promise.reject(outageError()), { patience });
    await expect(outcome).rejects.toThrow(JobStoppedError);
    expect(noted).toEqual([]);
  });

  it('does not know what became of an item whose call was cut off at the deadline', async () => {
    const { outcome } = run(['a'], () => Promise.reject(cutOffError()));
    expect((await outcome).errors).toEqual(['[0] a: not known to be done, the time allowed for the job was over']);
  });

  it('reports what was not done by its deadline, item by item', async () => {
    const { outcome, applied } = run(['a', 'b', 'c'], ...during('a', 'deadline', { apply: () => 5 }));
    const late = 'not done, the time allowed for the job was over';
    const failure = ['ServiceUnavailable', 'OutOfTime', late] as const;
    const failures = failing({ 1: ['b', ...failure], 2: ['c', ...failure] });
    expect(await outcome).toEqual({ createdIds: [5], ...failures });
    expect(applied).toHaveLength(1);
  });
});

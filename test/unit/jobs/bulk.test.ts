import { describe, expect, it } from '@jest/globals';
import { GatewayError, notFound } from '../../../src/errors.js';
import { runBulk, type BulkOutcome } from '../../../src/jobs/bulk.js';
import { JobStoppedError, LeaseLostError, type JobExecution } from '../../../src/jobs/job.js';

interface Run {
  readonly outcome: Promise<BulkOutcome>;
  /** Items that were applied, with whether they were in doubt. */
  readonly applied: [string, boolean][];
  readonly checkpoints: { readonly done: number; readonly checkpoint: unknown }[];
}

type Apply = (item: string) => number | undefined;

function run(items: readonly string[], apply: Apply, changes: Partial<JobExecution> = {}): Run {
  const applied: Run['applied'] = [];
  const checkpoints: Run['checkpoints'] = [];
  const execution: JobExecution = {
    job: { kind: 'mobiles', org: 'acme', jobId: 'job' },
    createdAt: 0,
    attempt: 1,
    checkpoint: undefined,
    signal: new AbortController().signal,
    stopping: new AbortController().signal,
    deadline: new AbortController().signal,
    saveProgress: ({ done, checkpoint }) => {
      checkpoints.push({ done, checkpoint: JSON.parse(checkpoint) as unknown });
      return Promise.resolve();
    },
    ...changes,
  };
  const outcome = runBulk<string>(
    {
      items,
      label: (item) => item,
      apply: (item, { inDoubt }) => {
        applied.push([item, inDoubt]);
        // A rejection, as a call to a backend would give, also where `apply` throws.
        return new Promise((resolve) => resolve(apply(item)));
      },
    },
    execution,
  );
  return { outcome, applied, checkpoints };
}

const nothing: Apply = () => undefined;

describe('the items', () => {
  it('are applied in order and noted one by one, with what was created and what went wrong', async () => {
    const { outcome, checkpoints } = run(['a', 'b', 'c'], (item) => {
      if (item === 'b') throw notFound('not there');
      return item.charCodeAt(0);
    });
    expect(await outcome).toEqual({ createdIds: [97, 99], errors: ['[1] b: not there'] });
    expect(checkpoints).toEqual([
      { done: 1, checkpoint: { next: 1, createdIds: [97], errors: [] } },
      { done: 2, checkpoint: { next: 2, createdIds: [97], errors: ['[1] b: not there'] } },
      { done: 3, checkpoint: { next: 3, createdIds: [97, 99], errors: ['[1] b: not there'] } },
    ]);
  });

  it.each([
    ['an error nobody expected', new Error('at line 5')],
    ['an internal one', new GatewayError('InternalError', 'at line 5')],
  ])('that fail with %s keep its text inside', async (_what, thrown) => {
    const { outcome } = run(['a'], () => {
      throw thrown;
    });
    expect((await outcome).errors).toEqual(['[0] a: internal error']);
  });
});

describe('an attempt that goes on', () => {
  const checkpoint = JSON.stringify({ next: 1, createdIds: [7], errors: ['[0] a: no'] });

  it('begins behind the last finished item, keeps what it brought, and doubts the first one it does', async () => {
    const { outcome, applied } = run(['a', 'b', 'c'], () => 8, { attempt: 2, checkpoint });
    expect(await outcome).toEqual({ createdIds: [7, 8, 8], errors: ['[0] a: no'] });
    expect(applied).toEqual([
      ['b', true],
      ['c', false],
    ]);
  });

  it('doubts the very first item when the attempt before it noted nothing', async () => {
    const { outcome, applied } = run(['a', 'b'], nothing, { attempt: 2 });
    await outcome;
    expect(applied).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });

  it.each([
    ['nothing when the attempt before it stopped in good order', 2, 1, false],
    ['its first item when the attempt before it was not the one that stopped', 3, 1, true],
  ])('doubts %s', async (_what, attempt, stoppedIn, inDoubt) => {
    const stopped = JSON.stringify({ next: 1, createdIds: [], errors: [], stoppedIn });
    const { outcome, applied } = run(['a', 'b'], nothing, { attempt, checkpoint: stopped });
    await outcome;
    expect(applied).toEqual([['b', inDoubt]]);
  });

  it('has nothing to do when every item was done', async () => {
    const { outcome, applied } = run(['a'], nothing, { attempt: 2, checkpoint });
    expect(await outcome).toEqual({ createdIds: [7], errors: ['[0] a: no'] });
    expect(applied).toEqual([]);
  });
});

describe('a job that has to end early', () => {
  it('stops behind its item when asked to, and notes that it did', async () => {
    const stopping = new AbortController();
    const { outcome, applied, checkpoints } = run(
      ['a', 'b'],
      () => {
        stopping.abort();
        return undefined;
      },
      { stopping: stopping.signal },
    );
    await expect(outcome).rejects.toThrow(JobStoppedError);
    expect(applied).toEqual([['a', false]]);
    expect(checkpoints.at(-1)).toEqual({ done: 1, checkpoint: { next: 1, createdIds: [], errors: [], stoppedIn: 1 } });
  });

  it('is not held up by being asked to stop when its last item is done', async () => {
    const stopping = new AbortController();
    const { outcome } = run(
      ['a'],
      () => {
        stopping.abort();
        return 1;
      },
      { stopping: stopping.signal },
    );
    expect(await outcome).toEqual({ createdIds: [1], errors: [] });
  });

  it('leaves an item unfinished whose call was cut off', async () => {
    const cutOff = new AbortController();
    const { outcome, checkpoints } = run(
      ['a', 'b'],
      () => {
        cutOff.abort(new LeaseLostError('taken over'));
        throw new Error('aborted');
      },
      { signal: cutOff.signal },
    );
    await expect(outcome).rejects.toThrow(LeaseLostError);
    expect(checkpoints).toEqual([]);
  });

  it('reports what was not done by its deadline, item by item', async () => {
    const deadline = new AbortController();
    const { outcome, applied } = run(
      ['a', 'b', 'c'],
      () => {
        deadline.abort();
        return 5;
      },
      { deadline: deadline.signal },
    );
    const late = 'not done, the time allowed for the job was over';
    expect(await outcome).toEqual({ createdIds: [5], errors: [`[1] b: ${late}`, `[2] c: ${late}`] });
    expect(applied).toHaveLength(1);
  });
});

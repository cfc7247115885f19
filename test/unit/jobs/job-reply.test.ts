import { describe, expect, it } from '@jest/globals';
import type { Work } from '../../../src/jobs/job.js';
import { endOf, type JobReply, type RunOutcome } from '../../../src/jobs/run/job-reply.js';

const work: Work = { total: 9, resumes: true, run: () => Promise.reject(new Error('Nothing is run here.')) };
const jobId = 'job';

describe('the end of a run, for who watches', () => {
  it.each<[JobReply, RunOutcome]>([
    [{ jobId, outcome: 'running', retryAfterMs: 1 }, 'taken_over'],
    [{ jobId, outcome: 'must wait', retryAfterMs: 1 }, 'gave_way'],
    [{ jobId, outcome: 'stopped' }, 'stopped'],
    [{ jobId, outcome: 'conflict' }, 'failed'],
    [{ jobId, outcome: 'unknown key', retryAfterMs: 1 }, 'failed'],
  ])('of %j is %s, and nothing is said of items', (value, outcome) => {
    expect(endOf({ value }, work)).toStrictEqual({ outcome });
  });

  it('by an error is a failure, with the error', () => {
    const error = new Error('no room');
    expect(endOf({ error }, work)).toStrictEqual({ outcome: 'failed', error });
  });

  it.each([
    ['all done when none failed', [], undefined, { done: 9, failed: 0, cancelled: 0 }],
    ['failed where they failed', [1, 4], undefined, { done: 7, failed: 2, cancelled: 0 }],
    ['cancelled where they were not begun', [1, 4, 7, 8], 2, { done: 5, failed: 2, cancelled: 2 }],
  ])('at its own end counts its items: %s', (_what, failedItems, cancelledItems, items) => {
    const result = { status: 200, body: '{}', failedItems };
    const value: JobReply = {
      jobId,
      outcome: 'handled',
      replayed: false,
      result,
      ...(cancelledItems !== undefined && { cancelledItems }),
    };
    expect(endOf({ value }, work)).toStrictEqual({ outcome: 'finished', items });
  });

  it('whose failures were not kept has none', () => {
    const value: JobReply = { jobId, outcome: 'handled', replayed: true, result: { status: 200, body: '{}' } };
    expect(endOf({ value }, work)).toMatchObject({ items: { done: 9, failed: 0 } });
  });
});

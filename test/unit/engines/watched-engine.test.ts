import { describe, expect, it } from '@jest/globals';
import type { JobSubmission } from '../../../src/jobs/record/job-queue.js';
import type { JobStore } from '../../../src/jobs/record/job-store.js';
import { jobMessage } from '../../support/stored-jobs.js';
import { watchedJobEngine } from '../../../src/jobs/engines/job-engine.js';
import { observerOf } from '../../../src/programs/telemetry/observers.js';

const WRITES = ['claim', 'renew', 'checkpoint', 'finish', 'release', 'fail', 'cancel'] as const;
const OPERATIONS = ['read', 'readItems', ...WRITES] as const;
/** Asked for all the time. */
const UNREPORTED = ['ping', 'isCancelled'] as const;

/** Answers every operation with its name and what it was called with, or fails. */
function answering(fails: boolean): JobStore {
  const answer = (name: string, args: unknown[]): Promise<unknown> =>
    fails ? Promise.reject(new Error(`${name} failed`)) : Promise.resolve([name, ...args]);
  const methods = [...OPERATIONS, ...UNREPORTED].map((name) => [name, (...args: unknown[]) => answer(name, args)]);
  return Object.fromEntries(methods) as Record<keyof JobStore, never>; // each method is there, and passes on what it was given
}

const SUBMISSION: JobSubmission = {
  submit: ({ jobId }) => Promise.reject(new Error(`${jobId} is submitted`)),
  submitAgain: () => Promise.resolve(),
};

/** Watches a store, and notes the ends of its operations. */
function watched(jobStore: JobStore, notes: string[]) {
  const observer = observerOf({
    jobStore: (operation) => ({ within: (work) => work(), finish: (end) => void notes.push(`${operation} ${end}`) }),
  });
  return watchedJobEngine({ jobStore, submission: SUBMISSION }, observer);
}

const call = (store: JobStore, name: keyof JobStore): Promise<unknown> =>
  (store[name] as (...args: unknown[]) => Promise<unknown>)(1, 2, 3);

describe('a store that is watched', () => {
  it.each([...OPERATIONS, ...UNREPORTED])(
    'passes %s on, and reports how it ended unless it comes all the time',
    async (name) => {
      const notes: string[] = [];
      expect(await call(watched(answering(false), notes).jobStore, name)).toEqual([name, 1, 2, 3]);
      await expect(call(watched(answering(true), notes).jobStore, name)).rejects.toThrow(`${name} failed`);
      const isReported = !UNREPORTED.some((unreported) => unreported === name);
      expect(notes).toEqual(isReported ? [`${name} ok`, `${name} failed`] : []);
    },
  );

  it('has an entrance that is watched as well', async () => {
    const notes: string[] = [];
    const { submission } = watched(answering(false), notes);
    const message = jobMessage('1');
    await expect(submission.submit(message)).rejects.toThrow('1 is submitted');
    await submission.submitAgain(message);
    expect(notes).toEqual(['submit failed', 'submit ok']);
  });
});

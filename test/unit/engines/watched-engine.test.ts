import { describe, expect, it } from '@jest/globals';
import type { JobSubmission } from '../../../src/job-record/job-queue.js';
import type { JobStore } from '../../../src/job-record/job-store.js';
import { jobMessage } from '../../support/stored-jobs.js';
import { watchedJobEngine } from '../../../src/engines/job-engine.js';
import { observerOf } from '../../../src/telemetry/observers.js';

const OPERATIONS = [
  'read',
  'readItems',
  'claim',
  'renew',
  'checkpoint',
  'finish',
  'release',
  'fail',
  'cancel',
] as const;

/** Answers every operation with its name and what it was called with, or fails. */
function answering(fails: boolean): JobStore {
  const answer = (name: string, args: unknown[]): Promise<unknown> =>
    fails ? Promise.reject(new Error(`${name} failed`)) : Promise.resolve([name, ...args]);
  const methods = [...OPERATIONS, 'ping', 'isCancelled'].map((name) => [
    name,
    (...args: unknown[]) => answer(name, args),
  ]);
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

/** Calls a method whatever its parameters are. */
const call = (store: JobStore, name: keyof JobStore): Promise<unknown> =>
  (store[name] as (...args: unknown[]) => Promise<unknown>)(1, 2, 3);

describe('a store that is watched', () => {
  it.each(OPERATIONS)('passes %s on, and reports how it ended', async (name) => {
    const notes: string[] = [];
    expect(await call(watched(answering(false), notes).jobStore, name)).toEqual([name, 1, 2, 3]);
    await expect(call(watched(answering(true), notes).jobStore, name)).rejects.toThrow(`${name} failed`);
    expect(notes).toEqual([`${name} ok`, `${name} failed`]);
  });

  it.each(['ping', 'isCancelled'] as const)('passes %s on without a report to the observer', async (name) => {
    const notes: string[] = [];
    expect(await call(watched(answering(false), notes).jobStore, name)).toEqual(
      [name, 1, 2, 3].slice(0, name === 'ping' ? 1 : 4),
    );
    await expect(call(watched(answering(true), notes).jobStore, name)).rejects.toThrow(`${name} failed`);
    expect(notes).toEqual([]);
  });

  it('has an entrance that is watched as well', async () => {
    const notes: string[] = [];
    const { submission } = watched(answering(false), notes);
    const message = jobMessage('1');
    await expect(submission.submit(message)).rejects.toThrow('1 is submitted');
    await submission.submitAgain(message);
    expect(notes).toEqual(['submit failed', 'submit ok']);
  });
});

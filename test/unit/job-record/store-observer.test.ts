import { describe, expect, it } from '@jest/globals';
import type { JobStore } from '../../../src/job-record/job-store.js';
import { watchedJobStore, watchedSubmission, type StoreObserver } from '../../../src/job-record/store-observer.js';

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
  return Object.fromEntries(methods) as Record<keyof JobStore, never>; // each method is there, and hands on what it was given
}

function noting(notes: string[]): StoreObserver {
  return {
    started: (operation) => ({ within: (work) => work(), finish: (end) => void notes.push(`${operation} ${end}`) }),
  };
}

/** Calls a method whatever its parameters are. */
const call = (store: JobStore, name: keyof JobStore): Promise<unknown> =>
  (store[name] as (...args: unknown[]) => Promise<unknown>)(1, 2, 3);

describe('a store that is watched', () => {
  it.each(OPERATIONS)('hands %s on, and tells how it ended', async (name) => {
    const notes: string[] = [];
    const observer = noting(notes);
    expect(await call(watchedJobStore(answering(false), observer), name)).toEqual([name, 1, 2, 3]);
    await expect(call(watchedJobStore(answering(true), observer), name)).rejects.toThrow(`${name} failed`);
    expect(notes).toEqual([`${name} ok`, `${name} failed`]);
  });

  it.each(['ping', 'isCancelled'] as const)('hands %s on, and tells nobody', async (name) => {
    const notes: string[] = [];
    expect(await call(watchedJobStore(answering(false), noting(notes)), name)).toEqual(
      [name, 1, 2, 3].slice(0, name === 'ping' ? 1 : 4),
    );
    await expect(call(watchedJobStore(answering(true), noting(notes)), name)).rejects.toThrow(`${name} failed`);
    expect(notes).toEqual([]);
  });

  it('has an entrance that is watched as well', async () => {
    const notes: string[] = [];
    const submit = watchedSubmission({ submit: () => Promise.resolve(7) }, noting(notes));
    const message = { kind: 'mobiles', org: undefined, jobId: '1', payload: '' } as const;
    expect(await submit.submit({ ...message, described: { total: 1, fingerprint: '', retentionMs: 1 } })).toBe(7);
    expect(notes).toEqual(['submit ok']);
  });
});

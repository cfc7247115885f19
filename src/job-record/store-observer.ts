import { observed, type Observer } from '../observation.js';
import type { JobSubmission } from './job-queue.js';
import type { JobStore } from './job-store.js';

/** What the job store, or the queue beside it, is asked for. */
export type StoreOperation = Exclude<keyof JobStore, 'ping' | 'isCancelled' | 'leaseLeftMs'> | 'submit';

/** Watches what they are asked for. */
export type StoreObserver = Observer<StoreOperation, 'ok' | 'failed'>;

/**
 * The same store, watched; but whether it is there is asked by nobody who is watched, and whether a job was cancelled
 * so often that it would drown everything else.
 */
export function watchedJobStore(store: JobStore, observer: StoreObserver): JobStore {
  const watched = watch(observer);
  return {
    read: (...args) => watched('read', () => store.read(...args)),
    leaseLeftMs: (...args) => watched('read', () => store.leaseLeftMs(...args)),
    readItems: (...args) => watched('readItems', () => store.readItems(...args)),
    claim: (...args) => watched('claim', () => store.claim(...args)),
    renew: (...args) => watched('renew', () => store.renew(...args)),
    checkpoint: (...args) => watched('checkpoint', () => store.checkpoint(...args)),
    finish: (...args) => watched('finish', () => store.finish(...args)),
    release: (...args) => watched('release', () => store.release(...args)),
    fail: (...args) => watched('fail', () => store.fail(...args)),
    cancel: (...args) => watched('cancel', () => store.cancel(...args)),
    wait: (...args) => watched('wait', () => store.wait(...args)),
    isCancelled: (...args) => store.isCancelled(...args),
    ping: () => store.ping(),
  };
}

/** The same entrance of the queue, watched. */
export function watchedSubmission(submission: JobSubmission, observer: StoreObserver): JobSubmission {
  const watched = watch(observer);
  return { submit: (message) => watched('submit', () => submission.submit(message)) };
}

function watch(observer: StoreObserver): <T>(operation: StoreOperation, work: () => Promise<T>) => Promise<T> {
  return (operation, work) =>
    observed(observer.started(operation), work, (settled) => ('error' in settled ? 'failed' : 'ok'));
}

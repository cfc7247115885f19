import { observed, type Observer } from '../observation.js';
import type { JobSubmission } from './job-queue.js';
import type { JobStore } from './job-store.js';

/** Operations of the job store, and of the queue beside it. */
export type StoreOperation = Exclude<keyof JobStore, 'ping' | 'isCancelled' | 'leaseLeftMs'> | 'submit';

/** Observer of these operations. */
export type StoreObserver = Observer<StoreOperation, 'ok' | 'failed'>;

/**
 * Wraps a store with an observer. `ping` is not observed, because no observed caller uses it, and `isCancelled` is not,
 * because it is called so often that it would drown the others.
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

/** Wraps the submission of jobs with an observer. */
export function watchedSubmission(submission: JobSubmission, observer: StoreObserver): JobSubmission {
  const watched = watch(observer);
  return { submit: (message) => watched('submit', () => submission.submit(message)) };
}

function watch(observer: StoreObserver): <T>(operation: StoreOperation, work: () => Promise<T>) => Promise<T> {
  return (operation, work) =>
    observed(observer.started(operation), work, (settled) => ('error' in settled ? 'failed' : 'ok'));
}

import { watchedJobStore, watchedSubmission, type StoreObserver } from '../job-record/store-observer.js';
import type { JobEngine } from './job-engine.js';

/** The same engine; whoever watches is told what its store and its queue are asked for. */
export function watchedJobEngine(engine: JobEngine, observer: StoreObserver | undefined): JobEngine {
  if (observer === undefined) return engine;
  return {
    ...engine,
    jobStore: watchedJobStore(engine.jobStore, observer),
    submission: watchedSubmission(engine.submission, observer),
  };
}

import type { CounterFactory } from '../auth/attempt-counter.js';
import type { JobInspection } from '../job-record/job-inspection.js';
import type { JobQueue, JobSubmission } from '../job-record/job-queue.js';
import type { JobStore } from '../job-record/job-store.js';
import { watchedJobStore, watchedSubmission, type StoreObserver } from '../job-record/store-observer.js';
import type { StoreProbe } from '../objects/store-probe.js';
import type { ReplayMemory } from '../job-record/callback-signature.js';
import type { OrganisationJobs } from '../job-record/organisation-jobs.js';

/** Where jobs, their queue, the counters of attempts and the ids of signed callbacks are kept. */
export interface JobEngine {
  readonly jobStore: JobStore;
  readonly queue: JobQueue;
  readonly submission: JobSubmission;
  readonly organisations: OrganisationJobs;
  readonly inspection: JobInspection;
  /** Shared by all processes on the same engine where it can. */
  readonly counters: CounterFactory;
  readonly replayMemory: ReplayMemory;
  /** Whether every process on this engine consumes its queue itself. */
  readonly embedded: boolean;
  /** Whether what is kept here can be used. */
  readonly probes: { readonly jobStore: StoreProbe; readonly queue: StoreProbe };
  /**
   * Resolves when the engine answers, or after a few seconds: one that is down is no reason not to start.
   *
   * @throws {ConfigError} when it answers that there is not what the configuration asks for
   */
  ready(): Promise<void>;
  /** What is wrong with the engine, one line per fault, with what to change. */
  check(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The same engine; whoever watches is told what its store and its queue are asked for. */
export function watchedJobEngine(engine: JobEngine, observer: StoreObserver | undefined): JobEngine {
  if (observer === undefined) return engine;
  return {
    ...engine,
    jobStore: watchedJobStore(engine.jobStore, observer),
    submission: watchedSubmission(engine.submission, observer),
  };
}

import type { CounterFactory } from '../auth/attempt-counter.js';
import { ConfigError } from '../config/config.js';
import { ServiceUnavailableError } from '../errors.js';
import type { JobInspection } from '../job-record/job-inspection.js';
import type { JobQueue, JobSubmission } from '../job-record/job-queue.js';
import type { JobStore } from '../job-record/job-store.js';
import { watchedJobStore, watchedSubmission, type StoreObserver } from '../job-record/store-observer.js';
import type { StoreProbe } from '../objects/store-probe.js';
import type { ReplayMemory } from '../job-record/callback-signature.js';
import type { OrganisationJobs } from '../job-record/organisation-jobs.js';

/** Use of a memory or disk, in bytes. */
export interface StorageUse {
  readonly used: number;
  readonly limit: number;
}

/** Faults, which have to be removed, and doubts, which are probably not meant; one line each, with the remedy. */
export interface Findings {
  readonly faults: readonly string[];
  readonly doubts: readonly string[];
}

/** Storage of jobs, their queue, the counters of attempts and the ids of signed callbacks. */
export interface JobEngine {
  readonly jobStore: JobStore;
  readonly queue: JobQueue;
  readonly submission: JobSubmission;
  readonly organisations: OrganisationJobs;
  readonly inspection: JobInspection;
  /** Shared by all processes on the same engine if supported. */
  readonly counters: CounterFactory;
  readonly replayMemory: ReplayMemory;
  /** True if every process on this engine consumes its queue itself. */
  readonly embedded: boolean;
  readonly probes: { readonly jobStore: StoreProbe; readonly queue: StoreProbe };
  /**
   * Resolves when the engine answers, or after a few seconds: the gateway also starts without it.
   *
   * @throws {ConfigError} when its answer contradicts the configuration
   */
  ready(): Promise<void>;
  /** Reads the memory of the fullest server; undefined if unknown. Absent for embedded jobs, which are on the disk. */
  readonly memory?: () => Promise<StorageUse | undefined>;
  /** Returns the engine's faults, one line each, with the remedy. */
  check(): Promise<readonly string[]>;
  /** Finds settings of its servers that can lose acknowledged jobs. Absent for embedded jobs. */
  readonly losses?: () => Promise<Findings>;
  close(): Promise<void>;
}

/**
 * Returns the faults of a store that refuses to serve, one line each, with the remedy.
 *
 * @throws any other error
 */
export function faultsOf(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.faults;
  const cause = error instanceof ServiceUnavailableError ? error.cause : undefined;
  if (cause instanceof Error) return [cause.message];
  throw error;
}

/** Wraps an engine with an observer of its store and its queue. */
export function watchedJobEngine(engine: JobEngine, observer: StoreObserver | undefined): JobEngine {
  if (observer === undefined) return engine;
  return {
    ...engine,
    jobStore: watchedJobStore(engine.jobStore, observer),
    submission: watchedSubmission(engine.submission, observer),
  };
}

import type { CounterFactory, ShortLivedTexts } from '../record/attempt-counter.js';
import { ConfigError } from '../../base/config/config.js';
import { ServiceUnavailableError } from '../../base/errors.js';
import type { JobInspection, JobQueue, JobSubmission } from '../record/job-queue.js';
import type { JobStore } from '../record/job-store.js';
import { observed, successOf, watchedPort, type Observer } from '../../base/observation.js';
import type { StoreProbe } from '../../objects/store-probe.js';
import type { ReplayMemory } from '../record/callback-signature.js';
import type { OrganisationJobs } from '../record/organisation-jobs.js';

/** Use of a memory or disk, in bytes. */
export interface StorageUse {
  readonly used: number;
  readonly limit: number;
}

/** Faults, which must be removed, and doubts about probable mistakes in settings; each is a line with the remedy. */
export interface Findings {
  readonly faults: readonly string[];
  readonly doubts: readonly string[];
}

/** Storage of jobs, their queue, the counters and texts of attempts, and the ids of signed callbacks. */
export interface JobEngine {
  readonly jobStore: JobStore;
  readonly queue: JobQueue;
  readonly submission: JobSubmission;
  readonly organisations: OrganisationJobs;
  readonly inspection: JobInspection;
  /** Shared by all processes on the same engine if it supports that. */
  readonly counters: CounterFactory;
  readonly texts: ShortLivedTexts;
  readonly replayMemory: ReplayMemory;
  /** True if every process on this engine consumes its queue itself. */
  readonly embedded: boolean;
  readonly probes: { readonly jobStore: StoreProbe; readonly queue: StoreProbe };
  /**
   * Resolves when the engine answers, or after a few seconds: the gateway also starts without it.
   *
   * @param isExpected whether another store shows that there were jobs before; an empty engine then tells a loss
   * @throws {ConfigError} when the answer contradicts the configuration
   */
  ready(isExpected?: Promise<boolean>): Promise<void>;
  /** Reads the memory of the fullest server; undefined if unknown. Absent for embedded jobs, which are on the disk. */
  readonly memory?: () => Promise<StorageUse | undefined>;
  /** Returns the id of the mark that this program saw last; undefined if none, as for embedded jobs. */
  mark(): string | undefined;
  /** Returns the engine's faults, one line each, with the remedy. */
  check(): Promise<readonly string[]>;
  /** Finds settings of its servers that can lose acknowledged jobs. Absent for embedded jobs. */
  readonly losses?: () => Promise<Findings>;
  close(): Promise<void>;
}

/** Returns the faults of a store that refuses to serve, one line each, with the remedy. @throws any other error */
export function faultsOf(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.faults;
  const cause = error instanceof ServiceUnavailableError ? error.cause : undefined;
  if (cause instanceof Error) return [cause.message];
  throw error;
}

type StoreOperation = Exclude<keyof JobStore, 'ping' | 'isCancelled' | 'look'> | 'submit';

declare module '../../base/observation.js' {
  interface ObservedWork {
    jobStore: Observed<StoreOperation, Success>;
  }
}

/**
 * Wraps the store and the queue of an engine with an observer. Two methods are not observed: `ping`, which no observed
 * caller uses, and `isCancelled`, which is called so often that its values would hide the others.
 */
export function watchedJobEngine<Engine extends Pick<JobEngine, 'jobStore' | 'submission'>>(
  engine: Engine,
  observer: Observer | undefined,
): Engine {
  const watched = <T>(operation: StoreOperation, work: () => Promise<T>): Promise<T> =>
    observed(observer, 'jobStore', operation, work, successOf);
  return {
    ...engine,
    jobStore: watchedPort(engine.jobStore, (name, work) => {
      if (name === 'ping' || name === 'isCancelled') return work();
      return watched(name === 'look' ? 'read' : name, work);
    }),
    submission: watchedPort(engine.submission, (_, work) => watched('submit', work)),
  };
}

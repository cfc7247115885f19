import type { ValuesOf } from '../base/error-table.js';
import type { JobKind } from './record/job-kinds.js';
import type { JobEnd } from './record/job-ends.js';
import type { ItemOutcome, JobIdentity, JobRecord } from './record/job-record.js';
import type { Progress } from './record/job-store.js';
import type { Logger } from '../base/logging/logger.js';
import { observed, type Observer } from '../base/observation.js';
import type { Patience } from './run/patience.js';
import type { BodyFault } from './body-faults.js';
import { onAbort } from '../base/waits.js';

/** Context of a running job. Items that an earlier attempt began, without a note of their end, are in doubt. */
export interface JobExecution extends Pick<JobRecord, 'attempt' | 'orderedBy'> {
  readonly job: JobIdentity;
  /** Checkpoint of an attempt that did not end; undefined without one. */
  readonly checkpoint: string | undefined;
  /** Outcomes of the items that earlier attempts have done, in order. */
  readonly items: readonly ItemOutcome[];
  /** Prefix of the `Idempotency-Key`s of the items; the same for every attempt. */
  readonly keyPrefix: string;
  /** Time when the job was accepted, milliseconds since 1970; the same for every attempt. */
  readonly createdAt: number;
  /** Time when the first attempt began, milliseconds since 1970. No call was made before. */
  readonly startedAt: number;
  /** Time from which the data of a job is that only fetches: a takeover keeps it, and a replay sets it anew. */
  readonly fetchedAt: number;
  /** Number of items handled by earlier attempts. Pollers have seen it, and progress must never go back. */
  readonly doneBefore: number;
  /**
   * Aborted when the job has to end its work at once: the lease is lost, the shutdown time is over, or it gives way
   * without a checkpoint. The reason is a {@link LeaseLostError} or {@link JobStoppedError}, which has to be thrown.
   */
  readonly signal: AbortSignal;
  /** Aborted when the job should stop at the next item and throw {@link JobStoppedError}. */
  readonly stopping: AbortSignal;
  /** Aborted when the time of the job is over. Unfinished items are then reported as failed. */
  readonly deadline: AbortSignal;
  /** Aborted when the job is cancelled. Items that have not begun are then reported as failed. */
  readonly cancelled: AbortSignal;
  readonly log: Logger;
  readonly observer?: Observer | undefined;
  readonly patience: Patience;
  /** Saves progress. @throws {LeaseLostError} when another process has taken the job over */
  saveProgress(progress: Progress): Promise<void>;
}

/** Outcome of an item. `failed`: it is among the errors of the job; `interrupted`: it is done later. */
export type ItemEnd = 'done' | 'failed' | 'interrupted';

declare module '../base/observation.js' {
  interface ObservedWork {
    /** An item with its repetitions, by its place in the body, from 0. */
    item: Observed<number, ItemEnd>;
  }
}

/** Processes an item under observation, which an error of `work` interrupts. @param hasFailed judges its result */
export function observedItem<T>(
  { observer }: Pick<JobExecution, 'observer'>,
  index: number,
  work: () => Promise<T>,
  hasFailed: (outcome: T) => boolean,
): Promise<T> {
  return observed(observer, 'item', index, work, (settled) =>
    'error' in settled ? 'interrupted' : hasFailed(settled.value) ? 'failed' : 'done',
  );
}

/** Returns the properties of a job's calls to backend-api. Without patience they ignore open circuits. */
export function serviceOf({ job, signal, patience, log }: Pick<JobExecution, 'job' | 'signal' | 'patience' | 'log'>) {
  return { log, org: job.org, signal, bypassesCircuit: () => patience.isExhausted };
}

/** The job stopped at an item boundary because the process is shutting down; it continues elsewhere. */
export class JobStoppedError extends Error {
  override readonly name: string = 'JobStoppedError';
}

/** The job stopped because another organisation's job waits; it continues later. */
export class JobGaveWayError extends JobStoppedError {
  override readonly name = 'JobGaveWayError';
}

/** The job was cancelled before the item was begun. */
export class JobCancelledError extends Error {
  override readonly name = 'JobCancelledError';
}

/** Another process has taken the job over; the work of this one no longer counts. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

export interface Work {
  readonly total: number;
  /** True if a further attempt continues at the checkpoint. Otherwise a stop between two items gains nothing. */
  readonly resumes: boolean;
  run(execution: JobExecution): Promise<JobEnd>;
}

export type Acceptance =
  | { readonly kind: 'work'; readonly work: Work }
  /** The body does not match the specification; ten faults at most. */
  | { readonly kind: 'faults'; readonly faults: readonly BodyFault[] }
  | { readonly kind: 'too many'; readonly values: ValuesOf<'TooManyItems'> };

/** Kind of job, independent of its body type. */
export interface Job {
  readonly kind: JobKind;
  /** Fields that lead from a body to its list of items. */
  readonly itemsAt: readonly string[];
  /** Checks whether a body may be ordered now, besides being accepted. @throws {GatewayError} `BadInput` */
  requireOrderable?(body: unknown, org: string): void;
  /**
   * Checks a body against the limit and the specification, without changing it.
   *
   * @param isAdmitted true for the body of an order, whose number of items was judged at its start
   */
  accept(body: unknown, isAdmitted?: boolean): Acceptance;
}

/** Largest body of an order, in bytes. Every gateway runs what was ordered, whatever its own limits are. */
export const MAX_ORDER_BYTES = 16 * 1024 * 1024;

/** Time for which a change or an upload may continue after the job's deadline, in milliseconds. */
export const CLOSING_MS = 10_000;

/** Runs work that must not outlast its job: its signal aborts with that of the job, or `graceMs` after the deadline. */
export async function beforeClosing<T>(
  { signal, deadline }: Pick<JobExecution, 'signal' | 'deadline'>,
  graceMs: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const abort = (): void => own.abort(signal.reason);
  const close = (): void => own.abort(new Error('The job was not done within JOB_DEADLINE_SECONDS.'));
  const startGrace = (): void => {
    if (graceMs === 0) close();
    else timer = setTimeout(close, graceMs);
  };
  const unfollow = [onAbort(signal, abort), onAbort(deadline, startGrace)];
  try {
    return await run(own.signal);
  } finally {
    clearTimeout(timer);
    for (const stop of unfollow) stop();
  }
}

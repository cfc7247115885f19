import type { ValidateFunction } from 'ajv';
import type { JobKind } from '../job-record/job-kinds.js';
import type { JobIdentity, JobWarning } from '../job-record/job-record.js';
import type { ItemOutcome } from '../job-record/item-outcome.js';
import type { Progress } from '../job-record/job-store.js';
import type { Logger } from '../logging/logger.js';
import type { ItemObserver } from './item-observer.js';
import type { Patience } from './run/patience.js';
import { findJsonFault, validationFaults, type BodyFault } from './body-faults.js';

/** What a job may use while it runs. */
export interface JobExecution {
  readonly job: JobIdentity;
  /**
   * What idempotency keys begin with, where it is not the job's id: an id made of the content comes back with
   * the same content later, and must not get the answers of the first time.
   */
  readonly effectId?: string;
  /** When the job was accepted, milliseconds since 1970; the same for every attempt. */
  readonly createdAt: number;
  /** When its first attempt began, milliseconds since 1970: nothing was asked for it before. */
  readonly startedAt: number;
  /** Which attempt this is, from 1. What an earlier one had begun and not noted as done is in doubt. */
  readonly attempt: number;
  /** Checkpoint of an earlier attempt that did not end; absent when none got as far. */
  readonly checkpoint: string | undefined;
  /** Items that an earlier attempt had handled, as pollers have seen it: progress never goes back. */
  readonly doneBefore: number;
  /** What became of the items that earlier attempts have done, in their order. */
  readonly items: readonly ItemOutcome[];
  /**
   * Aborted when the job has to let go at once: the lease is lost, the time to shut down is over, or it gives way and
   * has nothing to go on from. The reason is a {@link LeaseLostError} or {@link JobStoppedError}, to be thrown on.
   */
  readonly signal: AbortSignal;
  /** Aborted when the job should stop at the next item and throw {@link JobStoppedError}. */
  readonly stopping: AbortSignal;
  /** Aborted at the job's deadline: what is not done by then is reported as failed. */
  readonly deadline: AbortSignal;
  /** Aborted when the job was cancelled: what is not begun by then is reported as failed. */
  readonly cancelled: AbortSignal;
  /** Logger that carries what identifies the job, this attempt and its request. */
  readonly log: Logger;
  /** Absent: nobody watches items. */
  readonly itemObserver?: ItemObserver | undefined;
  /** Waits out outages of backends. */
  readonly patience: Patience;
  /** Notes progress. Throws {@link LeaseLostError} when somebody else has taken the job over. */
  saveProgress(progress: Progress): Promise<void>;
}

/** For whom a job calls backend-api: once its patience is spent, what it asks is sent whatever a circuit says. */
export function serviceOf({ job, signal, patience }: Pick<JobExecution, 'job' | 'signal' | 'patience'>): {
  readonly org: string | undefined;
  readonly signal: AbortSignal;
  readonly insists: () => boolean;
} {
  return { org: job.org, signal, insists: () => patience.isSpent };
}

/** The job stopped at an item boundary because the process is shutting down; it goes on elsewhere. */
export class JobStoppedError extends Error {
  override readonly name: string = 'JobStoppedError';
}

/** The job stopped because another organisation's job waits; it goes on later. */
export class JobGaveWayError extends JobStoppedError {
  override readonly name = 'JobGaveWayError';
}

/** The job was cancelled before the item was begun. */
export class JobCancelledError extends Error {
  override readonly name = 'JobCancelledError';
}

/** Why an item, or a driver, of a job that was cancelled is not done. */
export const NOT_DONE = 'not done, the job was cancelled';

/** Somebody else has taken the job over; nothing this owner does counts any more. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/** What a job that ran to its end leaves behind. */
export interface JobEnd {
  /** The callback's reply. */
  readonly reply: object;
  /** Indexes, from 0, of the items that failed. */
  readonly failedItems: readonly number[];
  /** How many of them were not begun because the job was cancelled; none when absent. */
  readonly cancelledItems?: number;
  /** What its users should know besides; none when absent. */
  readonly warnings?: readonly JobWarning[];
}

/** What is known of a job without its body. */
export interface NotedJob {
  /** Number of items. */
  readonly total: number;
  /** How many times it was claimed. */
  readonly attempt: number;
  readonly checkpoint: string | undefined;
  /** What became of items so far, in their order. */
  readonly items: readonly ItemOutcome[];
}

/** A body that was checked and can be run. */
export interface Work {
  /** Number of items. */
  readonly total: number;
  /** Whether a further attempt goes on at the checkpoint. If it begins anew, stopping at an item saves nothing. */
  readonly resumes: boolean;
  run(execution: JobExecution): Promise<JobEnd>;
}

/** What a body led to: work, or why it is none. */
export type Acceptance =
  | { readonly kind: 'work'; readonly work: Work }
  /** It does not match the specification. */
  | { readonly kind: 'faults'; readonly faults: readonly BodyFault[] }
  /** The message names the limit and the variable that sets it. */
  | { readonly kind: 'too many'; readonly message: string };

/** A kind of job, whatever its body looks like. */
export interface Job {
  readonly kind: JobKind;
  /** Checks a body against the limit and the specification, without changing it. */
  accept(body: unknown): Acceptance;
}

/** What makes a job; see {@link Job}. */
export interface JobDefinition<Request> {
  readonly kind: JobKind;
  /** The limit on the number of items, and the variable that sets it. */
  readonly limit: { readonly variable: string; readonly max: number };
  /** Generated from `openapi/gateway.yaml`. */
  readonly validate: ValidateFunction<Request>;
  /** The items of a body that nobody has checked yet; undefined when it has none. */
  itemsOf(body: unknown): unknown;
  /** See {@link Work}. */
  readonly resumes: boolean;
  run(request: Request, execution: JobExecution): Promise<JobEnd>;
}

/** Makes a job of its definition, so that the type of the body is known in one place only. */
export function defineJob<Request>(definition: JobDefinition<Request>): Job {
  const { kind, limit, validate, resumes } = definition;
  return {
    kind,
    accept(body) {
      // Counted before anything walks the body.
      const items = definition.itemsOf(body);
      const total = Array.isArray(items) ? items.length : 0;
      if (total > limit.max) {
        const message = `Too many items: ${total}. The limit is ${limit.max} (${limit.variable}).`;
        return { kind: 'too many', message };
      }
      const jsonFault = findJsonFault(body);
      if (jsonFault !== undefined) return { kind: 'faults', faults: [jsonFault] };
      if (!validate(body)) return { kind: 'faults', faults: validationFaults(validate) };
      return { kind: 'work', work: { total, resumes, run: (execution) => definition.run(body, execution) } };
    },
  };
}

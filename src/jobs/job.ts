import type { ValidateFunction } from 'ajv';
import type { JobIdentity, JobKind } from '../job-record/job-record.js';
import type { Progress } from '../job-record/transitions.js';
import type { BodyFault } from './body-fault.js';
import { findJsonFault } from './json-limits.js';

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
  /** Which attempt this is, from 1. What an earlier one had begun and not noted as done is in doubt. */
  readonly attempt: number;
  /** Checkpoint of an earlier attempt that did not end; absent when none got as far. */
  readonly checkpoint: string | undefined;
  /**
   * Aborted when the job has to let go at once: the lease is lost, or the time to shut down is over. The
   * reason is a {@link LeaseLostError} or {@link JobStoppedError}, to be thrown on.
   */
  readonly signal: AbortSignal;
  /** Aborted when the job should stop at the next item and throw {@link JobStoppedError}. */
  readonly stopping: AbortSignal;
  /** Aborted at the job's deadline: what is not done by then is reported as failed. */
  readonly deadline: AbortSignal;
  /** Notes progress. Throws {@link LeaseLostError} when somebody else has taken the job over. */
  saveProgress(progress: Progress): Promise<void>;
}

/** The job stopped at an item boundary because the process is shutting down; it goes on elsewhere. */
export class JobStoppedError extends Error {
  override readonly name = 'JobStoppedError';
}

/** Somebody else has taken the job over; nothing this owner does counts any more. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/** A body that was checked and can be run. */
export interface Work {
  /** Number of items. */
  readonly total: number;
  /** Runs the job. @returns the callback's reply */
  run(execution: JobExecution): Promise<object>;
}

/** The limit on the number of items, and the variable that sets it. */
export interface ItemLimit {
  readonly variable: string;
  readonly most: number;
}

/** One of the three kinds of job, whatever its body looks like. */
export interface Job {
  readonly kind: JobKind;
  /** Path of the callback (specification, "Endpoints"). */
  readonly path: string;
  readonly limit: ItemLimit;
  /** Checks a body against the specification, without changing it. */
  parse(body: unknown): { readonly work: Work } | { readonly faults: readonly BodyFault[] };
}

/** What makes a job; see {@link Job}. */
export interface JobDefinition<Request> {
  readonly kind: JobKind;
  readonly path: string;
  readonly limit: ItemLimit;
  /** Generated from `openapi/gateway.yaml`. */
  readonly validate: ValidateFunction<Request>;
  count(request: Request): number;
  run(request: Request, execution: JobExecution): Promise<object>;
}

/** Makes a job of its definition, so that the type of the body is known in one place only. */
export function defineJob<Request>(definition: JobDefinition<Request>): Job {
  const { kind, path, limit, validate } = definition;
  return {
    kind,
    path,
    limit,
    parse(body) {
      const jsonFault = findJsonFault(body);
      if (jsonFault !== undefined) return { faults: [jsonFault] };
      if (!validate(body)) return { faults: faultsOf(validate) };
      return { work: { total: definition.count(body), run: (execution) => definition.run(body, execution) } };
    },
  };
}

function faultsOf(validate: ValidateFunction): readonly BodyFault[] {
  return (validate.errors ?? []).map(({ instancePath, keyword, params, parentSchema, message }) => {
    const missing: unknown = keyword === 'required' ? params['missingProperty'] : undefined;
    const own: unknown = parentSchema?.['x-message'];
    return {
      path: typeof missing === 'string' ? `${instancePath}/${missing}` : instancePath,
      message:
        typeof missing === 'string' ? 'is required' : typeof own === 'string' ? own : (message ?? 'is not valid'),
    };
  });
}

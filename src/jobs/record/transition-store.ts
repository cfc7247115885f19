import { ServiceUnavailableError } from '../../base/errors.js';
import { endWithoutRun } from './job-ends.js';
import { leaseLeftMs, type ItemOutcome, type JobIdentity, type JobRecord, type JobResult } from './job-record.js';
import type { Cancelled, Ending, LeaseState, JobStore, NewJob, OnJobChange } from './job-store.js';
import { DamagedError } from './stored-fields.js';
import * as transitions from './transitions.js';

/** Computes the next record from the live one; undefined for no change. */
export type Step = (record: JobRecord | undefined, now: number) => transitions.Transition;

export interface Transacted {
  readonly live: JobRecord | undefined;
  readonly next: transitions.Transition;
}

/** Number of tries of an end while its job gets further. */
const MAX_TRIES = 10;

const NEVER_BEGUN = { attempt: 0, done: 0, total: 0 };

type TransactOptions = { readonly damagedIsNone?: boolean };

/**
 * Store of job records, most of whose methods are one read, or one transition, of a record. An engine adds these
 * steps, each of which is atomic and takes the time from the clock of the store.
 */
export abstract class TransitionStore implements Omit<JobStore, 'claim' | 'checkpoint' | 'isCancelled' | 'ping'> {
  readonly #onChange: OnJobChange | undefined;

  constructor(onChange: OnJobChange | undefined) {
    this.#onChange = onChange;
  }

  async read(job: JobIdentity): Promise<JobRecord | undefined> {
    return (await this.look(job)).record;
  }

  async look(job: JobIdentity): ReturnType<JobStore['look']> {
    const { live, now } = await this.find(job);
    return { record: transitions.startedOf(live), leaseLeftMs: leaseLeftMs(live, now) };
  }

  async readItems(job: JobIdentity): Promise<readonly ItemOutcome[]> {
    return (await this.find(job)).live === undefined ? [] : this.items(job);
  }

  async renew(job: JobIdentity, token: string, leaseMs: number): Promise<LeaseState> {
    const { next } = await this.transact(job, (record, now) => transitions.renew(record, token, leaseMs, now));
    return transitions.leaseStateOf(next);
  }

  finish(job: JobIdentity, token: string, result: JobResult): Promise<boolean> {
    return this.#isWritten(job, (record, now) => transitions.finish(record, token, result, now));
  }

  release(job: JobIdentity, token: string): Promise<boolean> {
    return this.#isWritten(job, (record, now) => transitions.release(record, token, now));
  }

  /** Ends a damaged record as well, so that pollers get a failure. */
  fail(job: JobIdentity, described: NewJob, delivery: Pick<JobResult, 'status' | 'body'>): Promise<boolean> {
    return this.#end(job, described, delivery, () => true);
  }

  /** Ends the job of a lost message, unless it has changed since it was read or is being replayed. */
  failLost(
    job: JobIdentity,
    described: NewJob,
    delivery: Pick<JobResult, 'status' | 'body'>,
    seen: JobRecord | undefined,
  ): Promise<boolean> {
    return this.#end(job, described, delivery, (record, now) => mayBeSwept(record, seen, now));
  }

  async #end(
    job: JobIdentity,
    described: NewJob,
    delivery: Pick<JobResult, 'status' | 'body'>,
    mayEnd: (record: JobRecord | undefined, now: number) => boolean,
  ): Promise<boolean> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const ending = await this.#endingOf(job, delivery);
      const tried = { isOutdated: false };
      const step: Step = (record, now) => {
        const next = mayEnd(record, now) ? transitions.fail(record, described, ending.result, now) : undefined;
        tried.isOutdated = next !== undefined && transitions.isOutdated(ending, record ?? NEVER_BEGUN);
        return tried.isOutdated ? undefined : next;
      };
      const isWritten = await this.#isWritten(job, step, { damagedIsNone: true });
      if (!tried.isOutdated) return isWritten;
    }
    throw new ServiceUnavailableError('job store', `A job got further ${MAX_TRIES} times while it was ended.`);
  }

  /** Makes the end of a dead letter. Nothing is known of a record that cannot be read. */
  async #endingOf(job: JobIdentity, delivery: Pick<JobResult, 'status' | 'body'>): Promise<Ending> {
    const record = (await unlessDamaged(this.find(job)))?.live ?? NEVER_BEGUN;
    const items = record.attempt === 0 ? [] : await unlessDamaged(this.items(job));
    return endWithoutRun(job.kind, record, items, delivery);
  }

  async cancel(job: JobIdentity, ending?: Ending): Promise<Cancelled | undefined> {
    const { live, next } = await this.#make(job, (record, now) => transitions.cancel(record, ending, now));
    const started = transitions.startedOf(live);
    return started && transitions.cancelledOf(started, next);
  }

  drop(job: JobIdentity, reason: string): Promise<boolean> {
    return this.#isWritten(job, (record, now) => transitions.noteDrop(record, reason, now));
  }

  wait(job: JobIdentity, reason: string): Promise<boolean> {
    return this.#isWritten(job, (record, now) => transitions.wait(record, reason, now));
  }

  async #isWritten(...args: Parameters<TransitionStore['transact']>): Promise<boolean> {
    return (await this.#make(...args)).next !== undefined;
  }

  async #make(job: JobIdentity, ...args: [step: Step, options?: TransactOptions]): Promise<Transacted> {
    const made = await this.transact(job, ...args);
    this.changed(job, made);
    return made;
  }

  /** Reports a transition, once it is written. */
  protected changed(job: JobIdentity, { live, next }: Transacted): void {
    if (next !== undefined && next.state !== live?.state) this.#onChange?.(job, live, next);
  }

  /** Returns the record, undefined if absent or expired, and the time. */
  protected abstract find(job: JobIdentity): Promise<{ readonly live: JobRecord | undefined; readonly now: number }>;

  protected abstract transact(job: JobIdentity, step: Step, options?: TransactOptions): Promise<Transacted>;

  /** Returns the outcomes of a record's items, in order. */
  protected abstract items(job: JobIdentity): Promise<readonly ItemOutcome[]>;
}

/** Time that a replay has to put the message back after the record was made pending, in milliseconds. */
const REPLAY_MS = 120_000;

/** Returns true if a sweep may end a job: it has not changed since it was read, and no replay of it is under way. */
function mayBeSwept(record: JobRecord | undefined, seen: JobRecord | undefined, now: number): boolean {
  const isUnchanged = record?.attempt === seen?.attempt && record?.replayedAt === seen?.replayedAt;
  // A time that is far ahead was written by a wrong clock.
  return isUnchanged && Math.abs(now - (record?.replayedAt ?? -Infinity)) > REPLAY_MS;
}

/** @returns undefined for what is stored and cannot be read */
async function unlessDamaged<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof DamagedError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

import type { ItemOutcome, JobIdentity, JobRecord, JobResult } from './job-record.js';
import type { Cancelled, Ending, Hold, JobStore, NewJob } from './job-store.js';
import {
  cancel,
  cancelledOf,
  drop,
  fail,
  finish,
  holdOf,
  leaseLeftMs,
  release,
  renew,
  startedOf,
  wait,
  type Transition,
} from './transitions.js';

/** Computes the next record from the live one; undefined for no change. */
export type Step = (record: JobRecord | undefined, now: number) => Transition;

/**
 * Store of job records, most of whose methods are one read, or one transition, of a record. An engine adds these
 * steps, each of which is atomic and takes the time from the clock of the store.
 */
export abstract class RecordStore implements Omit<JobStore, 'claim' | 'checkpoint' | 'isCancelled' | 'ping'> {
  async read(job: JobIdentity): Promise<JobRecord | undefined> {
    return startedOf((await this.find(job)).live);
  }

  async leaseLeftMs(job: JobIdentity): Promise<number> {
    const { live, now } = await this.find(job);
    return leaseLeftMs(live, now);
  }

  async readItems(job: JobIdentity): Promise<readonly ItemOutcome[]> {
    return (await this.find(job)).live === undefined ? [] : this.items(job);
  }

  async renew(job: JobIdentity, token: string, leaseMs: number): Promise<Hold> {
    return holdOf((await this.transact(job, (record, now) => renew(record, token, leaseMs, now))).next);
  }

  finish(job: JobIdentity, token: string, result: JobResult): Promise<boolean> {
    return this.#isWritten(job, (record, now) => finish(record, token, result, now));
  }

  release(job: JobIdentity, token: string): Promise<boolean> {
    return this.#isWritten(job, (record, now) => release(record, token, now));
  }

  /** Ends a damaged record as well, so that pollers get a failure. */
  fail(job: JobIdentity, described: NewJob, result: JobResult): Promise<boolean> {
    return this.#isWritten(job, (record, now) => fail(record, described, result, now), { damagedIsNone: true });
  }

  async cancel(job: JobIdentity, ending?: Ending): Promise<Cancelled | undefined> {
    const { live, next } = await this.transact(job, (record, now) => cancel(record, ending, now));
    const started = startedOf(live);
    return started && cancelledOf(started, next);
  }

  drop(job: JobIdentity, reason: string): Promise<boolean> {
    return this.#isWritten(job, (record, now) => drop(record, reason, now));
  }

  wait(job: JobIdentity, reason: string): Promise<boolean> {
    return this.#isWritten(job, (record, now) => wait(record, reason, now));
  }

  async #isWritten(...args: Parameters<RecordStore['transact']>): Promise<boolean> {
    return (await this.transact(...args)).next !== undefined;
  }

  /** Returns the record, undefined if absent or expired, and the time. */
  protected abstract find(job: JobIdentity): Promise<{ readonly live: JobRecord | undefined; readonly now: number }>;

  /** Makes a transition. @param options.damagedIsNone true to treat an unreadable record as absent */
  protected abstract transact(
    job: JobIdentity,
    step: Step,
    options?: { readonly damagedIsNone?: boolean },
  ): Promise<{ readonly live: JobRecord | undefined; readonly next: Transition }>;

  /** Returns the outcomes of a record's items, in order. */
  protected abstract items(job: JobIdentity): Promise<readonly ItemOutcome[]>;
}

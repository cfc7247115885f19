import type { ItemOutcome, JobIdentity, JobRecord } from './job-record.js';
import type { JobStore } from './job-store.js';
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

/** Records of an engine. Each method is atomic, and takes the time from the clock of the store. */
export interface RecordStore {
  /** Returns the record, undefined if absent or expired, and the time. */
  find(job: JobIdentity): Promise<{ readonly live: JobRecord | undefined; readonly now: number }>;
  /** Makes a transition. @param options.damagedIsNone true to treat an unreadable record as absent */
  transact(
    job: JobIdentity,
    step: Step,
    options?: { readonly damagedIsNone?: boolean },
  ): Promise<{ readonly live: JobRecord | undefined; readonly next: Transition }>;
  /** Returns the outcomes of a record's items, in order. */
  items(job: JobIdentity): Promise<readonly ItemOutcome[]>;
}

/** Creates those methods of a job store that consist of one read, or one transition, of a record. */
export function recordMethods(records: RecordStore): Omit<JobStore, 'claim' | 'checkpoint' | 'isCancelled' | 'ping'> {
  const written = async (...args: Parameters<RecordStore['transact']>): Promise<boolean> =>
    (await records.transact(...args)).next !== undefined;
  return {
    read: async (job) => startedOf((await records.find(job)).live),
    async leaseLeftMs(job) {
      const { live, now } = await records.find(job);
      return leaseLeftMs(live, now);
    },
    readItems: async (job) => ((await records.find(job)).live === undefined ? [] : records.items(job)),
    renew: async (job, token, leaseMs) =>
      holdOf((await records.transact(job, (record, now) => renew(record, token, leaseMs, now))).next),
    finish: (job, token, result) => written(job, (record, now) => finish(record, token, result, now)),
    release: (job, token) => written(job, (record, now) => release(record, token, now)),
    // A damaged record ends as well, so that pollers get a failure.
    fail: (job, described, result) =>
      written(job, (record, now) => fail(record, described, result, now), { damagedIsNone: true }),
    async cancel(job, ending) {
      const { live, next } = await records.transact(job, (record, now) => cancel(record, ending, now));
      const started = startedOf(live);
      return started && cancelledOf(started, next);
    },
    drop: (job, reason) => written(job, (record, now) => drop(record, reason, now)),
    wait: (job, reason) => written(job, (record, now) => wait(record, reason, now)),
  };
}

import { ServiceUnavailableError } from '../../../src/errors.js';
import type { ItemOutcome } from '../../../src/job-record/item-outcome.js';
import { jobRecordKey, type JobRecord } from '../../../src/job-record/job-record.js';
import type { Hold, JobStore } from '../../../src/job-record/job-store.js';
import * as transitions from '../../../src/job-record/transitions.js';

/** A job store in memory whose clock and whose failures a test decides. */
export interface MemoryJobStore extends JobStore {
  /** Milliseconds that have passed by its clock, which stands still otherwise: no lease ends because a machine is busy. */
  ahead: number;
  /** Methods that cannot reach the store; a number is how many more calls fail. */
  readonly broken: Map<keyof JobStore, number>;
  /** The same, of calls that are carried out and whose answer is lost. */
  readonly unanswered: Map<keyof JobStore, number>;
  readonly records: ReadonlyMap<string, JobRecord>;
}

/** Makes one on the transitions that every store applies. */
export function createMemoryJobStore(): MemoryJobStore {
  const records = new Map<string, JobRecord>();
  const items = new Map<string, readonly ItemOutcome[]>();
  const broken = new Map<keyof JobStore, number>();
  const unanswered = new Map<keyof JobStore, number>();
  const createdAt = Date.now();
  const now = (): number => createdAt + store.ahead;

  async function reach<T>(method: keyof JobStore, action: () => T): Promise<T> {
    const lost = unanswered.get(method) ?? 0;
    const left = broken.get(method) ?? 0;
    await Promise.resolve();
    const reply = left === 0 ? action() : undefined;
    if (left > 0) broken.set(method, left - 1);
    else if (lost === 0)
      return reply as T; // it was carried out
    else unanswered.set(method, lost - 1);
    throw new ServiceUnavailableError('job store', { cause: new Error('unplugged') });
  }

  function keep(key: string, next: JobRecord | undefined): boolean {
    if (next !== undefined) records.set(key, next);
    return next !== undefined;
  }

  function hold(key: string, next: JobRecord | undefined): Hold {
    keep(key, next);
    return transitions.holdOf(next);
  }

  const store: MemoryJobStore = {
    ahead: 0,
    broken,
    unanswered,
    records,
    read: (job) => reach('read', () => records.get(jobRecordKey(job))),
    readItems: (job) => reach('readItems', () => items.get(jobRecordKey(job)) ?? []),
    claim: (job, request) =>
      reach('claim', () => {
        const key = jobRecordKey(job);
        const { outcome, next } = transitions.claim(records.get(key), request, now());
        keep(key, next);
        return outcome.outcome === 'claimed' ? { ...outcome, items: items.get(key) ?? [] } : outcome;
      }),
    renew: (job, token, leaseMs) =>
      reach('renew', () => {
        const key = jobRecordKey(job);
        return hold(key, transitions.renew(records.get(key), token, leaseMs, now()));
      }),
    checkpoint: (job, token, progress) =>
      reach('checkpoint', () => {
        const key = jobRecordKey(job);
        const noted = hold(key, transitions.checkpoint(records.get(key), token, progress));
        if (noted !== 'lost') items.set(key, [...(items.get(key) ?? []), ...(progress.items ?? [])]);
        return noted;
      }),
    finish: (job, token, result) =>
      reach('finish', () => {
        const key = jobRecordKey(job);
        return keep(key, transitions.finish(records.get(key), token, result, now()));
      }),
    release: (job, token) =>
      reach('release', () => {
        const key = jobRecordKey(job);
        return keep(key, transitions.release(records.get(key), token, now()));
      }),
    fail: (job, described, result) =>
      reach('fail', () => {
        const key = jobRecordKey(job);
        return keep(key, transitions.fail(records.get(key), described, result, now()));
      }),
    cancel: (job, ending) =>
      reach('cancel', () => {
        const key = jobRecordKey(job);
        const record = records.get(key);
        if (record === undefined) return undefined;
        const next = transitions.cancel(record, ending, now());
        keep(key, next);
        return transitions.cancelledOf(record, next);
      }),
    wait: (job, reason) =>
      reach('wait', () => {
        const key = jobRecordKey(job);
        return keep(key, transitions.wait(records.get(key), reason, now()));
      }),
    isCancelled: (job) => reach('isCancelled', () => records.get(jobRecordKey(job))?.cancelledAt !== undefined),
    leaseLeftMs: (job) => reach('leaseLeftMs', () => transitions.leaseLeftMs(records.get(jobRecordKey(job)), now())),
    ping: () => reach('ping', () => undefined),
  };
  return store;
}

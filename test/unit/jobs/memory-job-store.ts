import { ServiceUnavailableError } from '../../../src/base/errors.js';
import {
  type ItemOutcome,
  jobRecordKey,
  leaseLeftMs,
  type JobIdentity,
  type JobRecord,
} from '../../../src/jobs/record/job-record.js';
import { endWithoutRun } from '../../../src/jobs/record/job-ends.js';
import type { JobStore, NewJob } from '../../../src/jobs/record/job-store.js';
import * as transitions from '../../../src/jobs/record/transitions.js';

/** A job store that jobs can be put into. */
export interface EnqueuingStore extends JobStore {
  /** Writes the pending record, as a queue does it. */
  enqueue(job: JobIdentity, described: NewJob): Promise<boolean>;
}

/** A job store in memory whose clock and whose failures a test decides. */
export interface MemoryJobStore extends EnqueuingStore {
  /** Milliseconds that have passed by its clock, which stands still otherwise: no lease ends because a machine is busy. */
  ahead: number;
  /** Methods that cannot reach the store; a number is how many more calls fail. */
  readonly broken: Map<keyof JobStore, number>;
  /** The same, of calls that are carried out and whose answer is lost. */
  readonly unanswered: Map<keyof JobStore, number>;
  readonly records: Map<string, JobRecord>;
  /** The same store by another clock. */
  seenBy(clock: () => number): EnqueuingStore;
}

/** Writes the next record, if there is one, and outcomes of items beside it. @returns whether there was one */
type Write = (next: JobRecord | undefined, outcomes?: readonly ItemOutcome[]) => boolean;

/** Makes one on the transitions that every store applies. */
export function createMemoryJobStore(): MemoryJobStore {
  const records = new Map<string, JobRecord>();
  const items = new Map<string, readonly ItemOutcome[]>();
  const broken = new Map<keyof JobStore, number>();
  const unanswered = new Map<keyof JobStore, number>();

  async function reach<T>(method: keyof JobStore, action: () => T): Promise<T> {
    const lost = unanswered.get(method) ?? 0;
    const left = broken.get(method) ?? 0;
    await Promise.resolve();
    const reply = left === 0 ? action() : undefined; // there is one when it is returned
    if (left > 0) broken.set(method, left - 1);
    else if (lost === 0) return reply as T;
    else unanswered.set(method, lost - 1);
    throw new ServiceUnavailableError('job store', { cause: new Error('unplugged') });
  }

  function seenBy(clock: () => number): EnqueuingStore {
    /** Carries out what is decided about the record there is by this clock, and the outcomes of its items. */
    function ask<T>(
      method: keyof JobStore,
      job: JobIdentity,
      decide: (record: JobRecord | undefined, now: number, noted: readonly ItemOutcome[], write: Write) => T,
    ): Promise<T> {
      return reach(method, () => {
        const [key, now] = [jobRecordKey(job), clock()];
        const found = records.get(key);
        const record = found !== undefined && found.expiresAt > now ? found : undefined;
        const noted = record === undefined ? [] : (items.get(key) ?? []);
        return decide(record, now, noted, (next, outcomes = noted) => {
          if (next === undefined) return false;
          records.set(key, next);
          items.set(key, transitions.isHandled(next) ? [] : outcomes);
          return true;
        });
      });
    }
    return {
      read: (job) => ask('read', job, (record) => record),
      readItems: (job) => ask('readItems', job, (_record, _now, noted) => noted),
      enqueue: (job, described) =>
        ask('claim', job, (record, now, _noted, write) => write(transitions.enqueue(record, described, now))),
      claim: (job, request) =>
        ask('claim', job, (record, now, noted, write) => {
          const { outcome, next } = transitions.claim(record, request, now);
          write(next);
          return outcome.outcome === 'claimed' ? { ...outcome, items: noted } : outcome;
        }),
      renew: (job, token, leaseMs) =>
        ask('renew', job, (record, now, _noted, write) => {
          const next = transitions.renew(record, token, leaseMs, now);
          write(next);
          return transitions.leaseStateOf(next);
        }),
      checkpoint: (job, token, progress) =>
        ask('checkpoint', job, (record, _now, noted, write) => {
          const next = transitions.checkpoint(record, token, progress);
          write(next, [...noted, ...(progress.items ?? [])]);
          return transitions.leaseStateOf(next);
        }),
      finish: (job, token, result) =>
        ask('finish', job, (record, now, _noted, write) => write(transitions.finish(record, token, result, now))),
      release: (job, token) =>
        ask('release', job, (record, now, _noted, write) => write(transitions.release(record, token, now))),
      fail: (job, described, delivery) =>
        ask('fail', job, (record, now, noted, write) => {
          const { result } = record ? endWithoutRun(job.kind, record, noted, delivery) : { result: delivery };
          return write(transitions.fail(record, described, result, now));
        }),
      cancel: (job, ending) =>
        ask('cancel', job, (record, now, _noted, write) => {
          if (record === undefined) return undefined;
          const next = transitions.cancel(record, ending, now);
          write(next);
          return transitions.cancelledOf(record, next);
        }),
      drop: (job, reason) =>
        ask('drop', job, (record, now, _noted, write) => write(transitions.noteDrop(record, reason, now))),
      wait: (job, reason) =>
        ask('wait', job, (record, now, _noted, write) => write(transitions.wait(record, reason, now))),
      isCancelled: (job) => ask('isCancelled', job, (record) => record?.cancelledAt !== undefined),
      look: (job) =>
        ask('look', job, (record, now) => ({
          record: transitions.startedOf(record),
          leaseLeftMs: leaseLeftMs(record, now),
        })),
      ping: () => reach('ping', () => undefined),
    };
  }

  const start = Date.now();
  const store: MemoryJobStore = { ahead: 0, broken, unanswered, records, seenBy, ...seenBy(() => start + store.ahead) };
  return store;
}

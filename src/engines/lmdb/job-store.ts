import type { JobIdentity, JobRecord } from '../../job-record/job-record.js';
import type { Cancelled, ClaimOutcome, Hold, JobStore } from '../../job-record/job-store.js';
import { NO_LIMITS, WAIT_MS, type OrganisationLimits } from '../../job-record/organisation-jobs.js';
import { cancel, checkpoint, claim, fail, finish, holdOf, release, renew } from '../../job-record/transitions.js';
import type { LmdbDatabase } from './database.js';
import type { LmdbJobRecords } from './job-records.js';

/**
 * The job store on LMDB. Each method is one transition in one transaction, on the disk before its promise
 * resolves; the write lock of LMDB orders the transitions of all processes. Progress that may be forgotten is
 * noted beside the record most of the time.
 *
 * @param clock milliseconds since 1970
 * @param limits none by default
 */
export function createLmdbJobStore(
  database: LmdbDatabase,
  records: LmdbJobRecords,
  clock: () => number,
  { maxRunning }: Pick<OrganisationLimits, 'maxRunning'> = NO_LIMITS,
): JobStore {
  const { counts } = records;
  /** Nobody waits for a job that runs already, or that was handled: a claim says so. */
  const mustWait = ({ org }: JobIdentity, record: JobRecord | undefined, now: number): boolean =>
    record?.result?.status !== 200 &&
    (record?.lease?.expiresAt ?? 0) <= now &&
    counts.running(org, now) >= maxRunning &&
    counts.othersHaveWork(org, now, false);
  const transition = (
    job: JobIdentity,
    step: (record: JobRecord | undefined, now: number) => JobRecord | undefined,
  ): Promise<boolean> =>
    database.transact(() => {
      const now = clock();
      return records.update(job, now, (record) => step(record, now));
    });

  /** Removes the note once the record says everything. */
  const withoutNote = async (job: JobIdentity, transition: Promise<boolean>): Promise<boolean> => {
    const written = await transition;
    if (written) records.removeNote(job);
    return written;
  };

  return {
    read: (job) => database.read(() => records.get(job, clock())),
    readItems: (job) => database.read(() => (records.get(job, clock()) === undefined ? [] : records.items(job))),
    claim: (job, request) =>
      database.transact<ClaimOutcome>(() => {
        const now = clock();
        const record = records.get(job, now);
        const { isBar = false } = request;
        if (!isBar && mustWait(job, record, now)) return { outcome: 'must wait', retryAfterMs: WAIT_MS };
        const { outcome, next } = claim(record, request, now);
        records.update(job, now, () => next);
        if (isBar) counts.notRunning(job);
        return outcome.outcome === 'claimed' ? { ...outcome, items: records.repairItems(job, now) } : outcome;
      }),
    renew: (job, token, leaseMs) =>
      database.transact<Hold>(() => {
        const now = clock();
        return holdOf(records.write(job, now, (record) => renew(record, token, leaseMs, now)));
      }),
    checkpoint: async (job, token, progress) => {
      const { done, checkpoint: text, items = [], repeatable = false } = progress;
      const noted = { fencingToken: token, done, checkpoint: text };
      if (repeatable && items.length === 0 && records.note(job, noted)) return 'held';
      return database.transact<Hold>(() => {
        const written = records.write(job, clock(), (record) => checkpoint(record, token, progress));
        if (written) records.addItems(job, items);
        return holdOf(written);
      });
    },
    finish: (job, token, result) =>
      withoutNote(
        job,
        transition(job, (record, now) => finish(record, token, result, now)),
      ),
    release: (job, token) =>
      withoutNote(
        job,
        transition(job, (record, now) => release(record, token, now)),
      ),
    fail: (job, described, result) =>
      database.transact(() => {
        const now = clock();
        // Whoever polls a job whose record is damaged learns at last that it failed.
        records.setAsideDamaged(job, now);
        return records.update(job, now, (record) => fail(record, described, result, now));
      }),
    cancel: (job) =>
      database.transact<Cancelled | undefined>(() => {
        const now = clock();
        const record = records.get(job, now);
        if (record === undefined) return undefined;
        return { createdAt: record.createdAt, changed: records.update(job, now, (live) => cancel(live, now)) };
      }),
    isCancelled: (job) => database.read(() => records.get(job, clock())?.cancelledAt !== undefined),
    ping: () =>
      database.read(() => {
        records.get(PROBE, 0);
      }),
  };
}

/** A job that never exists. */
const PROBE: JobIdentity = { kind: 'mobiles', org: undefined, jobId: '' };

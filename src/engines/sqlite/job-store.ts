import type { JobIdentity, JobRecord } from '../../job-record/job-record.js';
import type { Cancelled, ClaimOutcome, Hold, JobStore } from '../../job-record/job-store.js';
import { isAtBound, WAIT_MS, type OrganisationLimits } from '../../job-record/organisation-jobs.js';
import {
  cancel,
  cancelledOf,
  checkpoint,
  claim,
  fail,
  finish,
  holdOf,
  leaseLeftMs,
  release,
  renew,
  wait,
} from '../../job-record/transitions.js';
import type { SqliteDatabase } from './database.js';
import type { SqliteJobRecords } from './job-records.js';
import type { SqliteOrganisations } from './organisations.js';

/** Parts of the store. */
export interface JobStoreParts {
  readonly database: SqliteDatabase;
  readonly records: SqliteJobRecords;
  readonly organisations: SqliteOrganisations;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly limits: OrganisationLimits;
}

/**
 * Creates the job store on SQLite. Each method is one transition in one transaction, on the disk before its promise
 * resolves; the write lock of SQLite orders the transitions of all processes. Progress that a power failure may undo
 * does not wait for the disk.
 */
export function createSqliteJobStore({ database, records, organisations, clock, limits }: JobStoreParts): JobStore {
  const mustWait = ({ org }: JobIdentity, now: number): boolean =>
    isAtBound(organisations.running(org, now).length, limits) && organisations.othersHaveWork(org, now);
  const update = (
    job: JobIdentity,
    step: (record: JobRecord | undefined, now: number) => JobRecord | undefined,
  ): JobRecord | undefined => {
    const now = clock();
    return records.update(job, now, (record) => step(record, now));
  };
  const written = (...args: Parameters<typeof update>): Promise<boolean> =>
    database.transact<boolean>(() => update(...args) !== undefined);

  return {
    read: (job) => database.read(() => records.get(job, clock())),
    leaseLeftMs: (job) =>
      database.read<number>(() => {
        const now = clock();
        return leaseLeftMs(records.get(job, now), now);
      }),
    readItems: (job) => database.read(() => (records.get(job, clock()) === undefined ? [] : records.items(job))),
    claim: (job, request) =>
      database.transact<ClaimOutcome>(() => {
        const now = clock();
        const live = records.get(job, now);
        const { isBar = false } = request;
        const { outcome, next } = claim(live, request, now);
        if (next !== undefined) {
          if (outcome.outcome === 'claimed' && !isBar && mustWait(job, now)) {
            return { outcome: 'must wait', retryAfterMs: WAIT_MS };
          }
          records.write(job, { live, next, now }, { isBar });
        }
        return outcome.outcome === 'claimed' ? { ...outcome, items: records.items(job) } : outcome;
      }),
    renew: (job, token, leaseMs) =>
      database.transact<Hold>(() => holdOf(update(job, (record, now) => renew(record, token, leaseMs, now)))),
    checkpoint: (job, token, progress) => {
      const { items = [], repeatable = false } = progress;
      const note = (): Hold => {
        const next = update(job, (record) => checkpoint(record, token, progress));
        if (next !== undefined) records.addItems(job, items);
        return holdOf(next);
      };
      return repeatable ? database.note<Hold>(note) : database.transact<Hold>(note);
    },
    finish: (job, token, result) => written(job, (record, now) => finish(record, token, result, now)),
    release: (job, token) => written(job, (record, now) => release(record, token, now)),
    fail: (job, described, result) =>
      database.transact<boolean>(() => {
        // A poll of a job with a damaged record gets a failure.
        records.getOrRemove(job, clock());
        return update(job, (record, now) => fail(record, described, result, now)) !== undefined;
      }),
    cancel: (job, ending) =>
      database.transact<Cancelled | undefined>(() => {
        const now = clock();
        const live = records.get(job, now);
        if (live === undefined) return undefined;
        const next = cancel(live, ending, now);
        if (next !== undefined) records.write(job, { live, next, now });
        return cancelledOf(live, next);
      }),
    wait: (job, reason) => written(job, (record, now) => wait(record, reason, now)),
    isCancelled: (job) => database.read(() => records.get(job, clock())?.cancelledAt !== undefined),
    ping: () => database.ping(),
  };
}

import type { ClaimOutcome, Hold, JobStore } from '../../job-record/job-store.js';
import { WAIT_MS } from '../../job-record/organisation-jobs.js';
import { recordMethods, type RecordStore } from '../../job-record/record-store.js';
import { checkpoint, claim, holdOf } from '../../job-record/transitions.js';
import type { SqliteQueueParts } from './job-queue.js';

/**
 * Creates the job store on SQLite. Each method is one transition in one transaction, which is on the disk before the
 * promise resolves; only repeatable progress does not wait for the disk. The write lock of SQLite orders the
 * transitions of all processes.
 */
export function createSqliteJobStore({
  database,
  records,
  organisations,
}: Pick<SqliteQueueParts, 'database' | 'records' | 'organisations'>): JobStore {
  const store: RecordStore = {
    find: (job) => database.read((now) => ({ live: records.get(job, now), now })),
    transact: (job, step, { damagedIsNone = false } = {}) =>
      database.transact((now) => {
        if (damagedIsNone) records.getOrRemove(job, now);
        return records.update(job, now, step);
      }),
    items: (job) => database.read(() => records.items(job)),
  };
  return {
    ...recordMethods(store),
    claim: (job, request) =>
      database.transact<ClaimOutcome>((now) => {
        const live = records.get(job, now);
        const { isBar = false } = request;
        const { outcome, next } = claim(live, request, now);
        if (next !== undefined) {
          if (outcome.outcome === 'claimed' && !isBar && organisations.mustWait(job.org, now)) {
            return { outcome: 'must wait', retryAfterMs: WAIT_MS };
          }
          records.write(job, { live, next, now }, { isBar });
        }
        return outcome.outcome === 'claimed' ? { ...outcome, items: records.items(job) } : outcome;
      }),
    checkpoint(job, token, progress) {
      const { items = [], repeatable = false } = progress;
      const note = (now: number): Hold => {
        const { next } = records.update(job, now, (record) => checkpoint(record, token, progress));
        if (next !== undefined) records.addItems(job, items);
        return holdOf(next);
      };
      return repeatable ? database.note<Hold>(note) : database.transact<Hold>(note);
    },
    isCancelled: (job) => database.read((now) => records.get(job, now)?.cancelledAt !== undefined),
    ping: () => database.ping(),
  };
}

import type { JobQueue, JobSubmission, SubmittedJob } from '../../job-record/job-queue.js';
import { shareUsed, TooManyOpenJobsError, type OrganisationLimits } from '../../job-record/organisation-jobs.js';
import { enqueue, replayTime, submittedOf } from '../../job-record/transitions.js';
import { SqliteConsumer, type SqliteConsumerParts } from './consumer.js';
import type { SqliteOrganisations } from './organisations.js';

/** Job queue on SQLite; {@link stop} stops all consumers without waiting for their messages. */
export interface SqliteJobQueue extends JobQueue, JobSubmission {
  stop(): void;
}

/** Parts of the queue, for itself and for its consumers. */
export interface SqliteQueueParts extends SqliteConsumerParts {
  readonly organisations: SqliteOrganisations;
  readonly limits: OrganisationLimits;
}

/** Creates the queue. It shares the file of the job records, so that both change in one transaction. */
export function createSqliteJobQueue(parts: SqliteQueueParts): SqliteJobQueue {
  const { database, records, messages, organisations, limits } = parts;
  /** Those of this process, which starts one. */
  const consumers = new Set<SqliteConsumer>();
  const wake = (): void => consumers.forEach((consumer) => consumer.wake());

  return {
    async submit(message) {
      const submitted = await database.transact<SubmittedJob>((now) => {
        const live = records.getOrRemove(message, now);
        const next = enqueue(live, message.described, now);
        if (next === undefined) return submittedOf(live, next);
        const share = shareUsed(organisations.load(message.org), message.payload.length, limits);
        limits.onOrder?.(share);
        if (share > 1) throw new TooManyOpenJobsError();
        records.write(message, { live, next, now }, { listed: true });
        messages.add(message, now);
        return submittedOf(live, next);
      });
      if (submitted.isNew) wake();
      return submitted;
    },
    // Record and message were written in one transaction.
    submitAgain: () => Promise.resolve(),
    consume(handler, options) {
      const consumer = new SqliteConsumer(parts, handler, options);
      consumers.add(consumer);
      return consumer;
    },
    deadLetters: () => database.read(() => messages.deadLetters()),
    deadMessage: (job) => database.read(() => (messages.stateOf(job) === 'dead' ? messages.read(job) : undefined)),
    async replay(job) {
      const replayed = await database.transact<boolean>((now) =>
        messages.revive(job, now, replayTime(records.get(job, now), now)),
      );
      if (replayed) wake();
      return replayed;
    },
    drop: (job) =>
      database.transact<boolean>(() => {
        if (messages.stateOf(job) !== 'dead') return false;
        messages.remove(job);
        return true;
      }),
    load: () => database.read(() => messages.load()),
    stop: () => consumers.forEach((consumer) => consumer.stop()),
  };
}

import type { JobQueue, JobSubmission } from '../../job-record/job-queue.js';
import { jobRecordKey } from '../../job-record/job-record.js';
import { shareUsed, TooManyOpenJobsError } from '../../job-record/organisation-jobs.js';
import { enqueue } from '../../job-record/transitions.js';
import { startSqliteConsumer, type SqliteConsumer } from './consumer.js';
import type { SqliteParts } from './job-store.js';

/** Job queue on SQLite; {@link stop} stops all consumers without waiting for their messages. */
export interface SqliteJobQueue extends JobQueue, JobSubmission {
  stop(): void;
}

/** Creates the queue. It shares the file of the job records, so that both change in one transaction. */
export function createSqliteJobQueue(parts: SqliteParts): SqliteJobQueue {
  const { database, records, messages, organisations, limits } = parts;
  const consumers = new Set<SqliteConsumer>();
  const wake = (): void => consumers.forEach((consumer) => consumer.wake());

  return {
    /** @throws {Error} when the job has a record or a message already; the transaction is rolled back */
    async submit(message) {
      const createdAt = await database.transact((now) => {
        const live = records.getOrRemove(message, now);
        const share = shareUsed(organisations.load(message.org), message.payload.length, limits);
        limits.onOrder?.(share);
        if (share > 1) throw new TooManyOpenJobsError();
        const next = enqueue(live, message.described, now);
        const state = messages.stateOf(message);
        if (state === 'queued' || (next === undefined && state !== 'dead')) {
          throw new Error(`Job ${jobRecordKey(message)} exists already.`);
        }
        if (next !== undefined) records.write(message, { live, next, now }, { listed: true });
        messages.add(message, now);
        return (next ?? live)?.createdAt ?? now;
      });
      wake();
      return createdAt;
    },
    consume(handler, options) {
      const consumer = startSqliteConsumer(parts, handler, options);
      consumers.add(consumer);
      return consumer;
    },
    deadLetters: () => database.read(() => messages.deadLetters()),
    deadMessage: (job) => database.read(() => (messages.stateOf(job) === 'dead' ? messages.read(job) : undefined)),
    async replay(job) {
      const replayed = await database.transact<boolean>((now) => messages.revive(job, now));
      if (replayed) wake();
      return replayed;
    },
    load: () => database.read(() => messages.load()),
    stop: () => consumers.forEach((consumer) => consumer.stop()),
  };
}

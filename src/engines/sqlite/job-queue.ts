import type { JobQueue, JobSubmission } from '../../job-record/job-queue.js';
import { jobRecordKey } from '../../job-record/job-record.js';
import { shareUsed, TooManyOpenJobsError, type OrganisationLimits } from '../../job-record/organisation-jobs.js';
import { enqueue } from '../../job-record/transitions.js';
import type { Logger } from '../../logging/logger.js';
import { startSqliteConsumer, type SqliteConsumer } from './consumer.js';
import type { SqliteDatabase } from './database.js';
import type { SqliteJobRecords } from './job-records.js';
import type { SqliteMessages } from './messages.js';
import type { SqliteOrganisations } from './organisations.js';

/** Parts of the engine. Times are milliseconds. */
export interface SqliteParts {
  readonly database: SqliteDatabase;
  readonly records: SqliteJobRecords;
  readonly messages: SqliteMessages;
  readonly organisations: SqliteOrganisations;
  readonly limits: OrganisationLimits;
  readonly logger: Logger;
  /** Maximum number of delivery attempts of a message. */
  readonly maxAttempts: number;
  /** Lease time of a message; renewed every third of it. */
  readonly messageLeaseMs: number;
  /** Interval of looks for messages of other processes, which cannot wake this one. */
  readonly pollMs: number;
}

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
    /** @throws {Error} when a record or a message of that job exists already; the transaction is rolled back then */
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

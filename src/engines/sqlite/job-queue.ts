import { describeError } from '../../errors.js';
import {
  backOffMs,
  MAX_WAIT_MS,
  type Disposition,
  type JobQueue,
  type JobSubmission,
} from '../../job-record/job-queue.js';
import { jobRecordKey, type JobIdentity } from '../../job-record/job-record.js';
import { shareUsed, TooManyOpenJobsError, type OrganisationLimits } from '../../job-record/organisation-jobs.js';
import { DamagedMessageError } from '../../job-record/stored-message.js';
import { enqueue, fail, leaseLeftMs } from '../../job-record/transitions.js';
import type { Logger } from '../../logging/logger.js';
import { startSqliteConsumer, type ConsumerTimes, type MessageSource, type SqliteConsumer } from './consumer.js';
import type { JobStoreParts } from './job-store.js';
import type { DueMessage, LeasedMessage, SqliteMessages } from './messages.js';

const DAMAGED = 'The queue entry of this job is damaged. See what the job did before starting it again.';

export interface JobQueueParts extends JobStoreParts {
  readonly messages: SqliteMessages;
  readonly logger: Logger;
  readonly limits: OrganisationLimits;
  readonly maxAttempts: number;
  readonly times: ConsumerTimes;
}

/** Job queue on SQLite; {@link stop} stops all consumers without waiting for their messages. */
export interface SqliteJobQueue extends JobQueue, JobSubmission {
  stop(): void;
}

/** Creates the queue, in the file of the job records: both change in one transaction. */
export function createSqliteJobQueue(parts: JobQueueParts): SqliteJobQueue {
  const { database, records, messages, organisations, limits, logger, maxAttempts, times } = parts;
  const consumers = new Set<SqliteConsumer>();
  const wake = (): void => consumers.forEach((consumer) => consumer.wake());

  const source: MessageSource = {
    untilNextDue: () =>
      database.look((now) => {
        const dueAt = messages.nextDueAt();
        return dueAt === undefined ? undefined : dueAt - now;
      }),
    take: (limit) => database.transact((now) => messages.due(now, limit).flatMap((due) => takeOne(due, now) ?? [])),
    renew: (leased) =>
      database.transact<boolean>((now) => {
        const { message, attempt, token } = leased;
        const held = messages.holds(leased);
        if (held) messages.place(message, attempt, now + times.leaseMs, token);
        return held;
      }),
    settle: (leased, disposition) =>
      database.transact((now) => {
        if (messages.holds(leased)) settle(leased, disposition, now);
      }),
  };

  function settle({ message, attempt, lastAttempt }: LeasedMessage, disposition: Disposition, now: number): void {
    switch (disposition.kind) {
      case 'done':
        messages.remove(message);
        break;
      case 'delay':
        messages.place(message, attempt - 1, now + Math.min(disposition.delayMs, MAX_WAIT_MS));
        break;
      case 'dead':
        messages.kill(message, disposition.reason, now);
        break;
      case 'retry':
        if (lastAttempt) messages.kill(message, disposition.reason, now);
        else messages.place(message, attempt, now + backOffMs(attempt));
        break;
    }
  }

  function takeOne(due: DueMessage, now: number): LeasedMessage | undefined {
    try {
      if (due.attempts < maxAttempts) return messages.take(due, now + times.leaseMs, maxAttempts);
      endLast(due, now);
    } catch (error) {
      if (!(error instanceof DamagedMessageError)) throw error;
      setAside(due, describeError(error), now);
    }
    return undefined;
  }

  /** Makes a dead letter of an unreadable message, and ends its record, so that polling ends. */
  function setAside({ job }: DueMessage, reason: string, now: number): void {
    logger.event('store.entry_damaged', { table: 'messages', key: jobRecordKey(job), reason });
    const result = { status: 500, body: JSON.stringify({ message: DAMAGED }) };
    records.getOrRemove(job, now);
    records.update(job, now, (record) => record && fail(record, record, result, now));
    messages.kill(job, DAMAGED, now);
  }

  /**
   * Ends a message whose consumer died in its last attempt, and its record, because no consumer will. While its
   * callback still runs, the message waits for the callback's own end.
   */
  function endLast({ job, attempts }: DueMessage, now: number): void {
    const { described } = messages.read(job);
    const record = records.getOrRemove(job, now);
    if (record?.result?.status === 200) {
      messages.remove(job);
      return;
    }
    const leftMs = leaseLeftMs(record, now);
    if (leftMs > 0) {
      messages.place(job, attempts, now + Math.min(leftMs, MAX_WAIT_MS));
      return;
    }
    const reason = `Not delivered after ${attempts} attempts; the last one was cut short.`;
    const result = { status: 503, body: JSON.stringify({ message: reason }) };
    records.update(job, now, (current) => fail(current, described, result, now));
    messages.kill(job, reason, now);
  }

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
      const consumer = startSqliteConsumer(source, handler, options, times, logger);
      consumers.add(consumer);
      return consumer;
    },
    deadLetters: () => database.read(() => messages.deadLetters()),
    deadMessage: (job: JobIdentity) =>
      database.read(() => (messages.stateOf(job) === 'dead' ? messages.read(job) : undefined)),
    async replay(job) {
      const replayed = await database.transact<boolean>((now) => messages.revive(job, now));
      if (replayed) wake();
      return replayed;
    },
    load: () => database.read(() => messages.load()),
    stop: () => consumers.forEach((consumer) => consumer.stop()),
  };
}

import { describeError } from '../../errors.js';
import {
  backOffMs,
  MAX_WAIT_MS,
  type ConsumeOptions,
  type DeadLetter,
  type Delivery,
  type Disposition,
  type JobMessage,
  type JobQueue,
  type JobSubmission,
  type QueueLoad,
} from '../../job-record/job-queue.js';
import { jobRecordKey, type JobIdentity } from '../../job-record/job-record.js';
import { hasRoom, TooManyOpenJobsError } from '../../job-record/organisation-jobs.js';
import { DamagedMessageError } from '../../job-record/stored-message.js';
import { enqueue, fail } from '../../job-record/transitions.js';
import type { Logger } from '../../logging/logger.js';
import { SqliteConsumer, type ConsumerTimes, type MessageSource } from './consumer.js';
import type { JobStoreParts } from './job-store.js';
import type { DueMessage, LeasedMessage, SqliteMessages } from './messages.js';

/** Reason for the end of an unreadable message. */
const DAMAGED = 'The queue entry of this job is damaged. See what the job did before starting it again.';

/** Parts of the queue. */
export interface JobQueueParts extends JobStoreParts {
  readonly messages: SqliteMessages;
  readonly logger: Logger;
  readonly maxAttempts: number;
  readonly times: ConsumerTimes;
}

/** Job queue on SQLite, in the file of the job records: both change in one transaction. */
export class SqliteJobQueue implements JobQueue, JobSubmission, MessageSource {
  readonly #consumers = new Set<SqliteConsumer>();
  readonly #parts: JobQueueParts;

  constructor(parts: JobQueueParts) {
    this.#parts = parts;
  }

  /** @throws {Error} when a record or a message of that job exists already; the transaction is rolled back then */
  async submit(message: JobMessage): Promise<number> {
    const { database, records, messages, organisations, clock, limits } = this.#parts;
    const createdAt = await database.transact(() => {
      const now = clock();
      const live = records.getOrRemove(message, now);
      if (!hasRoom(organisations.load(message.org), message.payload.length, limits)) throw new TooManyOpenJobsError();
      const next = enqueue(live, message.described, now);
      const standing = messages.standing(message);
      if (standing === 'queued' || (next === undefined && standing !== 'dead')) {
        throw new Error(`Job ${jobRecordKey(message)} exists already.`);
      }
      if (next !== undefined) records.write(message, { live, next, now }, { listed: true });
      messages.add(message, now);
      return (next ?? live)?.createdAt ?? now;
    });
    this.#wake();
    return createdAt;
  }

  consume(handler: (delivery: Delivery) => Promise<Disposition>, options: ConsumeOptions): SqliteConsumer {
    const consumer = new SqliteConsumer(this, handler, options, this.#parts.times, this.#parts.logger);
    this.#consumers.add(consumer);
    consumer.wake();
    return consumer;
  }

  deadLetters(): Promise<readonly DeadLetter[]> {
    return this.#parts.database.read(() => this.#parts.messages.deadLetters());
  }

  deadMessage(job: JobIdentity): Promise<JobMessage | undefined> {
    const { database, messages } = this.#parts;
    return database.read(() => (messages.standing(job) === 'dead' ? messages.read(job) : undefined));
  }

  async replay(job: JobIdentity): Promise<boolean> {
    const { database, messages, clock } = this.#parts;
    const replayed = await database.transact<boolean>(() => messages.revive(job, clock()));
    if (replayed) this.#wake();
    return replayed;
  }

  load(): Promise<QueueLoad> {
    return this.#parts.database.read(() => this.#parts.messages.load());
  }

  /** Stops all consumers without waiting for their messages. */
  stop(): void {
    for (const consumer of this.#consumers) consumer.stop();
  }

  untilNextDue(): number | undefined {
    const dueAt = this.#parts.database.look(() => this.#parts.messages.nextDueAt());
    return dueAt === undefined ? undefined : dueAt - this.#parts.clock();
  }

  take(limit: number): Promise<readonly LeasedMessage[]> {
    const { database, messages, clock } = this.#parts;
    return database.transact(() => {
      const now = clock();
      return messages.due(now, limit).flatMap((due) => this.#takeOne(due, now) ?? []);
    });
  }

  renew(leased: LeasedMessage): Promise<boolean> {
    const { database, messages, clock, times } = this.#parts;
    return database.transact<boolean>(() => {
      const held = messages.holds(leased);
      if (held) messages.renew(leased, clock() + times.leaseMs);
      return held;
    });
  }

  settle(leased: LeasedMessage, disposition: Disposition): Promise<void> {
    return this.#parts.database.transact(() => {
      if (this.#parts.messages.holds(leased)) this.#apply(leased, disposition, this.#parts.clock());
    });
  }

  isLastAttempt(attempt: number): boolean {
    return attempt >= this.#parts.maxAttempts;
  }

  #wake(): void {
    for (const consumer of this.#consumers) consumer.wake();
  }

  #apply({ message, attempt }: LeasedMessage, disposition: Disposition, now: number): void {
    const { messages } = this.#parts;
    switch (disposition.kind) {
      case 'done':
        messages.remove(message);
        break;
      case 'delay':
        messages.putBack(message, attempt - 1, now + Math.min(disposition.delayMs, MAX_WAIT_MS));
        break;
      case 'dead':
        messages.kill(message, disposition.reason, now);
        break;
      case 'retry':
        if (this.isLastAttempt(attempt)) messages.kill(message, disposition.reason, now);
        else messages.putBack(message, attempt, now + backOffMs(attempt));
        break;
    }
  }

  #takeOne(due: DueMessage, now: number): LeasedMessage | undefined {
    const { messages, maxAttempts, times } = this.#parts;
    try {
      if (due.attempts < maxAttempts) return messages.take(due, now + times.leaseMs);
      this.#endLast(due, now);
    } catch (error) {
      if (!(error instanceof DamagedMessageError)) throw error;
      this.#setAside(due, describeError(error), now);
    }
    return undefined;
  }

  /** Makes a dead letter of an unreadable message, and ends its record, so that polling ends. */
  #setAside({ job }: DueMessage, reason: string, now: number): void {
    const { records, messages, logger } = this.#parts;
    logger.event('store.entry_damaged', { table: 'messages', key: jobRecordKey(job), reason });
    const result = { status: 500, body: JSON.stringify({ message: DAMAGED }) };
    records.getOrRemove(job, now);
    records.update(job, now, (current) => current && fail(current, current, result, now));
    messages.kill(job, DAMAGED, now);
  }

  /**
   * Ends a message whose consumer died in its last attempt, and its record, because no consumer will. While its
   * callback still runs, the message waits for the callback's own end.
   */
  #endLast({ job, attempts }: DueMessage, now: number): void {
    const { records, messages } = this.#parts;
    const { described } = messages.read(job);
    const record = records.getOrRemove(job, now);
    if (record?.result?.status === 200) {
      messages.remove(job);
      return;
    }
    if (record?.lease !== undefined && record.lease.expiresAt > now) {
      messages.putBack(job, attempts, Math.min(record.lease.expiresAt, now + MAX_WAIT_MS));
      return;
    }
    const reason = `Not delivered after ${attempts} attempts; the last one was cut short.`;
    const result = { status: 503, body: JSON.stringify({ message: reason }) };
    records.update(job, now, (current) => fail(current, described, result, now));
    messages.kill(job, reason, now);
  }
}

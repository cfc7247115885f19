import { describeError } from '../../../base/errors.js';
import {
  backOffMs,
  MAX_WAIT_MS,
  type ConsumeOptions,
  type DeliveryHandler,
  type Disposition,
  type QueueConsumer,
} from '../../record/job-queue.js';
import { endWithoutRun } from '../../record/job-ends.js';
import { jobRecordKey, leaseLeftMs, type JobIdentity, type JobResult } from '../../record/job-record.js';
import type { NewJob } from '../../record/job-store.js';
import type { OrganisationLimits } from '../../record/organisation-jobs.js';
import { DamagedError } from '../../record/stored-fields.js';
import { fail, isHandled } from '../../record/transitions.js';
import type { Logger } from '../../../base/logging/logger.js';
import type { SqliteDatabase } from './database.js';
import type { SqliteJobRecords } from './job-records.js';
import type { DueMessage, LeasedMessage, SqliteMessages } from './messages.js';

const DAMAGED = 'The queue entry of this job is damaged. See what the job did before starting it again.';

/** Tables and settings of consumers. Times are milliseconds. */
export interface SqliteConsumerParts {
  readonly database: SqliteDatabase;
  readonly records: SqliteJobRecords;
  readonly messages: SqliteMessages;
  readonly limits: OrganisationLimits;
  readonly logger: Logger;
  readonly maxAttempts: number;
  /** Lease time of a message; renewed every third of it. */
  readonly messageLeaseMs: number;
  /** Interval of looks for messages of other processes, which cannot wake this one. */
  readonly pollMs: number;
}

/**
 * Consumer that passes messages to a handler, several at a time. It sleeps until it is woken, a message is settled or
 * the next message comes due. Its timers do not keep the process alive.
 *
 * It does not wait for the disk: a message that a power failure makes due again is judged by its record.
 */
export class SqliteConsumer implements QueueConsumer {
  readonly #parts: SqliteConsumerParts;
  readonly #handler: DeliveryHandler;
  readonly #concurrency: number;
  /** At most `concurrency`. */
  readonly #inHand = new Set<Promise<void>>();
  readonly #running: Promise<void>;
  #timesWoken = 0;
  #endSleep = (): void => undefined;
  #isClosed = false;

  constructor(parts: SqliteConsumerParts, handler: DeliveryHandler, { concurrency }: ConsumeOptions) {
    this.#parts = parts;
    this.#handler = handler;
    this.#concurrency = concurrency;
    this.#running = this.#takeUntilClosed();
  }

  wake(): void {
    this.#timesWoken += 1;
    this.#endSleep();
  }

  /** Stops taking messages, without waiting for the held ones. */
  stop(): void {
    this.#isClosed = true;
    this.wake();
  }

  async close(): Promise<void> {
    this.stop();
    await this.#running;
    await Promise.all(this.#inHand);
  }

  /** Takes messages in one loop, so that they do not inherit the async context of a submitter that wakes it. */
  async #takeUntilClosed(): Promise<void> {
    while (!this.#isClosed) {
      const wokenBefore = this.#timesWoken;
      const pauseMs = await this.#takeAll();
      if (this.#timesWoken === wokenBefore) await this.#sleep(pauseMs);
    }
  }

  async #sleep(ms: number | undefined): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#endSleep = resolve;
      if (ms !== undefined) timer = setTimeout(resolve, ms).unref();
    });
    clearTimeout(timer);
  }

  /** Takes due messages. @returns the time until the next look; undefined without a free slot, until one is settled */
  async #takeAll(): Promise<number | undefined> {
    const { database, messages, logger, pollMs } = this.#parts;
    const free = this.#concurrency - this.#inHand.size;
    if (free <= 0) return undefined;
    try {
      const dueMs = database.readWithoutWait((now) => (messages.nextDueAt(now) ?? now + pollMs) - now);
      if (dueMs > 0) return Math.min(dueMs, pollMs);
      const taken = await database.writeDeferred((now) => this.#take(free, now));
      for (const leased of taken) this.#hold(leased);
      return 0;
    } catch (error) {
      logger.event('queue.unreadable', { reason: describeError(error) });
      return pollMs;
    }
  }

  /** Handles a message, and the next ones in its place. */
  #hold(first: LeasedMessage): void {
    const handled = (async () => {
      for (let leased: LeasedMessage | undefined = first; leased !== undefined;) leased = await this.#deliver(leased);
    })().finally(() => {
      this.#inHand.delete(handled);
      this.wake();
    });
    this.#inHand.add(handled);
  }

  /**
   * Delivers and settles a message. Never rejects: an unsettled message comes again when its lease has expired.
   *
   * @returns the next message, which is taken in the same transaction, unless the consumer is closed
   */
  async #deliver(leased: LeasedMessage): Promise<LeasedMessage | undefined> {
    const { database, messages, logger, messageLeaseMs } = this.#parts;
    const log = logger.child({ jobId: leased.message.jobId, kind: leased.message.kind, attempt: leased.attempt });
    const failed = (error: unknown): Disposition => {
      const reason = describeError(error);
      log.event('queue.handler_failed', { reason });
      return { kind: 'retry', reason };
    };
    const renewal = setInterval(() => void this.#renew(leased, log), messageLeaseMs / 3).unref();
    try {
      const isLeft = this.#isClosed;
      const disposition = isLeft ? ({ kind: 'delay', delayMs: 0 } as const) : await this.#handler(leased).catch(failed);
      return await database.writeDeferred((now) => {
        if (messages.holds(leased)) this.#settle(leased, disposition, now);
        return this.#isClosed ? undefined : this.#take(1, now)[0];
      });
    } catch (error) {
      log.event('queue.message_not_settled', { reason: describeError(error) });
      return undefined;
    } finally {
      clearInterval(renewal);
    }
  }

  /** Never rejects: the lease lasts until it expires. */
  async #renew(leased: LeasedMessage, log: Logger): Promise<void> {
    const { database, messages, messageLeaseMs } = this.#parts;
    try {
      const held = await database.transact<boolean>((now) => {
        const isHeld = messages.holds(leased);
        if (isHeld) messages.schedule(leased.message, leased.attempt, now + messageLeaseMs, leased.token);
        return isHeld;
      });
      if (!held) log.event('queue.message_taken_over');
    } catch (error) {
      log.event('queue.message_not_renewed', { reason: describeError(error) });
    }
  }

  /** Takes due messages. Call it within a transaction, as the rest. */
  #take(limit: number, now: number): readonly LeasedMessage[] {
    const taken: LeasedMessage[] = [];
    for (let tries = 0; tries < limit; tries += 1) {
      const due = this.#parts.messages.nextDue(now);
      if (due === undefined) break;
      const leased = this.#takeOne(due, now);
      if (leased !== undefined) taken.push(leased);
    }
    return taken;
  }

  /** Takes a due message; undefined if it became a dead letter, or waits. */
  #takeOne(due: DueMessage, now: number): LeasedMessage | undefined {
    const { messages, maxAttempts, messageLeaseMs } = this.#parts;
    try {
      if (due.attempts < maxAttempts) return messages.take(due, now + messageLeaseMs, maxAttempts);
      this.#endLast(due, now);
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error;
      this.#setAside(due, describeError(error), now);
    }
    return undefined;
  }

  /**
   * Ends a message whose consumer died during the last attempt, and its record, because no other consumer does. While
   * the callback still runs, the message waits for the end of the callback.
   */
  #endLast({ job, attempts }: DueMessage, now: number): void {
    const { records, messages } = this.#parts;
    const { described } = messages.read(job);
    const record = records.getOrRemove(job, now);
    if (isHandled(record)) {
      messages.remove(job);
      return;
    }
    const leftMs = leaseLeftMs(record, now);
    if (leftMs > 0) {
      messages.schedule(job, attempts, now + Math.min(leftMs, MAX_WAIT_MS));
      return;
    }
    const reason = `Not delivered after ${attempts} attempts; the last one was cut short.`;
    this.#endRecord(job, described, { status: 503, body: JSON.stringify({ message: reason }) }, now);
    messages.bury(job, reason, now);
  }

  /** Moves an unreadable message to the dead letters, and ends its record, so that polling ends. */
  #setAside({ job }: DueMessage, reason: string, now: number): void {
    const { records, messages, logger } = this.#parts;
    logger.event('store.entry_damaged', { table: 'messages', key: jobRecordKey(job), reason });
    const record = records.getOrRemove(job, now);
    if (record) this.#endRecord(job, record, { status: 500, body: JSON.stringify({ message: DAMAGED }) }, now);
    messages.bury(job, DAMAGED, now);
  }

  #endRecord(job: JobIdentity, described: NewJob, delivery: Pick<JobResult, 'status' | 'body'>, now: number): void {
    const { database, records, limits } = this.#parts;
    const { live, next } = records.update(job, now, (record) => {
      const result = record ? endWithoutRun(job.kind, record, records.items(job), delivery).result : delivery;
      return fail(record, described, result, now);
    });
    if (next !== undefined) limits.onChange?.(job, live, next);
    database.flushWithCommit();
  }

  #settle({ message, attempt, lastAttempt }: LeasedMessage, disposition: Disposition, now: number): void {
    const { messages } = this.#parts;
    if (disposition.kind === 'done') messages.remove(message);
    else if (disposition.kind === 'delay') {
      messages.schedule(message, attempt - 1, now + Math.min(disposition.delayMs, MAX_WAIT_MS));
    } else if (disposition.kind === 'dead' || lastAttempt) messages.bury(message, disposition.reason, now);
    else messages.schedule(message, attempt, now + backOffMs(attempt));
  }
}

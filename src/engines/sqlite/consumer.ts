import { describeError } from '../../errors.js';
import {
  backOffMs,
  MAX_WAIT_MS,
  type ConsumeOptions,
  type Delivery,
  type Disposition,
  type QueueConsumer,
} from '../../job-record/job-queue.js';
import { jobRecordKey } from '../../job-record/job-record.js';
import { DamagedError } from '../../job-record/stored.js';
import { fail, isHandled, leaseLeftMs } from '../../job-record/transitions.js';
import type { Logger } from '../../logging/logger.js';
import type { SqliteDatabase } from './database.js';
import type { SqliteJobRecords } from './job-records.js';
import type { DueMessage, LeasedMessage, SqliteMessages } from './messages.js';

const DAMAGED = 'The queue entry of this job is damaged. See what the job did before starting it again.';

/** Tables and settings of consumers. Times are milliseconds. */
export interface SqliteConsumerParts {
  readonly database: SqliteDatabase;
  readonly records: SqliteJobRecords;
  readonly messages: SqliteMessages;
  readonly logger: Logger;
  readonly maxAttempts: number;
  /** Lease time of a message; renewed every third of it. */
  readonly messageLeaseMs: number;
  /** Interval of looks for messages of other processes, which cannot wake this one. */
  readonly pollMs: number;
}

/** Consumer that can be woken for new messages. */
export interface SqliteConsumer extends QueueConsumer {
  wake(): void;
  /** Stops taking messages, without waiting for the held ones. */
  stop(): void;
}

/**
 * Passes messages to a handler, several at a time. The consumer sleeps until it is woken, a message is settled or the
 * next message comes due. Its timers do not keep the process alive.
 */
export function startSqliteConsumer(
  { database, records, messages, logger, maxAttempts, messageLeaseMs: leaseMs, pollMs }: SqliteConsumerParts,
  handler: (delivery: Delivery) => Promise<Disposition>,
  { concurrency }: ConsumeOptions,
): SqliteConsumer {
  /** At most `concurrency`. */
  const inHand = new Set<Promise<void>>();
  let timesWoken = 0;
  let endSleep = (): void => undefined;
  let closed = false;

  function wake(): void {
    timesWoken += 1;
    endSleep();
  }

  /** Takes messages in one loop, so that they do not inherit the async context of a submitter that wakes it. */
  async function takeUntilClosed(): Promise<void> {
    while (!closed) {
      const wokenBefore = timesWoken;
      const pauseMs = await takeAll();
      if (timesWoken === wokenBefore) await sleep(pauseMs);
    }
  }

  async function sleep(ms: number | undefined): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      endSleep = resolve;
      if (ms !== undefined) timer = setTimeout(resolve, ms).unref();
    });
    clearTimeout(timer);
  }

  /** Takes due messages. @returns the time until the next look; undefined without a free slot, until one is settled */
  async function takeAll(): Promise<number | undefined> {
    const free = concurrency - inHand.size;
    if (free <= 0) return undefined;
    try {
      const dueMs = database.look((now) => (messages.nextDueAt() ?? now + pollMs) - now);
      if (dueMs > 0) return Math.min(dueMs, pollMs);
      const taken = await database.transact((now) => messages.due(now, free).flatMap((due) => takeOne(due, now) ?? []));
      for (const leased of taken) {
        const settled = deliver(leased).finally(() => {
          inHand.delete(settled);
          wake();
        });
        inHand.add(settled);
      }
      return 0;
    } catch (error) {
      logger.event('queue.unreadable', { reason: describeError(error) });
      return pollMs;
    }
  }

  /** Never rejects: an unsettled message comes again when its lease has expired. */
  async function deliver(leased: LeasedMessage): Promise<void> {
    const about = { jobId: leased.message.jobId, kind: leased.message.kind, attempt: leased.attempt };
    const renew = async (): Promise<void> => {
      try {
        const held = await database.transact<boolean>((now) => {
          const isHeld = messages.holds(leased);
          if (isHeld) messages.schedule(leased.message, leased.attempt, now + leaseMs, leased.token);
          return isHeld;
        });
        if (!held) logger.event('queue.message_taken_over', about);
      } catch (error) {
        logger.event('queue.message_not_renewed', { ...about, reason: describeError(error) });
      }
    };
    const failed = (error: unknown): Disposition => {
      const reason = describeError(error);
      logger.event('queue.handler_failed', { ...about, reason });
      return { kind: 'retry', reason };
    };
    const renewal = setInterval(() => void renew(), leaseMs / 3).unref();
    try {
      const disposition = closed ? ({ kind: 'delay', delayMs: 0 } as const) : await handler(leased).catch(failed);
      await database.transact((now) => {
        if (messages.holds(leased)) settle(leased, disposition, now);
      });
    } catch (error) {
      logger.event('queue.message_not_settled', { ...about, reason: describeError(error) });
    } finally {
      clearInterval(renewal);
    }
  }

  function settle({ message, attempt, lastAttempt }: LeasedMessage, disposition: Disposition, now: number): void {
    if (disposition.kind === 'done') {
      messages.remove(message);
    } else if (disposition.kind === 'delay') {
      messages.schedule(message, attempt - 1, now + Math.min(disposition.delayMs, MAX_WAIT_MS));
    } else if (disposition.kind === 'dead' || lastAttempt) {
      messages.bury(message, disposition.reason, now);
    } else {
      messages.schedule(message, attempt, now + backOffMs(attempt));
    }
  }

  function takeOne(due: DueMessage, now: number): LeasedMessage | undefined {
    try {
      if (due.attempts < maxAttempts) return messages.take(due, now + leaseMs, maxAttempts);
      endLast(due, now);
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error;
      setAside(due, describeError(error), now);
    }
    return undefined;
  }

  /** Moves an unreadable message to the dead letters, and ends its record, so that polling ends. */
  function setAside({ job }: DueMessage, reason: string, now: number): void {
    logger.event('store.entry_damaged', { table: 'messages', key: jobRecordKey(job), reason });
    const result = { status: 500, body: JSON.stringify({ message: DAMAGED }) };
    records.getOrRemove(job, now);
    records.update(job, now, (record) => record && fail(record, record, result, now));
    messages.bury(job, DAMAGED, now);
  }

  /**
   * Ends a message whose consumer died during the last attempt, and its record, because no other consumer does. While
   * the callback still runs, the message waits for the end of the callback.
   */
  function endLast({ job, attempts }: DueMessage, now: number): void {
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
    const result = { status: 503, body: JSON.stringify({ message: reason }) };
    records.update(job, now, (current) => fail(current, described, result, now));
    messages.bury(job, reason, now);
  }

  function stop(): void {
    closed = true;
    wake();
  }

  const running = takeUntilClosed();
  return {
    wake,
    stop,
    async close() {
      stop();
      await running;
      await Promise.all(inHand);
    },
  };
}

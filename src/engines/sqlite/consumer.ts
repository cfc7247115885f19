import { describeError } from '../../errors.js';
import type { Logger } from '../../logging/logger.js';
import type { ConsumeOptions, Delivery, Disposition, QueueConsumer } from '../../job-record/job-queue.js';
import type { LeasedMessage } from './messages.js';

export interface MessageSource {
  take(limit: number): Promise<readonly LeasedMessage[]>;
  /** Returns the milliseconds until the next message comes due; undefined without one. */
  untilNextDue(): number | undefined;
  /** Renews the lease. @returns false if the message is no longer held */
  renew(leased: LeasedMessage): Promise<boolean>;
  /** Applies the disposition, unless the message is no longer held. */
  settle(leased: LeasedMessage, disposition: Disposition): Promise<void>;
}

/** Times of a consumer, in milliseconds. */
export interface ConsumerTimes {
  /** Lease time of a message; renewed every third of it. */
  readonly leaseMs: number;
  /** Interval of looks for messages of other processes, which cannot wake this one. */
  readonly pollMs: number;
}

/** Consumer that can be told of new messages. */
export interface SqliteConsumer extends QueueConsumer {
  wake(): void;
  /** Stops taking messages, without waiting for those in hand. */
  stop(): void;
}

/**
 * Passes messages to a handler, several at a time. It sleeps until it is woken, a slot becomes free or the next message
 * comes due; its timers do not keep the process alive.
 */
export function startSqliteConsumer(
  source: MessageSource,
  handler: (delivery: Delivery) => Promise<Disposition>,
  { concurrency }: ConsumeOptions,
  { leaseMs, pollMs }: ConsumerTimes,
  logger: Logger,
): SqliteConsumer {
  const inHand = new Set<Promise<void>>();
  let timesWoken = 0;
  let endSleep = (): void => undefined;
  let closed = false;

  function wake(): void {
    timesWoken += 1;
    endSleep();
  }

  /** One loop for all messages, so that a submitter that wakes it does not pass on its async context. */
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

  /** Takes due messages. @returns the time until the next look; undefined without a free slot: settling wakes it */
  async function takeAll(): Promise<number | undefined> {
    const free = concurrency - inHand.size;
    if (free <= 0) return undefined;
    try {
      const dueMs = source.untilNextDue() ?? pollMs;
      if (dueMs > 0) return Math.min(dueMs, pollMs);
      for (const leased of await source.take(free)) {
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
        const held = await source.renew(leased);
        if (!held) logger.event('queue.message_taken_over', about);
      } catch (error) {
        logger.event('queue.message_not_renewed', { ...about, reason: describeError(error) });
      }
    };
    const renewal = setInterval(() => void renew(), leaseMs / 3).unref();
    try {
      const disposition = closed ? ({ kind: 'delay', delayMs: 0 } as const) : await handle(leased, about);
      await source.settle(leased, disposition);
    } catch (error) {
      logger.event('queue.message_not_settled', { ...about, reason: describeError(error) });
    } finally {
      clearInterval(renewal);
    }
  }

  async function handle(leased: LeasedMessage, about: object): Promise<Disposition> {
    try {
      return await handler(leased);
    } catch (error) {
      const reason = describeError(error);
      logger.event('queue.handler_failed', { ...about, reason });
      return { kind: 'retry', reason };
    }
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

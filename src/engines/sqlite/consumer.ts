import { AsyncResource } from 'node:async_hooks';
import { describeError } from '../../errors.js';
import type { Logger } from '../../logging/logger.js';
import type { ConsumeOptions, Delivery, Disposition, QueueConsumer } from '../../job-record/job-queue.js';
import type { LeasedMessage } from './messages.js';

/** Operations of a queue for its consumer. */
export interface MessageSource {
  /** Takes up to `limit` due messages. */
  take(limit: number): Promise<readonly LeasedMessage[]>;
  /** Returns the milliseconds until the next message comes due; undefined without one. */
  untilNextDue(): number | undefined;
  /** Renews the lease. @returns false if the message is no longer held */
  renew(leased: LeasedMessage): Promise<boolean>;
  /** Applies the disposition, unless the message is no longer held. */
  settle(leased: LeasedMessage, disposition: Disposition): Promise<void>;
  isLastAttempt(attempt: number): boolean;
}

/** Times of a consumer, in milliseconds. */
export interface ConsumerTimes {
  /** Lease time of a message; renewed every third of it. */
  readonly leaseMs: number;
  /** Interval of looks for messages of other processes, which cannot wake this one. */
  readonly pollMs: number;
}

type Handler = (delivery: Delivery) => Promise<Disposition>;

/**
 * Passes messages to a handler, several at a time. It sleeps until it is woken, a slot becomes free or the next message
 * comes due; its timers do not keep the process alive.
 */
export class SqliteConsumer implements QueueConsumer {
  readonly #inHand = new Set<Promise<void>>();
  /** A submitter that wakes the consumer must not pass on its async context. */
  readonly #own = new AsyncResource('SqliteConsumer');
  #taking: Promise<void> | undefined;
  #wokenMeanwhile = false;
  #timer: NodeJS.Timeout | undefined;
  #troubled = false;
  #closed = false;

  readonly #source: MessageSource;
  readonly #handler: Handler;
  readonly #options: ConsumeOptions;
  readonly #times: ConsumerTimes;
  readonly #logger: Logger;

  constructor(source: MessageSource, handler: Handler, options: ConsumeOptions, times: ConsumerTimes, logger: Logger) {
    this.#source = source;
    this.#handler = handler;
    this.#options = options;
    this.#times = times;
    this.#logger = logger;
  }

  /** Looks for messages now. */
  wake(): void {
    if (this.#closed) return;
    if (this.#taking !== undefined) {
      this.#wokenMeanwhile = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#wokenMeanwhile = false;
    this.#taking = this.#own
      .runInAsyncScope(() => this.#takeAll())
      .finally(() => {
        this.#taking = undefined;
        if (this.#wokenMeanwhile) this.wake();
        else this.#sleep();
      });
  }

  async close(): Promise<void> {
    this.stop();
    await this.#taking;
    await Promise.all(this.#inHand);
  }

  /** Stops taking messages, without waiting for those in hand. */
  stop(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #takeAll(): Promise<void> {
    this.#troubled = false;
    try {
      const free = this.#options.concurrency - this.#inHand.size;
      if (free <= 0 || (this.#source.untilNextDue() ?? 1) > 0) return;
      for (const leased of await this.#source.take(free)) this.#begin(leased);
    } catch (error) {
      this.#troubled = true;
      this.#logger.event('queue.unreadable', { reason: describeError(error) });
    }
  }

  /** Without a free slot no timer is needed: settling a message wakes the consumer. */
  #sleep(): void {
    if (this.#closed || this.#inHand.size >= this.#options.concurrency) return;
    this.#timer = setTimeout(() => this.wake(), this.#untilNextLook());
    this.#timer.unref();
  }

  #untilNextLook(): number {
    const { pollMs } = this.#times;
    if (this.#troubled) return pollMs;
    try {
      return Math.min(Math.max(this.#source.untilNextDue() ?? pollMs, 0), pollMs);
    } catch {
      // The next look logs it.
      return pollMs;
    }
  }

  #begin(leased: LeasedMessage): void {
    const settled = this.#deliver(leased).finally(() => {
      this.#inHand.delete(settled);
      this.wake();
    });
    this.#inHand.add(settled);
  }

  /** Never rejects: an unsettled message comes again when its lease has expired. */
  async #deliver(leased: LeasedMessage): Promise<void> {
    const about = { jobId: leased.message.jobId, kind: leased.message.kind, attempt: leased.attempt };
    const renewal = this.#keepLeased(leased, about);
    try {
      const disposition = this.#closed ? ({ kind: 'delay', delayMs: 0 } as const) : await this.#handle(leased, about);
      await this.#source.settle(leased, disposition);
    } catch (error) {
      const reason = describeError(error);
      this.#logger.event('queue.message_not_settled', { ...about, reason });
    } finally {
      clearInterval(renewal);
    }
  }

  async #handle(leased: LeasedMessage, about: object): Promise<Disposition> {
    const { message, attempt, since } = leased;
    try {
      return await this.#handler({ message, attempt, since, lastAttempt: this.#source.isLastAttempt(attempt) });
    } catch (error) {
      const reason = describeError(error);
      this.#logger.event('queue.handler_failed', { ...about, reason });
      return { kind: 'retry', reason };
    }
  }

  #keepLeased(leased: LeasedMessage, about: object): NodeJS.Timeout {
    const renew = async (): Promise<void> => {
      try {
        const held = await this.#source.renew(leased);
        if (!held) this.#logger.event('queue.message_taken_over', about);
      } catch (error) {
        const reason = describeError(error);
        this.#logger.event('queue.message_not_renewed', { ...about, reason });
      }
    };
    return setInterval(() => void renew(), this.#times.leaseMs / 3).unref();
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { describeError, causeOf } from '../../errors.js';
import type { ConsumeOptions, Delivery, Disposition, QueueConsumer } from '../../job-record/job-queue.js';
import { wholeSeconds } from '../../job-record/sqs-message.js';
import { jobOf, SqsDeliveries } from './deliveries.js';
import type { ReceivedMessage } from './queue-client.js';
import { LEASE_MS, WAIT_SECONDS, type SqsParts } from './sqs-parts.js';

/** Maximum number of messages of one poll (SQS API reference, ReceiveMessage). */
const MAX_AT_ONCE = 10;

/** Wait before a server that could not serve is asked again. */
const FAULT_PAUSE_MS = 1_000;

/** How much later than it should a poll may end. */
const POLL_GRACE_MS = 2_000;

/** Hands messages to a handler, several at a time, until it is closed. */
export class SqsConsumer implements QueueConsumer {
  readonly #parts: SqsParts;
  readonly #concurrency: number;
  readonly #deliveries: SqsDeliveries;
  readonly #inHand = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  readonly #receiving: Promise<void>;
  #isTroubled = false;

  constructor(parts: SqsParts, handler: (delivery: Delivery) => Promise<Disposition>, { concurrency }: ConsumeOptions) {
    this.#parts = parts;
    this.#concurrency = concurrency;
    this.#deliveries = new SqsDeliveries(parts, handler);
    this.#receiving = this.#receiveAll();
  }

  /** Takes no further message. The poll under way ends by itself: what it would have brought would be hidden. */
  async close(): Promise<void> {
    this.#closing.abort();
    // Not for an SQS that hangs.
    const pollMs = 1000 * (this.#parts.delivery.waitSeconds ?? WAIT_SECONDS) + POLL_GRACE_MS;
    await Promise.race([this.#receiving, delay(pollMs, undefined, { ref: false })]);
    await Promise.all(this.#inHand);
  }

  async #receiveAll(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const free = this.#concurrency - this.#inHand.size;
      if (free <= 0) await Promise.race(this.#inHand);
      else for (const received of await this.#receive(Math.min(free, MAX_AT_ONCE))) this.#begin(received);
      if (this.#isTroubled) {
        this.#isTroubled = false;
        await delay(FAULT_PAUSE_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async #receive(max: number): Promise<readonly ReceivedMessage[]> {
    const { client, queueUrl, delivery, logger } = this.#parts;
    try {
      return await client.receive(queueUrl, {
        max,
        waitSeconds: delivery.waitSeconds ?? WAIT_SECONDS,
        visibilitySeconds: wholeSeconds(delivery.leaseMs ?? LEASE_MS),
      });
    } catch (error) {
      this.#isTroubled = true;
      logger.event('queue.unreadable', { reason: describeError(causeOf(error)) });
      return [];
    }
  }

  #begin(received: ReceivedMessage): void {
    const settled = this.#deliver(received).finally(() => this.#inHand.delete(settled));
    this.#inHand.add(settled);
  }

  /** Never rejects: a message that cannot be settled comes again when its time to be hidden is over. */
  async #deliver(received: ReceivedMessage): Promise<void> {
    try {
      // Taken just before the end: for somebody else.
      if (this.#closing.signal.aborted) await this.#deliveries.leave(received);
      else await this.#deliveries.deliver(received);
    } catch (error) {
      this.#isTroubled = true;
      const reason = describeError(causeOf(error));
      this.#parts.logger.event('queue.message_not_settled', { ...jobOf(received), reason });
    }
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { describeError, causeOf } from '../../errors.js';
import type { ConsumeOptions, Delivery, Disposition, QueueConsumer } from '../../job-record/job-queue.js';
import { wholeSeconds } from '../../job-record/sqs-message.js';
import { SqsDeliveries } from './deliveries.js';
import type { ReceivedMessage } from './queue-client.js';
import { LEASE_MS, type SqsParts } from './sqs-parts.js';

/** Longest poll, and most messages of one (SQS API reference, ReceiveMessage). */
const WAIT_SECONDS = 20;
const MAX_AT_ONCE = 10;

/** Wait before a server that could not serve is asked again. */
const FAULT_PAUSE_MS = 1_000;

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

  async close(): Promise<void> {
    // A message that was on its way to the poll comes again when its time to be hidden is over.
    this.#closing.abort();
    await this.#receiving;
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
    const { signal } = this.#closing;
    try {
      return await client.receive(queueUrl, {
        max,
        waitSeconds: WAIT_SECONDS,
        visibilitySeconds: wholeSeconds(delivery.leaseMs ?? LEASE_MS),
        signal,
      });
    } catch (error) {
      if (signal.aborted) return [];
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
      this.#parts.logger.event('queue.message_not_settled', { reason: describeError(causeOf(error)) });
    }
  }
}

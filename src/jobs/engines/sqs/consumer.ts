import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from '@aws-sdk/client-sqs';
import { Consumer } from 'sqs-consumer';
import { causeOf, describeError, ServiceUnavailableError } from '../../../base/errors.js';
import { backOffMs, type ConsumeOptions, type DeliveryHandler, type QueueConsumer } from '../../record/job-queue.js';
import type { JobIdentity } from '../../record/job-record.js';
import { deliverSqsMessage, jobIn, type SqsHandler, type SqsSteps } from '../../record/sqs-delivery.js';
import { wholeSeconds } from '../../record/sqs-envelope.js';
import { isOutOfHand } from './sqs-faults.js';
import { RECEIVED_ATTRIBUTES, receivedMessage, type ReceivedMessage } from './queue-client.js';
import { NO_DEAD_LETTER_QUEUE, type SqsParts } from './queue-facts.js';

/** Default time after which a silent consumer loses its message, in milliseconds. */
const LEASE_MS = 60_000;

/** Default length of a poll: long compared to its cost, and shorter than a shutdown may take. */
const WAIT_SECONDS = 3;

const FAULT_PAUSE_MS = 1_000;

/** Pause before a message is taken again whose arrival could not be noted. */
const STORE_PAUSE_MS = 5_000;

export interface SqsConsumerOptions extends SqsParts, ConsumeOptions {
  readonly handler: DeliveryHandler;
  readonly seen: (job: JobIdentity) => Promise<void>;
}

/**
 * Consumer that passes messages to a handler until it is closed. Each of its pollers holds one message at most, so that
 * a long job does not delay others.
 */
export class SqsConsumer implements QueueConsumer {
  readonly #options: SqsConsumerOptions;
  readonly #closing = new AbortController();
  readonly #pollers: readonly Poller[];

  constructor(options: SqsConsumerOptions) {
    this.#options = options;
    const handle: SqsHandler = (...message) => this.#handle(...message);
    const { concurrency: length } = options;
    this.#pollers = Array.from({ length }, () => new Poller(options, handle, this.#closing.signal));
  }

  async #handle(...[message, attempt, { acceptedAt, receiveCount }]: Parameters<SqsHandler>): ReturnType<SqsHandler> {
    const { delivery, handler, seen } = this.#options;
    try {
      await seen(message);
    } catch (error) {
      if (error instanceof ServiceUnavailableError) return { kind: 'delay', delayMs: STORE_PAUSE_MS };
      throw error;
    }
    const lastAttempt = attempt >= delivery.maxAttempts;
    return handler({ message, attempt, lastAttempt, since: acceptedAt, ...(receiveCount > 1 && { copy: 'again' }) });
  }

  /** Stops taking messages. The current poll ends by itself; aborting it would leave its messages hidden. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#pollers.map((poller) => poller.stop()));
  }
}

/** Poller of a consumer, which takes one message after another. */
class Poller {
  readonly #parts: SqsParts;
  readonly #handle: SqsHandler;
  readonly #closing: AbortSignal;
  readonly #consumer: Consumer;
  readonly #stopped: Promise<unknown>;
  /** True if SQS failed, or a message could not be settled: the next poll waits. */
  #isTroubled = false;

  constructor(parts: SqsParts, handle: SqsHandler, closing: AbortSignal) {
    const { client, queueUrl, delivery } = parts;
    const leaseSeconds = wholeSeconds(delivery.leaseMs ?? LEASE_MS);
    this.#parts = parts;
    this.#handle = handle;
    this.#closing = closing;
    this.#consumer = Consumer.create({
      queueUrl,
      sqs: client.sdk,
      messageSystemAttributeNames: RECEIVED_ATTRIBUTES,
      visibilityTimeout: leaseSeconds,
      heartbeatInterval: leaseSeconds / 3,
      waitTimeSeconds: delivery.waitSeconds ?? WAIT_SECONDS,
      shouldDeleteMessages: false,
      // The poller waits for a held message; the caller of `close` limits the time.
      pollingCompleteWaitTimeMs: Infinity,
      preReceiveMessageCallback: () => this.#pauseAfterFault(),
      handleMessage: (message) => this.#settle(receivedMessage(message)),
    });
    this.#consumer.on('message_received', () => client.watched.served('reading'));
    this.#consumer.on('empty', () => client.watched.served('reading'));
    this.#consumer.on('error', ({ cause }, message) => this.#failed(cause, message));
    this.#stopped = new Promise((resolve) => this.#consumer.once('stopped', () => resolve(undefined)));
    this.#consumer.start();
  }

  async stop(): Promise<void> {
    this.#consumer.stop();
    await this.#stopped;
  }

  async #pauseAfterFault(): Promise<void> {
    if (this.#isTroubled) await delay(FAULT_PAUSE_MS, undefined, { signal: this.#closing }).catch(() => undefined);
    this.#isTroubled = false;
  }

  async #settle(received: ReceivedMessage): Promise<undefined> {
    const { client, queueUrl } = this.#parts;
    try {
      // The message was taken just before the end. Another consumer handles it.
      if (this.#closing.aborted) await client.setVisibility(queueUrl, received.receiptHandle, 0);
      else await this.#deliver(received);
    } catch {
      // SQS cannot be reached, which its client has logged.
      this.#isTroubled = true;
    }
  }

  async #deliver(received: ReceivedMessage): Promise<void> {
    const { facts, delivery, logger } = this.#parts;
    const receivedAt = Date.now();
    const rules = { backOffMs, ...delivery, ...(await facts()), logger, now: Date.now };
    const steps = stepsOf(received, this.#parts);
    const fate = await deliverSqsMessage({ received: { ...received, receivedAt }, steps, rules }, this.#handle);
    this.#isTroubled = fate === 'not settled';
  }

  /** Notes a failed poll; with a message, the time for which that is hidden could not be extended. */
  #failed(cause: unknown, message: Message | Message[] | undefined): void {
    const { client, logger } = this.#parts;
    const [{ Body = '' } = {}] = Array.isArray(message) ? message : [message];
    if (message !== undefined && isOutOfHand(cause)) {
      logger.event('queue.message_taken_over', jobIn(Body));
      return;
    }
    const reason = describeError(causeOf(client.watched.failed('reading', cause)));
    if (message === undefined) this.#isTroubled = true;
    else logger.event('queue.message_not_renewed', { ...jobIn(Body), reason });
  }
}

function stepsOf({ receiptHandle, body: received }: ReceivedMessage, parts: SqsParts): SqsSteps {
  const { client, queueUrl, facts, bodies, logger } = parts;
  return {
    hide: async (seconds) => {
      const held = await client.setVisibility(queueUrl, receiptHandle, seconds);
      if (!held) logger.event('queue.message_taken_over', jobIn(received));
    },
    delete: () => client.delete(queueUrl, receiptHandle),
    send: (body, kind, delaySeconds) => client.send(queueUrl, body, kind, delaySeconds),
    bury: async (body) => {
      const { deadLetterUrl } = await facts();
      if (deadLetterUrl === undefined) throw new Error(NO_DEAD_LETTER_QUEUE);
      await client.send(deadLetterUrl, body, undefined);
    },
    readBody: (key) => bodies.get(key),
    removeBody: (key) => bodies.remove(key),
  };
}

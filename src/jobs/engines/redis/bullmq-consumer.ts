import { DelayedError, ErrorCode, UnrecoverableError, Worker, type Job } from 'bullmq';
import { describeError } from '../../../base/errors.js';
import { NewerFormatError } from '../../record/stored-fields.js';
import type { LogEvent } from '../../../base/logging/log-events.js';
import type { Logger } from '../../../base/logging/logger.js';
import { hangUp, type RedisClient } from './clients.js';
import type { RedisConnection } from './connection.js';
import { isRedisUnavailable } from './redis-faults.js';
import {
  backOffMs,
  type Attempts,
  type ConsumeOptions,
  type Delivery,
  type DeliveryHandler,
  type Disposition,
  type JobMessage,
  type QueueConsumer,
} from '../../record/job-queue.js';
import { parseMessage, storedMessage } from '../../record/message-fields.js';
import { withinTime } from '../../../base/waits.js';
import { KEY_PREFIX } from './script.js';
import { identityOf } from './bullmq-entries.js';

export const QUEUE_NAME = 'jobs';

interface DeliverySettings extends Attempts {
  /** Time after which a silent consumer loses its message; 30,000 by default. A live one renews it twice in it. */
  readonly lockMs?: number;
}

export interface BullMqConsumerOptions extends ConsumeOptions {
  readonly redis: RedisConnection;
  readonly logger: Logger;
  readonly delivery: DeliverySettings;
  readonly handler: DeliveryHandler;
}

/** Pause before a server that failed is queried again; BullMQ alone would retry at once. */
const FAULT_PAUSE_MS = 1_000;

/** Pause before a message of a newer version is looked at again; another process may be able to read it. */
const NEWER_FORMAT_PAUSE_MS = 10_000;

/** Codes of BullMQ for a message that this consumer no longer holds, with the event of each. */
const OUT_OF_HAND: ReadonlyMap<unknown, LogEvent> = new Map([
  // Redis has settled the message and the reply was lost with the connection, or another process has ended it.
  [ErrorCode.JobNotExist, 'queue.message_already_ended'],
  // The same, of a message that comes again; or its lock ran out.
  [ErrorCode.JobLockNotExist, 'queue.message_taken_over'],
  [ErrorCode.JobNotInState, 'queue.message_taken_over'],
  [ErrorCode.JobLockMismatch, 'queue.message_taken_over'],
]);

/** Maximum time for which a closing consumer waits to settle its messages in Redis. */
const SETTLE_MS = 5_000;

/** Consumer that takes messages by a BullMQ worker, and translates the handler's results for it. */
export class BullMqConsumer implements QueueConsumer {
  readonly #options: BullMqConsumerOptions;
  readonly #client: RedisClient;
  readonly #worker: SteadyWorker;
  /** At most `concurrency`. */
  readonly #inHand = new Set<Promise<Disposition>>();
  #resumption: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: BullMqConsumerOptions) {
    this.#options = options;
    const { redis, delivery, concurrency } = options;
    const { lockMs = 30_000 } = delivery;
    this.#client = redis.openBlockingClient();
    this.#worker = new SteadyWorker(QUEUE_NAME, (job, token) => this.#process(job, token), {
      connection: this.#client,
      prefix: KEY_PREFIX,
      // `--check-config` checks the version. The user of Redis may not be allowed to read it here.
      skipVersionCheck: true,
      concurrency,
      lockDuration: lockMs,
      stalledInterval: lockMs / 2,
      // A message whose consumer died is delivered again and counted as an attempt, never dropped silently.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      runRetryDelay: FAULT_PAUSE_MS,
      settings: { backoffStrategy: delivery.backOffMs ?? backOffMs },
    });
    // Taking a message is a write.
    this.#worker.on('active', () => redis.written());
    this.#worker.on('error', (error) => this.#failed(error));
    this.#worker.on('lockRenewalFailed', (ids) => {
      for (const id of ids) options.logger.event('queue.message_taken_over', identityOf(id));
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#resumption);
    this.#isClosed = true;
    void this.#worker.close();
    await Promise.all(this.#inHand);
    await this.#worker.closeWithin(SETTLE_MS);
    hangUp(this.#client);
  }

  /** Handles one delivery. Its return tells BullMQ that the message was handled; errors are the other outcomes. */
  async #process(job: Job<unknown>, token: string | undefined): Promise<void> {
    const { logger, delivery } = this.#options;
    let message: JobMessage;
    try {
      message = parseMessage(job.data);
    } catch (error) {
      if (!(error instanceof NewerFormatError)) throw new UnrecoverableError(describeError(error));
      // The content is unreadable here, but its id names the job.
      const { jobId, kind } = identityOf(job.id ?? '') ?? {};
      const reason = describeError(error.cause);
      logger.event('queue.message_of_newer_version', { messageId: job.id, jobId, kind, reason });
      return comeAgain(job, token, NEWER_FORMAT_PAUSE_MS);
    }
    // The sum of failed attempts and of consumers that died.
    const attempt = job.attemptsMade + job.stalledCounter + 1;
    const lastAttempt = attempt >= (job.opts.attempts ?? delivery.maxAttempts);
    const disposition = await this.#handle({ message, attempt, lastAttempt, since: job.timestamp, copy: 'only' });
    switch (disposition.kind) {
      case 'done':
        return;
      case 'delay':
        return comeAgain(job, token, disposition.delayMs);
      case 'retry':
        if (lastAttempt) throw new UnrecoverableError(disposition.reason);
        await job.updateData(storedMessage({ ...message, failedAt: Date.now() }));
        throw new Error(disposition.reason);
      case 'dead':
        throw new UnrecoverableError(disposition.reason);
    }
  }

  #handle(delivery: Delivery): Promise<Disposition> {
    // The message was taken just before the end. Another consumer handles it.
    if (this.#isClosed) return Promise.resolve({ kind: 'delay', delayMs: 0 });
    const handling = this.#options
      .handler(delivery)
      .catch((error: unknown): Disposition => ({ kind: 'retry', reason: describeError(error) }))
      .finally(() => this.#inHand.delete(handling));
    this.#inHand.add(handling);
    return handling;
  }

  /** Logs an error of the worker. While Redis is away, the worker pauses. */
  #failed(error: Error): void {
    const { redis, logger } = this.#options;
    const outOfHand = OUT_OF_HAND.get('code' in error ? error.code : undefined);
    if (outOfHand !== undefined || !isRedisUnavailable(error)) {
      logger.event(outOfHand ?? 'queue.consumer_failed', { reason: describeError(error) });
      return;
    }
    redis.report(error);
    if (this.#isClosed || this.#resumption !== undefined) return;
    void this.#worker.pause(true);
    this.#resumption = setTimeout(() => {
      this.#resumption = undefined;
      void this.#worker.resume();
    }, FAULT_PAUSE_MS);
  }
}

async function comeAgain(job: Job<unknown>, token: string | undefined, delayMs: number): Promise<never> {
  await job.moveToDelayed(Date.now() + delayMs, token);
  throw new DelayedError();
}

/** BullMQ worker that does not keep a process alive while Redis is away. */
class SteadyWorker extends Worker<unknown> {
  /**
   * Closes the worker. Call it when all held messages were handled; BullMQ would wait forever to settle them while
   * Redis is away.
   *
   * @param settleMs maximum wait for Redis; unsettled messages are delivered again
   */
  async closeWithin(settleMs: number): Promise<void> {
    await withinTime(this.close(), settleMs);
    await this.lockManager.close();
    // BullMQ waits for the first connection of its own client before it closes it.
    await this.backend.close(true);
  }

  /** A lock that is lost is told by its event alone, not by an error besides. */
  override async extendJobLocks(ids: string[], tokens: string[], lockMs: number): Promise<string[]> {
    const lost = await super.extendJobLocks(ids, tokens, lockMs);
    if (lost.length > 0) this.emit('lockRenewalFailed', lost);
    return [];
  }

  /** No pause after a failed check: the interval between two checks is enough. */
  protected override checkConnectionError<T>(look: () => Promise<T>): Promise<T | undefined> {
    return super.checkConnectionError(look, 0);
  }
}

import { DelayedError, ErrorCode, UnrecoverableError, Worker, type Job, type Processor } from 'bullmq';
import { describeError } from '../../errors.js';
import { NewerFormatError } from '../../job-record/format.js';
import type { Logger } from '../../logging/logger.js';
import { hangUp } from './clients.js';
import type { RedisConnection } from './connection.js';
import { isRedisUnavailable } from './faults.js';
import {
  backOffMs,
  type ConsumeOptions,
  type Delivery,
  type Disposition,
  type JobMessage,
  type QueueConsumer,
} from '../../job-record/job-queue.js';
import { parseMessage } from '../../job-record/stored-message.js';
import { KEY_PREFIX } from './key-prefix.js';
import { identityOf } from './queue-entry-id.js';

/** Name of the queue. */
export const QUEUE_NAME = 'jobs';

/** Redelivery settings; times in milliseconds. */
export interface DeliverySettings {
  /** Maximum number of deliveries before a message becomes a dead letter. */
  readonly maxAttempts: number;
  /** Returns the wait after the given failed attempt, counted from 1; by default that of every queue. */
  readonly backOffMs?: (attempt: number) => number;
  /**
   * Lock time of a message, after which a silent consumer loses it; 30,000 by default. A live consumer renews it every
   * half of that.
   */
  readonly lockMs?: number;
}

/** Default of {@link DeliverySettings.lockMs}. */
const LOCK_MS = 30_000;

/** Dependencies and settings. */
export interface BullMqConsumerOptions extends ConsumeOptions {
  readonly redis: RedisConnection;
  readonly logger: Logger;
  readonly delivery: DeliverySettings;
  readonly handler: Handler;
}

type Handler = (delivery: Delivery) => Promise<Disposition>;

/** Pause before a faulty server is asked again; BullMQ by itself would ask at once. */
const FAULT_PAUSE_MS = 1_000;

/** Pause before a message of a newer version is looked at again; another process may be able to read it. */
const NEWER_FORMAT_PAUSE_MS = 10_000;

/** Maximum time for which a closing consumer waits to settle its messages in Redis. */
const SETTLE_MS = 5_000;

/** Starts a BullMQ worker that translates the handler's results for BullMQ. */
export function startBullMqConsumer(options: BullMqConsumerOptions): QueueConsumer {
  const { redis, logger, delivery: settings, concurrency } = options;
  const client = redis.openBlockingClient();
  const lockMs = settings.lockMs ?? LOCK_MS;
  const inHand = new Set<Promise<Disposition>>();
  let closed = false;
  const handler: Handler = (delivery) => {
    // Taken just before the end: leave it to another consumer.
    if (closed) return Promise.resolve({ kind: 'delay', delayMs: 0 });
    const handling = handle(delivery, options.handler).finally(() => inHand.delete(handling));
    inHand.add(handling);
    return handling;
  };
  const processor: Processor<unknown, void> = (job, token) =>
    settle(job, token, handler, settings.maxAttempts).catch(async (error: unknown) => {
      if (!(error instanceof NewerFormatError)) throw error;
      // The content is unreadable here, but its id names the job.
      const { jobId, kind } = identityOf(job.id ?? '') ?? {};
      const reason = describeError(error.cause);
      logger.event('queue.message_of_newer_version', { messageId: job.id, jobId, kind, reason });
      await job.moveToDelayed(Date.now() + NEWER_FORMAT_PAUSE_MS, token);
      throw new DelayedError();
    });
  const worker = new SteadyWorker(QUEUE_NAME, processor, {
    connection: client,
    prefix: KEY_PREFIX,
    // `--check-config` checks it, and the Redis user may lack access to it.
    skipVersionCheck: true,
    concurrency,
    lockDuration: lockMs,
    stalledInterval: lockMs / 2,
    // A message whose consumer died is delivered again and counted as an attempt, never dropped silently.
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    runRetryDelay: FAULT_PAUSE_MS,
    settings: { backoffStrategy: settings.backOffMs ?? backOffMs },
  });

  // Taking a message is a write.
  worker.on('active', () => redis.written());

  let resumption: NodeJS.Timeout | undefined;
  worker.on('error', (error) => {
    if (isGone(error)) {
      logger.event('queue.message_already_ended', { reason: describeError(error) });
      return;
    }
    if (!isRedisUnavailable(error)) {
      logger.event('queue.consumer_failed', { reason: describeError(error) });
      return;
    }
    redis.report(error);
    if (closed || resumption !== undefined) return;
    void worker.pause(true);
    resumption = setTimeout(() => {
      resumption = undefined;
      void worker.resume();
    }, FAULT_PAUSE_MS);
  });

  return {
    async close() {
      clearTimeout(resumption);
      closed = true;
      void worker.close();
      await Promise.all(inHand);
      await worker.closeWithin(SETTLE_MS);
      hangUp(client);
    },
  };
}

/** BullMQ worker without two behaviours that keep a process alive while Redis is away. */
class SteadyWorker extends Worker<unknown> {
  /**
   * Closes the worker. Messages in hand must be handled before; BullMQ would wait forever to settle them while Redis is
   * away.
   *
   * @param settleMs maximum wait for Redis; unsettled messages are delivered again
   */
  async closeWithin(settleMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, settleMs);
    });
    await Promise.race([this.close(), tooLong]);
    clearTimeout(timer);
    await this.lockManager.close();
  }

  /** The interval between stalled checks is pause enough after a failed one. */
  protected override checkConnectionError<T>(look: () => Promise<T>): Promise<T | undefined> {
    return super.checkConnectionError(look, 0);
  }
}

/**
 * Handles one delivery. Returning means done; errors tell BullMQ the other outcomes.
 *
 * @throws {DelayedError} not now; uses up no attempt
 * @throws {NewerFormatError} it cannot be read here
 * @throws {UnrecoverableError} never again
 * @throws {Error} after a back-off
 */
async function settle(
  job: Job<unknown>,
  token: string | undefined,
  handler: Handler,
  maxAttempts: number,
): Promise<void> {
  const attempt = attemptsOf(job) + 1;
  const lastAttempt = attempt >= (job.opts.attempts ?? maxAttempts);
  const disposition = await handler({ message: readMessage(job), attempt, lastAttempt, since: job.timestamp });
  switch (disposition.kind) {
    case 'done':
      return;
    case 'delay':
      await job.moveToDelayed(Date.now() + disposition.delayMs, token);
      throw new DelayedError();
    case 'retry':
      throw lastAttempt ? new UnrecoverableError(disposition.reason) : new Error(disposition.reason);
    case 'dead':
      throw new UnrecoverableError(disposition.reason);
  }
}

/**
 * Returns true if a settled entry no longer exists: Redis had settled it, and the reply was lost with the connection,
 * or another process has ended it.
 */
function isGone(error: Error): boolean {
  return 'code' in error && error.code === ErrorCode.JobNotExist;
}

/** Returns the number of failed deliveries: failed attempts and died consumers. */
function attemptsOf({ attemptsMade, stalledCounter }: Job<unknown>): number {
  return attemptsMade + stalledCounter;
}

function readMessage(job: Job<unknown>): JobMessage {
  try {
    return parseMessage(job.data);
  } catch (error) {
    if (error instanceof NewerFormatError) throw error;
    throw new UnrecoverableError(describeError(error));
  }
}

/** Calls the handler; an error it throws is a failed attempt. */
async function handle(delivery: Delivery, handler: Handler): Promise<Disposition> {
  try {
    return await handler(delivery);
  } catch (error) {
    return { kind: 'retry', reason: describeError(error) };
  }
}

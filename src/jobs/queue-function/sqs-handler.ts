import { backOffMs, type JobMessage } from '../record/job-queue.js';
import {
  deliverSqsMessage,
  MAX_MESSAGE_AGE_MS,
  MAX_RECEIVES,
  type SqsHandler,
  type SqsRules,
  type SqsSteps,
} from '../record/sqs-delivery.js';
import { readCommit, readVersion } from '../../base/package-file.js';
import type { DeliveryOutcome } from '../record/delivery-outcome.js';
import { lineLogger, writeToConsole, type WriteLine } from './log-lines.js';

/*
 * Handler of a function that Amazon SQS calls with messages of the queue, such as AWS Lambda with
 * `ReportBatchItemFailures`.
 */

/** Batch of messages, in the format of AWS Lambda. */
export interface SqsEvent {
  readonly Records: readonly SqsRecord[];
}

export interface SqsRecord {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly attributes: { readonly ApproximateReceiveCount: string; readonly SentTimestamp: string };
}

/** Messages that come again; SQS deletes the others. */
export interface SqsBatchResponse {
  readonly batchItemFailures: { readonly itemIdentifier: string }[];
}

/** Calls of SQS that the handler uses; `new SQS({})` of `@aws-sdk/client-sqs` provides them. */
export interface SqsCalls {
  sendMessage(input: {
    readonly QueueUrl: string;
    readonly MessageBody: string;
    readonly DelaySeconds?: number;
    readonly MessageAttributes?: Record<string, { readonly DataType: string; readonly StringValue: string }>;
  }): Promise<unknown>;
  changeMessageVisibility(input: {
    readonly QueueUrl: string;
    readonly ReceiptHandle: string;
    readonly VisibilityTimeout: number;
  }): Promise<unknown>;
  deleteMessage(input: { readonly QueueUrl: string; readonly ReceiptHandle: string }): Promise<unknown>;
}

export interface SqsHandlerOptions {
  /** Calls the callback of a job. `since`: when its message was put into the queue, milliseconds since 1970. */
  readonly deliver: (message: JobMessage, times: { readonly since: number }) => Promise<DeliveryOutcome>;
  readonly sqs: SqsCalls;
  /** `SQS_QUEUE_URL` of the gateway. */
  readonly queueUrl: string;
  /** URL of the queue for messages that are not tried again. The gateways end their jobs. */
  readonly deadLetterQueueUrl: string;
  /**
   * Reads a body that was too large for its message, by its key in the object store. For a missing body it returns
   * undefined, or throws an error named `NoSuchKey`, like S3.
   */
  readonly readBody?: (key: string) => Promise<string | undefined>;
  /** Removes such a body when its message is deleted. If absent, the clean-up of old reports removes it. */
  readonly removeBody?: (key: string) => Promise<void>;
  /** Number of attempts before a message goes to the dead letters; 5 by default, like `QUEUE_MAX_ATTEMPTS`. */
  readonly maxAttempts?: number;
  /** Receives after which a delayed message is sent anew: at most half of the queue's `maxReceiveCount`. */
  readonly maxReceives?: number;
  /** Takes log lines of messages that could not be handled or settled; writes JSON to the console by default. */
  readonly log?: WriteLine;
  /** Milliseconds since 1970; the system's clock by default. */
  readonly now?: () => number;
}

/**
 * Creates the handler of a function that SQS calls. It settles messages like the queue function, and never throws: a
 * message that could not be settled is logged, and comes again.
 */
export function createSqsHandler(options: SqsHandlerOptions): (event: SqsEvent) => Promise<SqsBatchResponse> {
  const { deliver, log = writeToConsole, now = Date.now } = options;
  const rules: SqsRules = {
    maxAttempts: options.maxAttempts ?? 5,
    maxReceives: options.maxReceives ?? MAX_RECEIVES,
    maxAgeMs: MAX_MESSAGE_AGE_MS,
    backOffMs,
    logger: lineLogger(log, { service: 'queue-function', version: readVersion(), commit: readCommit() }),
    now,
  };
  const handle: SqsHandler = async (job, _attempt, { acceptedAt }) => {
    const outcome = await deliver(job, { since: acceptedAt });
    return outcome.kind === 'final' ? { ...outcome, kind: 'dead' } : outcome;
  };
  return async ({ Records }) => {
    const fates = await Promise.all(
      Records.map(({ body, attributes: { ApproximateReceiveCount, SentTimestamp }, receiptHandle }) => {
        const counts = { receiveCount: Number(ApproximateReceiveCount), sentAt: Number(SentTimestamp) };
        const received = { body, ...counts, receivedAt: now() };
        return deliverSqsMessage({ received, steps: stepsOf(receiptHandle, options), rules }, handle);
      }),
    );
    const comeAgain = Records.filter((_, index) => fates[index] !== 'gone');
    return { batchItemFailures: comeAgain.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

function stepsOf(ReceiptHandle: string, options: SqsHandlerOptions): SqsSteps {
  const { sqs, queueUrl: QueueUrl, deadLetterQueueUrl, readBody, removeBody } = options;
  return {
    hide: (VisibilityTimeout) => sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout }),
    delete: () => sqs.deleteMessage({ QueueUrl, ReceiptHandle }),
    send: (MessageBody, StringValue, DelaySeconds) => {
      const MessageAttributes = { kind: { DataType: 'String', StringValue } };
      return sqs.sendMessage({ QueueUrl, MessageBody, DelaySeconds, MessageAttributes });
    },
    bury: (MessageBody) => sqs.sendMessage({ QueueUrl: deadLetterQueueUrl, MessageBody }),
    async readBody(key) {
      if (readBody === undefined) throw new TypeError('The body of a job is in the object store; give readBody.');
      try {
        return await readBody(key);
      } catch (error) {
        if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
        throw error;
      }
    },
    removeBody: async (key) => removeBody?.(key),
  };
}

import {
  ChangeMessageVisibilityBatchCommand,
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
  type Message,
  type MessageSystemAttributeName,
  type QueueAttributeName,
} from '@aws-sdk/client-sqs';
import { awsSdkLogger, type Logger } from '../../logging/logger.js';
import { ServiceUnavailableError } from '../../errors.js';
import { FaultLog } from '../../logging/fault-log.js';
import { isOutOfHand, sqsFaultOf } from './faults.js';
import { regionOf } from './region.js';

/** Name of the queue in errors and in the log. */
export const DEPENDENCY = 'Amazon SQS';

const CONNECT_TIMEOUT_MS = 3_000;
/** All attempts together take no longer than the client that starts a job waits. */
const REQUEST_TIMEOUT_MS = 5_000;
const ATTEMPTS = 2;

/** Settings of a receive call. */
export interface Receiving {
  /** From 1 to 10. */
  readonly max: number;
  readonly waitSeconds: number;
  readonly visibilitySeconds: number;
}

/** Handle of a received message, enough to settle it. */
export interface MessageInHand {
  readonly receiptHandle: string;
}

/** Received message. */
export interface ReceivedMessage extends MessageInHand {
  readonly body: string;
  /** Number of receives, including this one. */
  readonly receiveCount: number;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
}

/** Approximate counts of a queue. */
export interface QueueCounts {
  readonly visible: number;
  readonly hidden: number;
  readonly delayed: number;
}

/** Requested attributes of a message beside its body. */
export const RECEIVED_ATTRIBUTES: MessageSystemAttributeName[] = ['ApproximateReceiveCount', 'SentTimestamp'];

/** Maximum number of messages per request. */
const BATCH = 10;

/**
 * Client of SQS, at the host of the queue's URL. Each call throws {@link ServiceUnavailableError} when SQS cannot
 * serve; its cause names the remedy.
 */
export class SqsClient {
  /** SDK for a polling library, which has to call {@link served} and {@link failed}. */
  readonly sdk: SQSClient;
  readonly #faults: FaultLog;

  constructor(queueUrl: string, logger: Logger) {
    const region = regionOf(queueUrl);
    this.#faults = new FaultLog(logger, DEPENDENCY);
    this.sdk = new SQSClient({
      endpoint: new URL(queueUrl).origin,
      ...(region !== undefined && { region }),
      logger: awsSdkLogger(logger),
      maxAttempts: ATTEMPTS,
      requestHandler: {
        connectionTimeout: CONNECT_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        throwOnRequestTimeout: true,
      },
    });
  }

  /** @param delaySeconds 900 at most */
  async send(queueUrl: string, body: string, kind: string | undefined, delaySeconds = 0): Promise<void> {
    await this.#run(() =>
      this.sdk.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: body,
          ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
          // For filters of functions that are called with messages.
          ...(kind !== undefined && { MessageAttributes: { kind: { DataType: 'String', StringValue: kind } } }),
        }),
      ),
    );
  }

  async receive(
    queueUrl: string,
    { max, waitSeconds, visibilitySeconds }: Receiving,
  ): Promise<readonly ReceivedMessage[]> {
    const command = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: max,
      WaitTimeSeconds: waitSeconds,
      VisibilityTimeout: visibilitySeconds,
      MessageSystemAttributeNames: RECEIVED_ATTRIBUTES,
    });
    const requestTimeout = 1000 * waitSeconds + REQUEST_TIMEOUT_MS;
    const { Messages = [] } = await this.#run(() => this.sdk.send(command, { requestTimeout }));
    return Messages.map(receivedMessage);
  }

  async delete(queueUrl: string, { receiptHandle }: MessageInHand): Promise<void> {
    await this.#run(() =>
      this.sdk.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: receiptHandle })),
    );
  }

  /** Sets the time until a message may be received again. @returns false if it is no longer held */
  async setVisibility(queueUrl: string, { receiptHandle }: MessageInHand, seconds: number): Promise<boolean> {
    const command = new ChangeMessageVisibilityCommand({
      QueueUrl: queueUrl,
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: seconds,
    });
    return this.#run(async () => {
      try {
        await this.sdk.send(command);
        return true;
      } catch (error) {
        if (isOutOfHand(error)) return false;
        throw error;
      }
    });
  }

  /**
   * Makes messages receivable again at once. Never rejects: if SQS is away, they become so when their visibility
   * timeout is over.
   */
  async release(queueUrl: string, messages: readonly MessageInHand[]): Promise<void> {
    for (let from = 0; from < messages.length; from += BATCH) {
      const Entries = messages
        .slice(from, from + BATCH)
        .map(({ receiptHandle: ReceiptHandle }, index) => ({ Id: `${index}`, ReceiptHandle, VisibilityTimeout: 0 }));
      const command = new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries });
      await this.#run(() => this.sdk.send(command)).catch(() => undefined);
    }
  }

  async counts(queueUrl: string): Promise<QueueCounts> {
    const attributes = await this.attributes(queueUrl, [
      'ApproximateNumberOfMessages',
      'ApproximateNumberOfMessagesNotVisible',
      'ApproximateNumberOfMessagesDelayed',
    ]);
    return {
      visible: Number(attributes.ApproximateNumberOfMessages ?? 0),
      hidden: Number(attributes.ApproximateNumberOfMessagesNotVisible ?? 0),
      delayed: Number(attributes.ApproximateNumberOfMessagesDelayed ?? 0),
    };
  }

  async attributes(
    queueUrl: string,
    names: readonly QueueAttributeName[],
  ): Promise<Partial<Record<QueueAttributeName, string>>> {
    const command = new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...names] });
    const { Attributes = {} } = await this.#run(() => this.sdk.send(command));
    return Attributes;
  }

  /** Returns the URL of a queue by its ARN (`arn:partition:sqs:region:account:name`). */
  async urlOf(arn: string): Promise<string> {
    const [, , , , QueueOwnerAWSAccountId, QueueName] = arn.split(':');
    const { QueueUrl } = await this.#run(() =>
      this.sdk.send(new GetQueueUrlCommand({ QueueName, QueueOwnerAWSAccountId })),
    );
    if (QueueUrl === undefined) throw new Error(`SQS knows no URL of ${arn}.`);
    return QueueUrl;
  }

  /** Notes that SQS served. */
  served(): void {
    this.#faults.served('reading');
  }

  /** Notes that SQS did not serve, and logs it at intervals. @returns fault and remedy */
  failed(error: unknown): string {
    const fault = sqsFaultOf(error);
    this.#faults.failed('reading', fault);
    return fault;
  }

  close(): void {
    this.sdk.destroy();
  }

  async #run<T>(request: () => Promise<T>): Promise<T> {
    try {
      const reply = await request();
      this.served();
      return reply;
    } catch (error) {
      const fault = this.failed(error);
      throw new ServiceUnavailableError(DEPENDENCY, { cause: new Error(fault, { cause: error }) });
    }
  }
}

/** Converts a message of the SDK. */
export function receivedMessage({ Body = '', ReceiptHandle = '', Attributes = {} }: Message): ReceivedMessage {
  return {
    body: Body,
    receiptHandle: ReceiptHandle,
    receiveCount: Number(Attributes.ApproximateReceiveCount ?? 1),
    sentAt: Number(Attributes.SentTimestamp ?? Date.now()),
  };
}
